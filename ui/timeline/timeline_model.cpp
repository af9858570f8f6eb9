// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_model.h"

#include <algorithm>
#include <utility>

namespace stageloom {

TimelineModel::TimelineModel()
{
    for (auto& side : m_sides)
        side = std::make_shared<TimelineSide>();
}

void TimelineModel::setTrace(TraceSide which, Trace trace, const TraceFrame& frame)
{
    setSide(which, std::make_shared<TimelineSide>(std::move(trace), frame));
}

std::shared_ptr<TimelineSide> TimelineModel::setSide(
    TraceSide which, std::shared_ptr<TimelineSide> built)
{
    return std::exchange(m_sides[static_cast<std::size_t>(which)], std::move(built));
}

int TimelineModel::devices() const
{
    return std::max(trace(TraceSide::Plan).devices, trace(TraceSide::Run).devices);
}

bool TimelineModel::seconds() const
{
    return trace(has(TraceSide::Plan) ? TraceSide::Plan : TraceSide::Run).timeUnit == "s";
}

TimeRange TimelineModel::extent(bool withPinned) const
{
    TimeRange all;
    for (const TraceSide which : { TraceSide::Plan, TraceSide::Run, TraceSide::Pinned })
        if (has(which) && (withPinned || which != TraceSide::Pinned)) {
            const TimeRange range = side(which).extent();
            all = all.empty()
                ? range
                : TimeRange { std::min(all.begin, range.begin), std::max(all.end, range.end) };
        }
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

namespace {

int batches(const TimelineSide& side)
{
    return side.lastBatch() - side.firstBatch() + 1;
}

// When the plan's first batch would start if no fill came before it: as the later ones follow.
std::optional<double> steadyStart(const TimelineSide& plan, int m)
{
    const int middle = (plan.firstBatch() + plan.lastBatch()) / 2;
    const auto first = plan.batchStart(plan.firstBatch(), m), at = plan.batchStart(middle, m),
               last = plan.batchStart(plan.lastBatch(), m);
    if (middle == plan.lastBatch() || !at || !last)
        return first;
    return *at - (middle - plan.firstBatch()) * (*last - *at) / (plan.lastBatch() - middle);
}

// Batches of one trace under their numbers in another, and microbatches with them.
struct Renaming {
    int batch, fromMicrobatches, toMicrobatches;
    [[nodiscard]] std::optional<int> number(const Span& asked) const
    {
        if (!carriesMicrobatch(asked.kind))
            return asked.microbatch + batch - asked.batch;
        const int within = asked.microbatch - asked.batch * fromMicrobatches;
        return fromMicrobatches != toMicrobatches && within >= toMicrobatches
            ? std::nullopt
            : std::optional(batch * toMicrobatches + within);
    }
};

// One schedule's whole backward is another's backward for the input.
ActionKind otherGradient(ActionKind kind)
{
    return kind == ActionKind::Backward     ? ActionKind::BackwardInput
        : kind == ActionKind::BackwardInput ? ActionKind::Backward
                                            : kind;
}

} // namespace

std::optional<TimelineModel::Partner> TimelineModel::partner(SpanRef ref, TraceSide in) const
{
    const TimelineSide &mine = side(ref.side), &other = side(in);
    if (other.empty() || in == ref.side)
        return std::nullopt;
    const Span& asked = span(ref);
    const bool exact = asked.batch >= other.firstBatch() && asked.batch <= other.lastBatch();
    const bool repeats = ref.side == TraceSide::Run && in == TraceSide::Plan;
    if (!exact && !repeats)
        return std::nullopt;
    const int length = batches(other), offset = asked.batch - other.firstBatch();
    const int batch = other.firstBatch() + ((offset % length) + length) % length;
    // A second span of one name (a send of either direction) meets the second one there.
    std::size_t rank = 0;
    for (const std::uint32_t index :
        mine.table().find(mine.trace().spans, asked.stage, asked.kind, asked.microbatch)) {
        if (index == ref.index)
            break;
        const Span& s = mine.trace().spans[index];
        rank += s.batch == asked.batch && s.chunk == asked.chunk ? 1 : 0;
    }
    const int m = std::max(1, other.trace().microbatches);
    const bool plans = ref.side != TraceSide::Run && in != TraceSide::Run;
    const Renaming renaming { batch, plans ? std::max(1, mine.trace().microbatches) : m, m };
    const std::optional<int> number = renaming.number(asked);
    if (!number)
        return std::nullopt;
    const auto at = [&](ActionKind kind) -> std::optional<Partner> {
        for (const std::uint32_t index :
            other.table().find(other.trace().spans, asked.stage, kind, *number)) {
            const Span& s = other.trace().spans[index];
            if (s.batch == batch && s.chunk == asked.chunk && rank-- == 0)
                return Partner { { in, index }, exact };
        }
        return std::nullopt;
    };
    const auto found = at(asked.kind);
    return found || !plans ? found : at(otherGradient(asked.kind));
}

Trace moved(Trace trace, int byBatches, double byTime)
{
    for (Span& s : trace.spans) {
        s.microbatch += carriesMicrobatch(s.kind) ? byBatches * trace.microbatches : byBatches;
        s.batch += byBatches;
        if (s.version >= 0)
            s.version += byBatches;
        s.start += byTime;
        s.end += byTime;
    }
    for (auto& device : trace.memory)
        for (auto& sample : device)
            sample.time += byTime;
    return trace;
}

Trace movedTo(Trace trace, int batch, double origin)
{
    if (trace.spans.empty())
        return trace;
    const double start = std::ranges::min_element(trace.spans, {}, &Span::start)->start;
    const int first = std::ranges::min_element(trace.spans, {}, &Span::batch)->batch;
    return moved(std::move(trace), batch - first, origin - start);
}

std::optional<Trace> alignedWith(const TimelineSide& plan, const TimelineSide& run, int batch)
{
    if (plan.empty() || batch <= plan.lastBatch())
        return std::nullopt;
    const int length = batches(plan), m = std::max(1, plan.trace().microbatches);
    const int by = (batch - plan.lastBatch() + length - 1) / length * length;
    const auto planned = steadyStart(plan, m);
    const auto measured = run.batchStart(plan.firstBatch() + by, m);
    if (!planned || !measured)
        return std::nullopt;
    return moved(plan.trace(), by, *measured - *planned);
}

} // namespace stageloom
