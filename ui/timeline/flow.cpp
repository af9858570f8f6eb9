// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/flow.h"

#include <algorithm>

namespace stageloom {

namespace {

// The first span of that name.
std::optional<SpanRef> named(
    const TimelineModel& model, TraceSide side, int stage, ActionKind kind, int microbatch)
{
    const auto found
        = model.side(side).table().find(model.trace(side).spans, stage, kind, microbatch);
    return found.empty() ? std::nullopt : std::optional(SpanRef { side, found.front() });
}

std::optional<SpanRef> gradientOf(const TimelineModel& model, SpanRef ref)
{
    const Span& s = model.span(ref);
    for (const ActionKind kind : { ActionKind::Backward, ActionKind::BackwardInput })
        if (const auto found = named(model, ref.side, s.stage, kind, s.microbatch))
            return found;
    return std::nullopt;
}

bool isOnTheWay(ActionKind kind)
{
    return kind == ActionKind::Forward || isGradient(kind);
}

} // namespace

std::optional<SpanRef> flowOrigin(const TimelineModel& model, SpanRef ref)
{
    const Span& s = model.span(ref);
    if (const auto input = model.input(ref))
        return input;
    return isGradient(s.kind) ? named(model, ref.side, s.stage, ActionKind::Forward, s.microbatch)
                              : std::nullopt;
}

std::optional<SpanRef> producerOf(const TimelineModel& model, SpanRef ref)
{
    const Span& s = model.span(ref);
    if (!carriesMicrobatch(s.kind))
        return std::nullopt;
    if (isOnTheWay(s.kind))
        return flowOrigin(model, ref);
    std::optional<SpanRef> last;
    for (const SpanRef other : model.microbatch(ref.side, s.microbatch))
        if (const Span& o = model.span(other); other != ref && o.start < s.start)
            last = other;
    return last;
}

std::optional<SpanRef> userOf(const TimelineModel& model, SpanRef ref)
{
    const Span& s = model.span(ref);
    if (!carriesMicrobatch(s.kind))
        return std::nullopt;
    if (isOnTheWay(s.kind)) {
        const auto users = model.side(ref.side).table().consumersOf(model.trace(ref.side).spans, s);
        if (!users.empty())
            return SpanRef { ref.side, users.front() };
        return s.kind == ActionKind::Forward
            ? gradientOf(model, ref)
            : named(model, ref.side, s.stage, ActionKind::BackwardWeight, s.microbatch);
    }
    for (const SpanRef other : model.microbatch(ref.side, s.microbatch))
        if (other != ref && model.span(other).start > s.start)
            return other;
    return std::nullopt;
}

} // namespace stageloom
