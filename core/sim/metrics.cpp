// SPDX-License-Identifier: Apache-2.0
#include "core/sim/metrics.h"

#include <algorithm>
#include <limits>
#include <map>

namespace stageloom {

namespace {

struct Event {
    double time;
    int change;
};

int peakOf(std::vector<Event>& events)
{
    // At equal times a release comes first: the next forward takes the place that the backward
    // left.
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return a.time != b.time ? a.time < b.time : a.change < b.change;
    });
    int now = 0, peak = 0;
    for (const Event& event : events)
        peak = std::max(peak, now += event.change);
    return peak;
}

int peakStash(const std::vector<const Span*>& spans)
{
    std::vector<Event> events;
    for (const Span* span : spans)
        if (span->kind == ActionKind::Forward)
            events.push_back({ span->start, 1 });
        else if (span->kind == ActionKind::Backward || span->kind == ActionKind::BackwardWeight)
            events.push_back({ span->end, -1 });
    return peakOf(events);
}

// A version lives from the update that makes it (0: from the start) to its last reader; the newest
// lives on.
int peakVersions(const std::vector<const Span*>& spans)
{
    struct Life {
        double made = 0, last = 0;
    };
    std::map<int, Life> lives { { 0, {} } };
    for (const Span* span : spans) {
        if (span->version < 0)
            continue;
        Life& life = lives[span->version];
        if (span->kind == ActionKind::Update)
            life.made = span->end;
        else if (isCompute(span->kind))
            life.last = std::max(life.last, span->end);
    }
    std::vector<Event> events;
    for (auto it = lives.begin(); it != lives.end(); ++it) {
        const auto next = std::next(it);
        events.push_back({ it->second.made, 1 });
        if (next != lives.end()) // superseded: lives until its last reader, at least until its
                                 // successor is made
            events.push_back({ std::max(it->second.last, next->second.made), -1 });
    }
    return peakOf(events);
}

double busyIn(const Span& span, double begin, double end)
{
    return isCompute(span.kind)
        ? std::max(0.0, std::min(span.end, end) - std::max(span.start, begin))
        : 0;
}

// Steady state: from the last backward of one batch to that of the next, the first batches and the
// drain left out, on the slowest stage. A batch is the plan's, of m microbatches, however many
// updates it has.
double steadyPeriod(const std::vector<std::vector<const Span*>>& perStage, int microbatches)
{
    double period = 0;
    for (const auto& spans : perStage) {
        std::vector<double> ends; // of the last backward of each batch
        int batch = -1;
        for (const Span* span : spans) {
            if (span->kind != ActionKind::Backward && span->kind != ActionKind::BackwardWeight)
                continue;
            const int now = microbatches > 0 ? span->microbatch / microbatches : span->batch;
            if (now != batch)
                ends.push_back(0);
            batch = now;
            ends.back() = std::max(ends.back(), span->end);
        }
        const std::size_t n = ends.size();
        if (n == 0)
            continue;
        if (n < 4) { // too short to leave anything out
            period = std::max(period, n == 1 ? ends[0] : ends[1] - ends[0]);
            continue;
        }
        period = std::max(period, (ends[n - 2] - ends[1]) / double(n - 3));
    }
    return period;
}

} // namespace

double steadyPeriod(const Trace& trace)
{
    std::vector<std::vector<const Span*>> perStage(std::size_t(std::max(trace.stages, 0)));
    for (const Span& span : trace.spans)
        if (span.kind == ActionKind::Backward || span.kind == ActionKind::BackwardWeight)
            perStage[std::size_t(span.stage)].push_back(&span);
    return steadyPeriod(perStage, trace.microbatches);
}

TraceMetrics measure(const Trace& trace)
{
    return measure(trace, 0, std::numeric_limits<double>::infinity());
}

TraceMetrics measure(const Trace& trace, double begin, double end)
{
    TraceMetrics metrics;
    std::vector<std::vector<const Span*>> perStage(std::size_t(std::max(trace.stages, 0)));
    std::vector<double> deviceBusy(std::size_t(std::max(trace.devices, 0)), 0);
    double last = begin;
    metrics.stages.resize(perStage.size());
    for (std::size_t s = 0; s < perStage.size(); ++s)
        metrics.stages[s].stage = int(s);
    double busy = 0;
    for (const Span& span : trace.spans) {
        if (span.end <= begin || span.start >= end)
            continue;
        const auto stage = std::size_t(span.stage);
        const double share = busyIn(span, begin, end);
        perStage[stage].push_back(&span);
        metrics.stages[stage].device = span.device;
        metrics.stages[stage].busy += share;
        deviceBusy[std::size_t(span.device)] += share;
        busy += share;
        if (isCompute(span.kind) || span.kind == ActionKind::Update)
            last = std::max(last, std::min(span.end, end));
    }
    metrics.makespan = (end < std::numeric_limits<double>::infinity() ? end : last) - begin;
    if (metrics.makespan > 0 && trace.devices > 0)
        metrics.bubbleFraction = 1 - busy / (trace.devices * metrics.makespan);
    for (std::size_t s = 0; s < perStage.size(); ++s) {
        StageMetrics& stage = metrics.stages[s];
        stage.idle = metrics.makespan - deviceBusy[std::size_t(stage.device)];
        stage.peakStash = peakStash(perStage[s]);
        stage.peakVersions = perStage[s].empty() ? 0 : peakVersions(perStage[s]);
    }
    metrics.periodPerBatch = steadyPeriod(perStage, trace.microbatches);
    if (trace.microbatches > 0)
        metrics.periodPerMicrobatch = metrics.periodPerBatch / trace.microbatches;
    return metrics;
}

Window steadyWindow(const Trace& trace, int skip)
{
    // Stage 0 finishes a batch last: its updates cut the run into whole batches.
    std::vector<double> ends;
    for (const Span& span : trace.spans)
        if (span.stage == 0 && span.kind == ActionKind::Backward) {
            const auto batch = std::size_t(span.batch);
            if (ends.size() <= batch)
                ends.resize(batch + 1, 0);
            ends[batch] = std::max(ends[batch], span.end);
        }
    Window window;
    const int batches = int(ends.size());
    if (skip < 0 || batches <= skip + 1)
        return window;
    // The last batch drains the pipeline under 2BW: it is no steady batch.
    if (skip > 0)
        window.begin = ends[std::size_t(skip - 1)];
    else
        for (const Span& span : trace.spans) // nothing skipped: from the first start
            window.begin
                = &span == &trace.spans.front() ? span.start : std::min(window.begin, span.start);
    window.end = ends[std::size_t(batches - 2)];
    window.batches = batches - 1 - skip;
    return window;
}

} // namespace stageloom
