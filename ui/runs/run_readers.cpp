// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_readers.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/plan/prediction.h"
#include "core/store/metric_store.h"
#include "core/store/run_export.h"
#include "core/store/trace_store.h"
#include "ui/state/topology_state.h"
#include "ui/timeline/timeline_model.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace stageloom {

namespace {

// The batches that both runs have, the filling of the pipeline left out where there are enough, as
// many as the timeline shows at once.
std::pair<int, int> shownBatches(const TraceComparison& c, const Trace& base, const Trace& other)
{
    const int batches = c.lastBatch - c.firstBatch + 1;
    const int first = batches > 6 ? c.firstBatch + 2 : c.firstBatch;
    const std::size_t spans = std::max(base.spans.size(), other.spans.size());
    const std::size_t perBatch
        = std::max<std::size_t>(1, spans / static_cast<std::size_t>(std::max(1, batches)));
    const auto fitting
        = static_cast<int>(std::max<std::size_t>(1, RunComparison::kMaxSpans / perBatch));
    return { first, std::min(c.lastBatch, first + fitting - 1) };
}

// Of the stages' devices as the recorded plan says; nothing where it does not.
QStringList deviceNamesOf(const Json& plan)
{
    if (!plan.is_object() || !plan.contains("stages"))
        return {};
    const Json::json_pointer place("/topology/document");
    if (!plan.contains(place))
        return {};
    const Result<Topology> machine = topologyFromJson(plan[place], "the run's plan");
    if (!machine)
        return {};
    std::vector<PlanStage> stages;
    for (const Json& stage : plan["stages"])
        if (stage.is_object())
            stages.push_back({ 0, 0, stage.value("devices", std::vector<int>()), false });
    return stageDeviceLabels(stages, *machine);
}

// The plan's prediction for as many batches as make a steady state, within what a view moves along
// with a run.
Result<Trace> predictedTrace(const Json& document, RunId id)
{
    constexpr int kBatches = 8, kLeast = 3;
    constexpr double kSpans = 40'000, kPerMicrobatch = 4; // spans a microbatch and stage
    const Result<Plan> plan = planFromJson(document, fmt::format("the plan of run {}", id.value));
    if (!plan)
        return failure(plan);
    const double perBatch = kPerMicrobatch * static_cast<double>(plan->stages.size())
        * std::max(1, plan->microbatches);
    Result<Prediction> prediction
        = predict(*plan, std::clamp(static_cast<int>(kSpans / perBatch), kLeast, kBatches));
    if (!prediction)
        return failure(prediction);
    return std::move(prediction->trace);
}

void addPlanned(RunTimelineParts& parts, Result<Trace> plan)
{
    if (!plan) {
        parts.planProblem = QString::fromStdString(plan.error().message);
        return;
    }
    // A run's clock starts before its first batch does: data is read and stages are loaded first.
    double begin = std::numeric_limits<double>::infinity();
    for (const Span& span : parts.run.spans)
        if (span.batch == parts.firstBatch && span.kind == ActionKind::Forward)
            begin = std::min(begin, span.start);
    if (std::isfinite(begin))
        parts.plan = movedTo(std::move(*plan), parts.firstBatch, begin);
}

QStringList joined(const QStringList& base, const QStringList& other)
{
    QStringList both = base.size() >= other.size() ? base : other;
    for (qsizetype i = 0; i < std::min(base.size(), other.size()); ++i)
        if (base[i] != other[i])
            both[i] = QStringLiteral("%1 / %2").arg(base[i], other[i]);
    return both;
}

} // namespace

Result<std::vector<RunPoints>> readPoints(
    const StoreFile& store, const std::vector<KnownPoints>& asked)
{
    std::vector<RunPoints> runs;
    if (asked.empty())
        return runs;
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    for (const auto& [id, from] : asked) {
        const Result<RunRow> row = RunStore(*database).get(id);
        if (!row)
            return failure(row);
        Result<std::vector<MetricPoint>> points = MetricStore(*database).readFrom(id, from);
        if (!points)
            return failure(points);
        runs.push_back(
            { id, QStringLiteral("%1 · %2").arg(id.value).arg(QString::fromStdString(row->name)),
                row->state == RunState::Running, row->bubblePredicted, row->bubbleMeasured,
                std::move(*points) });
    }
    return runs;
}

