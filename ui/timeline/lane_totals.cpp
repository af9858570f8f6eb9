// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_totals.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

// Shorter is rounding of the clock and not a wait.
bool isGap(const TimeRange& gap)
{
    return gap.length() > 1e-9 * std::max(1e-6, std::fabs(gap.end));
}

// The wait before `next`, in at most two parts.
template <typename Visit>
void explain(const LaneTotals::Lane& lane, const TimeRange& gap, const Span& next, Visit visit)
{
    if (next.kind == ActionKind::Update)
        return visit(gap, IdleCause::Optimizer);
    const Span* input = lane.table.inputOf(lane.spans, next);
    if (!input)
        return visit(gap, IdleCause::Other);
    const double ready = std::clamp(input->end, gap.begin, gap.end);
    if (ready > gap.begin)
        visit({ gap.begin, ready }, IdleCause::Imbalance);
    if (ready < gap.end)
        visit(
            { ready, gap.end }, input->device != next.device ? IdleCause::Link : IdleCause::Other);
}

// Calls `onSpan` and `onGap` for the spans of [from, to) and the gaps before them.
template <typename OnSpan, typename OnGap>
void walk(const LaneTotals::Lane& lane, std::size_t from, std::size_t to, double busyUntil,
    OnSpan onSpan, OnGap onGap)
{
    for (std::size_t i = from; i < to; ++i) {
        const Span& s = lane.spans[lane.index.reference(i)];
        const TimeRange gap { busyUntil, s.start };
        if (i > 0 && isGap(gap))
            explain(lane, gap, s, onGap);
        onSpan(s);
        busyUntil = std::max(busyUntil, s.end);
    }
}

double inside(double begin, double end, const TimeRange& range)
{
    return std::min(end, range.end) - std::max(begin, range.begin);
}

} // namespace

void LaneSums::add(const LaneSums& other)
{
    for (std::size_t k = 0; k < kActionKinds; ++k) {
        time[k] += other.time[k];
        count[k] += other.count[k];
    }
    for (std::size_t c = 0; c < kIdleCauses; ++c)
        idle[c] += other.idle[c];
}

double LaneSums::busy() const
{
    double all = 0;
    for (std::size_t k = 0; k < kActionKinds; ++k)
        if (isCompute(static_cast<ActionKind>(k)))
            all += time[k];
    return all;
}

double LaneTotals::busyBefore(const Lane& lane, std::size_t block) const
{
    return block > 0         ? m_blocks[block - 1].busyUntil
        : lane.index.empty() ? 0
                             : lane.spans[lane.index.reference(0)].start;
}

LaneTotals::Block LaneTotals::sumsOf(const Lane& lane, std::size_t block) const
{
    Block fresh;
    fresh.busyUntil = busyBefore(lane, block);
    const std::size_t from = block * kBlock, to = std::min(from + kBlock, lane.index.size());
    walk(
        lane, from, to, fresh.busyUntil,
        [&](const Span& s) {
            fresh.sums.time[static_cast<std::size_t>(s.kind)] += s.end - s.start;
            ++fresh.sums.count[static_cast<std::size_t>(s.kind)];
            fresh.busyUntil = std::max(fresh.busyUntil, s.end);
        },
        [&](const TimeRange& gap, IdleCause cause) {
            fresh.sums.idle[static_cast<std::size_t>(cause)] += gap.length();
            fresh.longestGap = std::max(fresh.longestGap, gap.length());
        });
    return fresh;
}

void LaneTotals::build(const Lane& lane)
{
    m_blocks.clear();
    m_blocks.reserve((lane.index.size() + kBlock - 1) / kBlock);
    while (m_blocks.size() * kBlock < lane.index.size())
        m_blocks.push_back(sumsOf(lane, m_blocks.size()));
}

LaneSums LaneTotals::sums(const Lane& lane, const TimeRange& range) const
{
    LaneSums all;
    const std::size_t first = lane.index.firstEndingAfter(lane.spans, range.begin);
    const std::size_t end = lane.index.firstStartingAt(lane.spans, range.end);
    const auto walkPart = [&](std::size_t from, std::size_t to) {
        if (from >= to)
            return;
        // Blocks know the busy time before them; a walk starts at a block's edge.
        const std::size_t block = from / kBlock;
        walk(
            lane, block * kBlock, to, busyBefore(lane, block),
            [&](const Span& s) {
                const double part = inside(s.start, s.end, range);
                if (part < 0 || (part == 0 && s.end > s.start))
                    return;
                all.time[static_cast<std::size_t>(s.kind)] += part;
                ++all.count[static_cast<std::size_t>(s.kind)];
            },
            [&](const TimeRange& gap, IdleCause cause) {
                const double part = inside(gap.begin, gap.end, range);
                all.idle[static_cast<std::size_t>(cause)] += std::max(0.0, part);
            });
    };
    // Whole blocks in the middle; the first and the last are walked. One span more than `end`: the
    // gap before it may begin inside.
    const std::size_t last = std::min(end + 1, lane.index.size());
    const std::size_t wholeFrom = first / kBlock + 1, wholeTo = end / kBlock;
    if (wholeFrom >= wholeTo) {
        walkPart(first, last);
        return all;
    }
    walkPart(first, wholeFrom * kBlock);
    // Where spans overlap, even a block in the middle may reach out of the range.
    for (std::size_t block = wholeFrom; block < wholeTo; ++block)
        if (m_blocks[block].busyUntil <= range.end
            && lane.spans[lane.index.reference(block * kBlock)].start >= range.begin)
            all.add(m_blocks[block].sums);
        else
            walkPart(block * kBlock, (block + 1) * kBlock);
    walkPart(wholeTo * kBlock, last);
    return all;
}

void LaneTotals::visitGaps(const Lane& lane, const TimeRange& range, double shortest,
    const std::function<void(const TimeRange&, IdleCause)>& visit) const
{
    const std::size_t first = lane.index.firstEndingAfter(lane.spans, range.begin);
    const std::size_t end
        = std::min(lane.index.size(), lane.index.firstStartingAt(lane.spans, range.end) + 1);
    for (std::size_t block = first / kBlock; block * kBlock < end; ++block) {
        if (m_blocks[block].longestGap < shortest)
            continue;
        walk(
            lane, block * kBlock, std::min((block + 1) * kBlock, end), busyBefore(lane, block),
            [](const Span&) {},
            [&](const TimeRange& gap, IdleCause cause) {
                if (gap.length() >= shortest && gap.end > range.begin && gap.begin < range.end)
                    visit(gap, cause);
            });
    }
}

} // namespace stageloom
