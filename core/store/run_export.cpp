// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_export.h"

#include "core/sim/trace_forms.h"
#include "core/store/metric_store.h"
#include "core/store/trace_store.h"
#include <cmath>

namespace stageloom {

namespace {

constexpr std::size_t kExportPiece = 64 << 10; // bytes handed on at once

Json numberOrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

// Empty where it was not measured, as spreadsheets expect.
std::string cell(double value)
{
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

// All of them, before anything is written.
Result<std::vector<RunRow>> rowsOf(Database& database, const std::vector<RunId>& ids)
{
    std::vector<RunRow> rows;
    for (const RunId id : ids) {
        Result<RunRow> row = RunStore(database).get(id);
        if (!row)
            return failure(row);
        rows.push_back(std::move(*row));
    }
    return rows;
}

// What a run was started with and what it measured, all but its timeline.
Result<Json> recordWithoutTrace(Database& database, const RunRow& row)
{
    RunStore store(database);
    const auto points = MetricStore(database).read(row.id);
    if (!points)
        return failure(points);
    Json document = rowDocument(row);
    document["plan"] = store.plan(row.id).value_or(Json());
    document["request"] = store.request(row.id).value_or(Json());
    document["environment"] = store.environment(row.id).value_or(Json());
    document["metrics"] = Json::array();
    for (const MetricPoint& point : *points)
        document["metrics"].push_back(toJson(point));
    return document;
}

Status writeRecord(Database& database, const RunRow& row, const TextSink& sink)
{
    const Result<Json> record = recordWithoutTrace(database, row);
    if (!record)
        return failure(record);
    const Result<Trace> trace = TraceStore(database).read(row.id);
    if (!trace)
        return failure(trace);
    if (!trace->consistent())
        return fail(ErrorKind::Invalid,
            "the timeline of run {} is damaged: it names {} stages and {} devices, and its spans "
            "lie outside of them; export with --csv leaves it out",
            row.id.value, trace->stages, trace->devices);
    std::string text = dumpJson(*record);
    text.resize(text.rfind('}')); // for the trace to follow
    text.resize(text.find_last_not_of(" \n") + 1);
    if (!sink(text + ",\n  \"trace\": "))
        return {};
    if (trace->spans.empty())
        sink("null");
    else
        writeTraceJson(*trace, measure(*trace), sink);
    sink("}\n");
    return {};
}

} // namespace

Json rowDocument(const RunRow& row)
{
    return { { "id", row.id.value }, { "name", row.name }, { "state", toString(row.state) },
        { "started", row.started }, { "ended", row.ended.empty() ? Json() : Json(row.ended) },
        { "steps", row.steps }, { "planned_steps", row.plannedSteps },
        { "final_loss", numberOrNull(row.finalLoss) },
        { "validation_loss", numberOrNull(row.validationLoss) },
        { "tokens_per_second", numberOrNull(row.tokensPerSecond) },
        { "bubble_fraction_predicted", numberOrNull(row.bubblePredicted) },
        { "bubble_fraction_measured", numberOrNull(row.bubbleMeasured) },
        { "peak_rss_bytes", numberOrNull(row.peakRssBytes) }, { "schedule", row.schedule },
        { "model", row.model }, { "plan_hash", row.planHash }, { "tags", row.tags },
        { "notes", row.notes }, { "failure", row.failure }, { "folder", row.folder } };
}

Status writeMetricsCsv(Database& database, const std::vector<RunId>& ids, const TextSink& sink)
{
    const auto rows = rowsOf(database, ids);
    if (!rows)
        return failure(rows);
    const bool several = ids.size() > 1;
    std::string text = several ? "run," : "";
    text += "step,time,tokens";
    for (const MetricColumn& column : metricColumns())
        text += fmt::format(",{}", column.name);
    text += "\n";
    for (const RunId id : ids) {
        const auto points = MetricStore(database).read(id);
        if (!points)
            return failure(points);
        for (const MetricPoint& p : *points) {
            if (several)
                text += fmt::format("{},", id.value);
            text += fmt::format("{},{},{}", p.step, cell(p.time), cell(p.tokens));
            for (const MetricColumn& column : metricColumns())
                text += "," + cell(p.*column.member);
            text += "\n";
            if (text.size() >= kExportPiece && !sink(std::exchange(text, {})))
                return {};
        }
    }
    sink(text);
    return {};
}

Status writeRunsJson(Database& database, const std::vector<RunId>& ids, const TextSink& sink)
{
    const auto rows = rowsOf(database, ids);
    if (!rows)
        return failure(rows);
    if (rows->size() == 1)
        return writeRecord(database, rows->front(), sink);
    const char* before = "{\"runs\": [\n";
    for (const RunRow& row : *rows) {
        if (!sink(std::exchange(before, ",\n")))
            return {};
        if (const Status written = writeRecord(database, row, sink); !written)
            return written;
    }
    sink("]}\n");
    return {};
}

Status writeRunsChromeTrace(Database& database, const std::vector<RunId>& ids, const TextSink& sink)
{
    const auto rows = rowsOf(database, ids);
    if (!rows)
        return failure(rows);
    for (const RunRow& row : *rows)
        if (const Result<int> last = TraceStore(database).lastBatch(row.id); !last || *last < 0)
            return last ? Status(fail(ErrorKind::Invalid,
                       "run {} has no recorded spans to export; runs that record spans have a "
                       "timeline",
                       row.id.value))
                        : Status(failure(last));
    ChromeTraceWriter writer(sink);
    for (const RunRow& row : *rows) {
        const Result<Trace> trace = TraceStore(database).read(row.id);
        if (!trace)
            return failure(trace);
        writer.add(*trace, fmt::format("run {} {}", row.id.value, row.name),
            ids.size() == 1 ? 0 : static_cast<int>(row.id.value));
    }
    writer.finish();
    return {};
}

} // namespace stageloom
