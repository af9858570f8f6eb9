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
        else if (endsMicrobatch(span->kind))
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
        if (next != lives.end()) // superseded: lives until its last reader, at
                                 // least until its successor is made
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

// When the batches that spans belong to have ended, ascending: their last backwards.
struct BatchEnd {
    int batch;
    double time;
};

class BatchEnds {
public:
    void add(const Span& span)
    {
        if (!endsMicrobatch(span.kind))
            return;
        if (m_ends.empty() || m_ends.back().batch != span.batch)
            m_ends.push_back({ span.batch, span.end });
        else
            m_ends.back().time = std::max(m_ends.back().time, span.end);
    }

    std::vector<BatchEnd> take()
    {
        std::stable_sort(m_ends.begin(), m_ends.end(),
            [](const BatchEnd& a, const BatchEnd& b) { return a.batch < b.batch; });
        std::vector<BatchEnd> merged;
        for (const BatchEnd& end : m_ends)
            if (merged.empty() || merged.back().batch != end.batch)
                merged.push_back(end);
            else
                merged.back().time = std::max(merged.back().time, end.time);
        return merged;
    }

private:
    std::vector<BatchEnd> m_ends; // one for each stretch of spans of one batch
};

// Of one stage: from its second batch to the last before the drain.
double periodOf(const std::vector<const Span*>& spans)
{
    BatchEnds found;
    for (const Span* span : spans)
        found.add(*span);
    const std::vector<BatchEnd> ends = found.take();
    const std::size_t n = ends.size();
    if (n < 2)
        return n == 0 ? 0 : ends[0].time;
    // Too short a trace leaves nothing out.
    const BatchEnd &first = ends[n < 4 ? 0 : 1], &last = ends[n < 4 ? 1 : n - 2];
    return (last.time - first.time) / (last.batch - first.batch);
}

double steadyPeriod(const std::vector<std::vector<const Span*>>& perStage)
{
    double period = 0;
    for (const auto& spans : perStage)
        period = std::max(period, periodOf(spans));
    return period;
}

// Filling ends with the latest first start of a device, draining begins with the earliest last end.
void addEnds(const Trace& trace, TraceMetrics& metrics)
{
    constexpr double kNone = std::numeric_limits<double>::infinity();
    struct Lane {
        double first = kNone, last = -kNone;
    };
    std::vector<Lane> lanes(std::size_t(trace.devices));
    double begin = kNone, end = -kNone;
    for (const Span& span : trace.spans) {
        if (!isCompute(span.kind))
            continue;
        Lane& lane = lanes[std::size_t(span.device)];
        lane.first = std::min(lane.first, span.start);
        lane.last = std::max(lane.last, span.end);
        begin = std::min(begin, span.start);
        end = std::max(end, span.end);
    }
    for (const Lane& lane : lanes) {
        if (lane.first == kNone)
            continue;
        metrics.fill = std::max(metrics.fill, lane.first - begin);
        metrics.drain = std::max(metrics.drain, end - lane.last);
    }
}

} // namespace

double steadyPeriod(const Trace& trace)
{
    if (!trace.consistent())
        return 0;
    std::vector<std::vector<const Span*>> perStage(std::size_t(trace.stages));
    for (const Span& span : trace.spans)
        if (endsMicrobatch(span.kind))
            perStage[std::size_t(span.stage)].push_back(&span);
    return steadyPeriod(perStage);
}

TraceMetrics measure(const Trace& trace)
{
    TraceMetrics metrics = measure(trace, 0, std::numeric_limits<double>::infinity());
    if (metrics.stages.empty())
        return metrics;
    addEnds(trace, metrics);
    if (trace.stages < 2)
        return metrics;
    const Window window = steadyPart(trace);
    if (window.batches > 0)
        metrics.steadyBubbleFraction = measure(trace, window.begin, window.end).bubbleFraction;
    return metrics;
}

TraceMetrics measure(const Trace& trace, double begin, double end)
{
    TraceMetrics metrics;
    if (!trace.consistent())
        return metrics;
    std::vector<std::vector<const Span*>> perStage(std::size_t(trace.stages));
    std::vector<double> deviceBusy(std::size_t(trace.devices), 0);
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
        if (trace.devices > 0)
            stage.idle = metrics.makespan - deviceBusy[std::size_t(stage.device)];
        stage.peakStash = peakStash(perStage[s]);
        stage.peakVersions = perStage[s].empty() ? 0 : peakVersions(perStage[s]);
    }
    metrics.periodPerBatch = steadyPeriod(perStage);
    if (trace.microbatches > 0)
        metrics.periodPerMicrobatch = metrics.periodPerBatch / trace.microbatches;
    return metrics;
}

Window steadyWindow(const Trace& trace, int skip)
{
    BatchEnds found;
    for (const Span& span : trace.spans)
        found.add(span);
    const std::vector<BatchEnd> ends = found.take();
    Window window;
    const int batches = int(ends.size());
    if (skip < 0 || batches <= skip + 1)
        return window;
    if (skip > 0)
        window.begin = ends[std::size_t(skip - 1)].time;
    else
        for (const Span& span : trace.spans) // nothing skipped: from the first start
            window.begin
                = &span == &trace.spans.front() ? span.start : std::min(window.begin, span.start);
    window.end = ends[std::size_t(batches - 2)].time;
    window.batches = batches - 1 - skip;
    return window;
}

Window steadyPart(const Trace& trace)
{
    const Window window = steadyWindow(trace);
    return window.batches > 0 ? window : steadyWindow(trace, 1);
}

} // namespace stageloom
