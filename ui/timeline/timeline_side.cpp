// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_side.h"

#include "ui/timeline/parallel.h"
#include <algorithm>

namespace stageloom {

namespace {

bool inComputeLane(const Span& s)
{
    return isCompute(s.kind) || s.kind == ActionKind::Update;
}

std::size_t deviceOf(const Span& s)
{
    return static_cast<std::size_t>(std::max<int>(0, s.device));
}

} // namespace

TimelineSide::TimelineSide(Trace trace, const TraceFrame& frame)
    : m_trace(std::move(trace))
    , m_frame(frame)
{
    for (const auto& samples : m_trace.memory)
        m_memory.emplace_back(samples);
    if (!m_trace.spans.empty())
        takeSpans();
}

void TimelineSide::takeSpans()
{
    const auto& spans = m_trace.spans;
    m_whole = { spans.front().start, spans.front().end };
    m_firstBatch = m_lastBatch = spans.front().batch;
    auto devices = static_cast<std::size_t>(std::max(0, m_trace.devices));
    for (const Span& s : spans)
        devices = std::max(devices, deviceOf(s) + 1);
    m_lanes.resize(devices);
    m_trace.devices = static_cast<int>(devices);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Span& s = spans[i];
        m_trace.stages = std::max(m_trace.stages, s.stage + 1);
        m_whole.begin = std::min(m_whole.begin, s.start);
        m_whole.end = std::max(m_whole.end, s.end);
        m_kinds.set(static_cast<std::size_t>(s.kind));
        m_firstBatch = std::min(m_firstBatch, s.batch);
        m_lastBatch = std::max(m_lastBatch, s.batch);
        noteVersion(s);
        countInFlight(s);
        const auto reference = static_cast<std::uint32_t>(i);
        m_table.add(s, reference);
        Lane& lane = m_lanes[deviceOf(s)];
        lane.movesInTime = lane.movesInTime || (!inComputeLane(s) && s.end > s.start);
        (inComputeLane(s) ? lane.compute : lane.transfers).add(reference);
    }
    m_table.finish(spans);
    m_phases = PipelinePhases(m_trace, m_frame.ends);
    forEachOf(m_lanes, spans.size(), [this](Lane& lane) {
        lane.transfers.finish(m_trace.spans);
        lane.moved.build(transferView(lane));
        lane.compute.finish(m_trace.spans);
        lane.totals.build(view(lane));
    });
    buildVersions();
}

std::optional<double> TimelineSide::batchStart(int batch, int microbatches) const
{
    const auto first = m_table.find(m_trace.spans, 0, ActionKind::Forward, batch * microbatches);
    return first.empty() ? std::nullopt : std::optional(m_trace.spans[first.front()].start);
}

std::optional<double> TimelineSide::batchEnd(int batch) const
{
    using enum ActionKind;
    const int m = std::max(1, m_trace.microbatches);
    std::optional<double> end;
    const auto take = [&](int stage, ActionKind kind, int number) {
        for (const std::uint32_t at : m_table.find(m_trace.spans, stage, kind, number))
            if (const Span& s = m_trace.spans[at]; s.batch == batch)
                end = std::max(end.value_or(s.end), s.end);
    };
    for (int stage = 0; stage < m_table.stages(); ++stage) {
        for (const ActionKind kind : { Backward, BackwardInput, BackwardWeight })
            for (const int number : { batch * m, batch * m + m - 1 })
                take(stage, kind, number);
        take(stage, Update, batch);
    }
    return end;
}

void TimelineSide::countInFlight(const Span& s)
{
    const auto stage = static_cast<std::size_t>(std::max<int>(0, s.stage));
    if (stage >= m_inFlight.size())
        m_inFlight.resize(stage + 1);
    const int by = s.kind == ActionKind::Forward ? 1 : isGradient(s.kind) ? -1 : 0;
    InFlight& of = m_inFlight[stage];
    if (by == 0)
        return;
    of.inOrder = of.inOrder && s.start >= of.lastStart;
    of.lastStart = s.start;
    of.most = std::max(of.most, of.now += by);
}

int TimelineSide::mostInFlight(int stage) const
{
    const auto at = static_cast<std::size_t>(stage);
    if (stage < 0 || at >= m_inFlight.size())
        return 0;
    return m_inFlight[at].inOrder ? m_inFlight[at].most
                                  : m_table.mostInFlight(m_trace.spans, stage);
}

void TimelineSide::noteVersion(const Span& s)
{
    if (s.version < 0)
        return;
    if (s.kind == ActionKind::Update) {
        auto [at, fresh] = m_updated.try_emplace(s.version, s.end);
        at->second = std::max(at->second, s.end);
    } else if (s.kind == ActionKind::Forward && s.stage == 0) {
        auto [at, fresh] = m_firstRead.try_emplace(s.version, s.start);
        at->second = std::min(at->second, s.start);
    }
}

// A version counts from the moment that its last stage has it. Traces without updates show the
// version that the forwards of the first stage read.
void TimelineSide::buildVersions()
{
    auto since = m_updated.empty() ? m_firstRead : m_updated;
    m_versions.clear();
    if (since.empty())
        return;
    if (since.begin()->second > m_whole.begin && since.begin()->first > 0)
        since.try_emplace(since.begin()->first - 1, m_whole.begin);
    m_versions.reserve(since.size());
    for (const auto& [version, time] : since) {
        if (!m_versions.empty())
            m_versions.back().range.end = std::max(m_versions.back().range.begin, time);
        m_versions.push_back({ { time, m_whole.end }, version });
    }
}

const TimelineSide::Lane* TimelineSide::laneOf(int device) const
{
    const auto at = static_cast<std::size_t>(device);
    return device >= 0 && at < m_lanes.size() ? &m_lanes[at] : nullptr;
}

const SpanIndex& TimelineSide::compute(int device) const
{
    static const SpanIndex none;
    const Lane* lane = laneOf(device);
    return lane ? lane->compute : none;
}

const SpanIndex& TimelineSide::transfers(int device) const
{
    static const SpanIndex none;
    const Lane* lane = laneOf(device);
    return lane ? lane->transfers : none;
}

bool TimelineSide::hasTransfers(int device) const
{
    const Lane* lane = laneOf(device);
    return lane && lane->movesInTime;
}

bool TimelineSide::hasTransfers() const
{
    return std::ranges::any_of(m_lanes, &Lane::movesInTime);
}

LaneSums TimelineSide::sums(int device, const TimeRange& range) const
{
    const Lane* lane = laneOf(device);
    return lane ? lane->totals.sums(view(*lane), range) : LaneSums {};
}

LaneSums TimelineSide::transferSums(int device, const TimeRange& range) const
{
    const Lane* lane = laneOf(device);
    return lane ? lane->moved.sums(transferView(*lane), range) : LaneSums {};
}

void TimelineSide::visitGaps(int device, const TimeRange& range, double shortest,
    const std::function<void(const TimeRange&, IdleCause)>& visit) const
{
    if (const Lane* lane = laneOf(device))
        lane->totals.visitGaps(view(*lane), range, shortest, visit);
}

} // namespace stageloom
