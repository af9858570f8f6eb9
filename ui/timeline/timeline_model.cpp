// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_model.h"

#include <algorithm>
#include <limits>

namespace stageloom {

namespace {

const SpanIndex& lane(const std::vector<SpanIndex>& lanes, int device)
{
    static const SpanIndex none;
    const auto at = static_cast<std::size_t>(device);
    return device >= 0 && at < lanes.size() ? lanes[at] : none;
}

bool isBackward(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardInput;
}

} // namespace

void TimelineModel::setTrace(TraceSide which, Trace trace)
{
    Side& side = m_sides[static_cast<std::size_t>(which)];
    side = {};
    side.trace = std::move(trace);
    side.begin = std::numeric_limits<double>::infinity();
    side.end = -side.begin;
    index(side, 0);
    buildVersions(side);
}

void TimelineModel::append(const std::vector<Span>& spans)
{
    Side& side = m_sides[static_cast<std::size_t>(TraceSide::Run)];
    if (side.trace.spans.empty()) {
        side.begin = std::numeric_limits<double>::infinity();
        side.end = -side.begin;
        if (side.trace.timeUnit.empty())
            side.trace.timeUnit.assign(1, 's');
    }
    const std::size_t from = side.trace.spans.size();
    side.trace.spans.insert(side.trace.spans.end(), spans.begin(), spans.end());
    index(side, from);
    buildVersions(side);
}

void TimelineModel::index(Side& side, std::size_t from)
{
    Trace& trace = side.trace;
    for (std::size_t i = from; i < trace.spans.size(); ++i) {
        const Span& s = trace.spans[i];
        trace.devices = std::max(trace.devices, s.device + 1);
        trace.stages = std::max(trace.stages, s.stage + 1);
        side.begin = std::min(side.begin, s.start);
        side.end = std::max(side.end, s.end);
        if (s.version >= 0 && s.kind == ActionKind::Update) {
            auto [at, fresh] = side.updated.try_emplace(s.version, s.end);
            at->second = std::max(at->second, s.end);
        } else if (s.version >= 0 && s.kind == ActionKind::Forward && s.stage == 0) {
            auto [at, fresh] = side.firstRead.try_emplace(s.version, s.start);
            at->second = std::min(at->second, s.start);
        }
        auto& lanes
            = isCompute(s.kind) || s.kind == ActionKind::Update ? side.compute : side.transfers;
        const auto device = static_cast<std::size_t>(std::max<int>(0, s.device));
        if (lanes.size() <= device)
            lanes.resize(device + 1);
        lanes[device].add(trace.spans, static_cast<std::uint32_t>(i));
    }
    for (auto* lanes : { &side.compute, &side.transfers })
        for (SpanIndex& one : *lanes)
            one.finish(trace.spans);
}

// A version counts from the moment that its last stage has it. Traces without updates show the
// version that the forwards of the first stage read.
void TimelineModel::buildVersions(Side& side)
{
    auto since = side.updated.empty() ? side.firstRead : side.updated;
    side.versions.clear();
    if (since.empty())
        return;
    if (since.begin()->second > side.begin && since.begin()->first > 0)
        since.try_emplace(since.begin()->first - 1, side.begin);
    for (const auto& [version, time] : since) {
        if (!side.versions.empty())
            side.versions.back().range.end = std::max(side.versions.back().range.begin, time);
        side.versions.push_back({ { time, side.end }, version });
    }
}

const SpanIndex& TimelineModel::compute(TraceSide side, int device) const
{
    return lane(at(side).compute, device);
}

const SpanIndex& TimelineModel::transfers(TraceSide side, int device) const
{
    return lane(at(side).transfers, device);
}

const std::vector<VersionSegment>& TimelineModel::versions(TraceSide side) const
{
    return at(side).versions;
}

int TimelineModel::devices() const
{
    return std::max(m_sides[0].trace.devices, m_sides[1].trace.devices);
}

bool TimelineModel::seconds() const
{
    const TraceSide side = has(TraceSide::Plan) ? TraceSide::Plan : TraceSide::Run;
    return trace(side).timeUnit == "s";
}

TimeRange TimelineModel::extent() const
{
    TimeRange all;
    for (const Side& side : m_sides)
        if (!side.trace.spans.empty())
            all = all.empty()
                ? TimeRange { side.begin, side.end }
                : TimeRange { std::min(all.begin, side.begin), std::max(all.end, side.end) };
    return all;
}

int TimelineModel::stashAt(SpanRef ref) const
{
    const Span& asked = span(ref);
    const SpanIndex& index = compute(ref.side, asked.device);
    const auto& spans = trace(ref.side).spans;
    const std::size_t to = index.firstStartingAt(spans, asked.start);
    int inFlight = asked.kind == ActionKind::Forward ? 1 : 0;
    for (std::size_t i = 0; i < to; ++i) {
        const Span& s = spans[index.reference(i)];
        if (s.stage == asked.stage)
            inFlight += s.kind == ActionKind::Forward ? 1 : isBackward(s.kind) ? -1 : 0;
    }
    return inFlight;
}

std::vector<SpanRef> TimelineModel::microbatch(TraceSide side, int microbatch) const
{
    std::vector<SpanRef> result;
    const auto& spans = trace(side).spans;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (spans[i].microbatch == microbatch && isCompute(spans[i].kind))
            result.push_back({ side, static_cast<std::uint32_t>(i) });
    std::ranges::sort(
        result, {}, [&](const SpanRef& r) { return std::pair(span(r).start, span(r).end); });
    return result;
}

std::optional<SpanRef> TimelineModel::input(SpanRef ref) const
{
    const Span& asked = span(ref);
    const bool forward = asked.kind == ActionKind::Forward;
    if (!forward && !isBackward(asked.kind))
        return std::nullopt;
    const int from = asked.stage + (forward ? -1 : 1);
    const auto& spans = trace(ref.side).spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Span& s = spans[i];
        const bool sameWay = forward ? s.kind == ActionKind::Forward : isBackward(s.kind);
        if (s.microbatch == asked.microbatch && s.stage == from && sameWay)
            return SpanRef { ref.side, static_cast<std::uint32_t>(i) };
    }
    return std::nullopt;
}

Trace movedTo(Trace trace, int batch, double origin)
{
    if (trace.spans.empty())
        return trace;
    const double start = std::ranges::min_element(trace.spans, {}, &Span::start)->start;
    const int first = std::ranges::min_element(trace.spans, {}, &Span::batch)->batch;
    for (Span& s : trace.spans) {
        const int by = batch - first;
        s.microbatch += carriesMicrobatch(s.kind) ? by * trace.microbatches : by;
        s.batch += by;
        if (s.version >= 0)
            s.version += by;
        s.start += origin - start;
        s.end += origin - start;
    }
    for (auto& device : trace.memory)
        for (auto& sample : device)
            sample.time += origin - start;
    return trace;
}

} // namespace stageloom
