// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_export.h"

#include "core/sim/trace_forms.h"
#include "core/store/metric_store.h"
#include "core/store/trace_store.h"
#include <cmath>

namespace stageloom {

namespace {

Json numberOrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

// Empty where it was not measured, as spreadsheets expect.
std::string cell(double value)
{
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

Result<Json> record(Database& database, const RunRow& row)
{
    RunStore store(database);
    const auto points = MetricStore(database).read(row.id);
    if (!points)
        return failure(points);
    const Result<Trace> trace = TraceStore(database).read(row.id);
    if (!trace)
        return failure(trace);
    if (!trace->consistent())
        return fail(ErrorKind::Invalid,
            "the timeline of run {} is damaged: it names {} stages and {} devices, and its spans "
            "lie outside of them; export with --csv leaves it out",
            row.id.value, trace->stages, trace->devices);
    Json document = rowDocument(row);
    document["plan"] = store.plan(row.id).value_or(Json());
    document["request"] = store.request(row.id).value_or(Json());
    document["environment"] = store.environment(row.id).value_or(Json());
    document["metrics"] = Json::array();
    for (const MetricPoint& p : *points)
        document["metrics"].push_back({ { "step", p.step }, { "time", p.time },
            { "tokens", p.tokens }, { "loss", p.loss }, { "validation_loss", p.validationLoss },
            { "tokens_per_second", p.tokensPerSecond }, { "grad_norm", p.gradNorm },
            { "learning_rate", p.learningRate }, { "rss_bytes", p.rssBytes } });
    document["trace"] = trace->spans.empty() ? Json() : toJson(*trace, measure(*trace));
    return document;
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

Result<std::string> metricsCsv(Database& database, const std::vector<RunId>& ids)
{
    const bool several = ids.size() > 1;
    std::string text = several ? "run," : "";
    text += "step,time,tokens,loss,validation_loss,tokens_per_second,grad_norm,learning_rate,"
            "rss_bytes\n";
    for (const RunId id : ids) {
        if (const Result<RunRow> row = RunStore(database).get(id); !row)
            return failure(row);
        const auto points = MetricStore(database).read(id);
        if (!points)
            return failure(points);
        for (const MetricPoint& p : *points) {
            if (several)
                text += fmt::format("{},", id.value);
            text += fmt::format("{},{},{},{},{},{},{},{},{}\n", p.step, cell(p.time),
                cell(p.tokens), cell(p.loss), cell(p.validationLoss), cell(p.tokensPerSecond),
                cell(p.gradNorm), cell(p.learningRate), cell(p.rssBytes));
        }
    }
    return text;
}

Result<std::string> runsJson(Database& database, const std::vector<RunId>& ids)
{
    Json all = Json::array();
    for (const RunId id : ids) {
        const Result<RunRow> row = RunStore(database).get(id);
        if (!row)
            return failure(row);
        Result<Json> document = record(database, *row);
        if (!document)
            return failure(document);
        all.push_back(std::move(*document));
    }
    return dumpJson(all.size() == 1 ? all.front() : Json { { "runs", std::move(all) } });
}

Result<std::string> runsChromeTrace(Database& database, const std::vector<RunId>& ids)
{
    Json events = Json::array();
    for (const RunId id : ids) {
        const Result<RunRow> row = RunStore(database).get(id);
        if (!row)
            return failure(row);
        const Result<Trace> trace = TraceStore(database).read(id);
        if (!trace)
            return failure(trace);
        if (trace->spans.empty())
            return fail(ErrorKind::Invalid,
                "run {} has no recorded spans to export; runs that record spans have a timeline",
                id.value);
        const int process = ids.size() == 1 ? 0 : static_cast<int>(id.value);
        for (Json& event :
            chromeEvents(*trace, fmt::format("run {} {}", id.value, row->name), process))
            events.push_back(std::move(event));
    }
    return chromeDocument(std::move(events));
}

} // namespace stageloom