Result<PlanComparison> readPlans(const StoreFile& store, const std::vector<RunId>& ids)
{
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    std::vector<Json> plans, requests;
    for (const RunId id : ids) {
        Result<Json> plan = RunStore(*database).plan(id);
        if (!plan)
            return failure(plan);
        Result<Json> request = RunStore(*database).request(id);
        if (!request)
            return failure(request);
        if (request->is_object())
            request->erase("plan"); // compared by itself
        plans.push_back(std::move(*plan));
        requests.push_back(std::move(*request));
    }
    return PlanComparison { ids, leaves(plans), leaves(requests) };
}

Result<RunTraces> readTraces(const StoreFile& store, RunId base, RunId other, TraceReading& reading)
{
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    std::array<Trace, 2> traces;
    const std::array<RunId, 2> ids { base, other };
    for (std::size_t i = 0; i < 2; ++i) {
        Result<Trace> trace
            = TraceStore(*database).read(ids[i], [&reading, i](std::size_t done, std::size_t all) {
                  // Of both, as if the second were as long as the first.
                  reading.all = 2 * all;
                  reading.done = i * all + done;
                  return !reading.stop;
              });
        if (!trace)
            return failure(trace);
        if (trace->spans.empty())
            return fail(ErrorKind::Invalid,
                "Run {} recorded no spans, so there is no trace to compare; choose another run.",
                ids[i].value);
        traces[i] = std::move(*trace);
    }
    RunTraces result;
    result.base = base;
    result.other = other;
    result.comparison = compareTraces(traces[0], traces[1]);
    RunStore runs(*database);
    result.devices = joined(deviceNamesOf(runs.plan(base).value_or(Json())),
        deviceNamesOf(runs.plan(other).value_or(Json())));
    if (!result.comparison.spans.empty()) {
        std::tie(result.firstBatch, result.lastBatch)
            = shownBatches(result.comparison, traces[0], traces[1]);
        result.basePart = batchesOf(traces[0], result.firstBatch, result.lastBatch);
        result.otherPart = batchesOf(traces[1], result.firstBatch, result.lastBatch);
        const auto ends = [](const Trace& part, const Trace& whole) {
            return part.spans.size() < whole.spans.size() ? TraceEnds::Cut : TraceEnds::Whole;
        };
        result.baseEnds = ends(result.basePart, traces[0]);
        result.otherEnds = ends(result.otherPart, traces[1]);
    }
    return result;
}

Result<RunTimelineParts> readTimeline(const StoreFile& store, RunId id, TraceReading& reading)
{
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    Result<Trace> trace
        = TraceStore(*database).read(id, [&reading](std::size_t done, std::size_t all) {
              reading.all = all;
              reading.done = done;
              return !reading.stop;
          });
    if (!trace)
        return failure(trace);
    RunTimelineParts parts;
    parts.run = std::move(*trace);
    if (parts.run.spans.empty())
        return parts;
    const auto [first, last] = std::ranges::minmax_element(parts.run.spans, {}, &Span::batch);
    parts.firstBatch = first->batch;
    parts.lastBatch = last->batch;
    const Result<Json> plan = RunStore(*database).plan(id);
    parts.devices = deviceNamesOf(plan.value_or(Json()));
    addPlanned(parts, plan ? predictedTrace(*plan, id) : Result<Trace>(failure(plan)));
    return parts;
}

Result<RunDetails> readDetails(
    const StoreFile& store, RunId id, std::optional<std::size_t> knownLines)
{
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    RunStore runs(*database);
    Result<RunRow> row = runs.get(id);
    if (!row)
        return failure(row);
    Result<std::vector<LogLine>> log = runs.log(id, knownLines.value_or(0));
    if (!log)
        return failure(log);
    if (knownLines)
        return RunDetails { std::move(*row), {}, {}, {}, std::move(*log) };
    return RunDetails { std::move(*row), runs.plan(id).value_or(Json()),
        runs.request(id).value_or(Json()), runs.environment(id).value_or(Json()), std::move(*log) };
}

Result<TrainRequest> readRequest(const StoreFile& store, RunId id)
{
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    const Result<Json> document = RunStore(*database).request(id);
    if (!document)
        return failure(document);
    return trainRequestFromJson(*document, fmt::format("the request of run {}", id.value));
}

Status writeExport(const StoreFile& store, const std::vector<RunId>& ids, ExportForm form,
    const std::filesystem::path& file, ExportWriting& writing)
{
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    const auto write = form == ExportForm::Numbers ? writeMetricsCsv
        : form == ExportForm::Record               ? writeRunsJson
                                                   : writeRunsChromeTrace;
    return writeFileAtomically(file, [&](const TextSink& sink) {
        return write(*database, ids, [&](std::string_view text) {
            writing.bytes += text.size();
            return !writing.stop && sink(text);
        });
    });
}

} // namespace stageloom
