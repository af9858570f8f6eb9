// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/idle_causes.h"

#include <algorithm>
#include <unordered_map>

namespace stageloom {

namespace {

// Which span made what: (microbatch, stage, direction) -> position.
using Producers = std::unordered_map<std::uint64_t, std::uint32_t>;

bool makesGradient(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardInput;
}

std::uint64_t producerKey(int microbatch, int stage, bool gradient)
{
    return (static_cast<std::uint64_t>(microbatch) << 24)
        | (static_cast<std::uint64_t>(stage & 0x7FFF) << 1) | (gradient ? 1U : 0U);
}

Producers producers(const std::vector<Span>& spans)
{
    Producers made;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (spans[i].kind == ActionKind::Forward || makesGradient(spans[i].kind))
            made[producerKey(spans[i].microbatch, spans[i].stage, makesGradient(spans[i].kind))]
                = static_cast<std::uint32_t>(i);
    return made;
}

const Span* inputOf(const Span& s, const std::vector<Span>& spans, const Producers& made)
{
    const bool gradient = makesGradient(s.kind);
    if (s.kind != ActionKind::Forward && !gradient)
        return nullptr;
    const int from = s.stage + (gradient ? 1 : -1);
    const auto at = from < 0 ? made.end() : made.find(producerKey(s.microbatch, from, gradient));
    return at == made.end() ? nullptr : &spans[at->second];
}

// The wait before `next`, in at most two parts.
void explain(std::vector<IdleGap>& gaps, int device, const TimeRange& gap, const Span& next,
    const Span* input)
{
    if (next.kind == ActionKind::Update) {
        gaps.push_back({ device, gap, IdleCause::Optimizer });
        return;
    }
    if (!input) {
        gaps.push_back({ device, gap, IdleCause::Other });
        return;
    }
    const double ready = std::clamp(input->end, gap.begin, gap.end);
    if (ready > gap.begin)
        gaps.push_back({ device, { gap.begin, ready }, IdleCause::Imbalance });
    if (ready < gap.end)
        gaps.push_back({ device, { ready, gap.end },
            input->device != device ? IdleCause::Link : IdleCause::Other });
}

} // namespace

std::vector<IdleGap> idleGaps(const TimelineModel& model, TraceSide side)
{
    std::vector<IdleGap> gaps;
    const Trace& trace = model.trace(side);
    if (trace.spans.empty())
        return gaps;
    const Producers made = producers(trace.spans);
    double begin = trace.spans.front().start, end = trace.spans.front().end;
    for (const Span& s : trace.spans) {
        begin = std::min(begin, s.start);
        end = std::max(end, s.end);
    }
    const double least = (end - begin) * 1e-9; // rounding, not a wait
    for (int device = 0; device < trace.devices; ++device) {
        const SpanIndex& lane = model.compute(side, device);
        double busyUntil = begin;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const Span& s = trace.spans[lane.reference(i)];
            const TimeRange gap { busyUntil, s.start };
            if (gap.length() > least) {
                if (i == 0)
                    gaps.push_back({ device, gap, IdleCause::Fill });
                else
                    explain(gaps, device, gap, s, inputOf(s, trace.spans, made));
            }
            busyUntil = std::max(busyUntil, s.end);
        }
        if (end - busyUntil > least)
            gaps.push_back({ device, { busyUntil, end }, IdleCause::Drain });
    }
    return gaps;
}

std::array<double, 7> idleShares(const TimelineModel& model, const std::vector<IdleGap>& gaps)
{
    std::array<double, 7> shares {};
    const double all = model.extent().length() * model.devices();
    if (all > 0)
        for (const IdleGap& gap : gaps)
            shares[static_cast<std::size_t>(gap.cause)] += gap.range.length() / all;
    return shares;
}

} // namespace stageloom
