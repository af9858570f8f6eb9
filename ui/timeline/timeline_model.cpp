// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_model.h"

#include <algorithm>

namespace stageloom {

TimelineModel::TimelineModel()
{
    for (auto& side : m_sides)
        side = std::make_shared<TimelineSide>();
}

void TimelineModel::setTrace(TraceSide which, Trace trace)
{
    setSide(which, std::make_shared<TimelineSide>(std::move(trace)));
}

void TimelineModel::setSide(TraceSide which, std::shared_ptr<TimelineSide> built)
{
    m_sides[static_cast<std::size_t>(which)] = std::move(built);
}

void TimelineModel::append(const std::vector<Span>& spans)
{
    m_sides[static_cast<std::size_t>(TraceSide::Run)]->append(spans);
}

int TimelineModel::devices() const
{
    return std::max(trace(TraceSide::Plan).devices, trace(TraceSide::Run).devices);
}

bool TimelineModel::seconds() const
{
    return trace(has(TraceSide::Plan) ? TraceSide::Plan : TraceSide::Run).timeUnit == "s";
}

TimeRange TimelineModel::extent() const
{
    TimeRange all;
    for (const auto& one : m_sides)
        if (const TimeRange range = one->extent(); !one->empty())
            all = all.empty()
                ? range
                : TimeRange { std::min(all.begin, range.begin), std::max(all.end, range.end) };
    return all;
}

int TimelineModel::stashAt(SpanRef ref) const
{
    const Span& asked = span(ref);
    const SpanTable& table = side(ref.side).table();
    const auto before = [&](ActionKind kind) {
        return static_cast<int>(
            table.startedBefore(trace(ref.side).spans, asked.stage, kind, asked.start));
    };
    return before(ActionKind::Forward) - before(ActionKind::Backward)
        - before(ActionKind::BackwardInput) + (asked.kind == ActionKind::Forward ? 1 : 0);
}

int TimelineModel::mostStashes(TraceSide which, int stage) const
{
    return side(which).mostInFlight(stage);
}

std::vector<SpanRef> TimelineModel::microbatch(TraceSide which, int microbatch) const
{
    std::vector<SpanRef> result;
    const SpanTable& table = side(which).table();
    for (int stage = 0; stage < table.stages(); ++stage)
        for (std::size_t k = 0; k < kActionKinds; ++k)
            if (const auto kind = static_cast<ActionKind>(k); isCompute(kind))
                for (const auto index : table.find(trace(which).spans, stage, kind, microbatch))
                    result.push_back({ which, index });
    std::ranges::sort(
        result, {}, [&](const SpanRef& r) { return std::pair(span(r).start, span(r).end); });
    return result;
}

std::optional<SpanRef> TimelineModel::input(SpanRef ref) const
{
    const auto& spans = trace(ref.side).spans;
    const Span* made = side(ref.side).table().inputOf(spans, span(ref));
    return made ? std::optional(SpanRef { ref.side, static_cast<std::uint32_t>(made - &spans[0]) })
                : std::nullopt;
}

std::optional<SpanRef> TimelineModel::planned(SpanRef run) const
{
    const Span& asked = span(run);
    const auto same
        = [&](const Span& s) { return s.batch == asked.batch && s.chunk == asked.chunk; };
    const auto named = [&](TraceSide which) {
        return side(which).table().find(
            trace(which).spans, asked.stage, asked.kind, asked.microbatch);
    };
    // A second span of one name (a send of either direction) meets the second planned one.
    std::size_t rank = 0;
    for (const std::uint32_t index : named(TraceSide::Run)) {
        if (index == run.index)
            break;
        rank += same(trace(TraceSide::Run).spans[index]) ? 1 : 0;
    }
    for (const std::uint32_t index : named(TraceSide::Plan))
        if (same(trace(TraceSide::Plan).spans[index]) && rank-- == 0)
            return SpanRef { TraceSide::Plan, index };
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
