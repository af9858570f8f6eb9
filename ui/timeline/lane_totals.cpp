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

// The wait before `next` (null: nothing follows), in parts.
template <typename Visit>
void explain(const LaneTotals::Lane& lane, const TimeRange& gap, const Span* next, Visit visit)
{
    if (!lane.phases || !isGap(gap))
        return;
    const Span* input = next ? lane.table.inputOf(lane.spans, *next) : nullptr;
    lane.phases->explain({ lane.device, gap.begin, gap.end, next, input, gap.end },
        [&](double from, double to, IdleCause cause) {
            visit(TimeRange { from, to }, cause);
        });
}

// Calls `onSpan` and `onGap` for the spans of [from, to) and the gaps before them.
template <typename OnSpan, typename OnGap>
void walk(const LaneTotals::Lane& lane, std::size_t from, std::size_t to, double busyUntil,
    OnSpan onSpan, OnGap onGap)
{
    for (std::size_t i = from; i < to; ++i) {
        const Span& s = lane.spans[lane.index.reference(i)];
        explain(lane, { busyUntil, s.start }, &s, onGap);
        onSpan(s);
        busyUntil = std::max(busyUntil, s.end);
    }
}

void count(LaneSums& sums, const LaneTotals::Lane& lane, const Span& span, double time)
{
    sums.time[static_cast<std::size_t>(span.kind)] += time;
    ++sums.count[static_cast<std::size_t>(span.kind)];
    if (lane.phases && span.kind == ActionKind::Update)
        sums.idle[static_cast<std::size_t>(IdleCause::Optimizer)] += time;
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
    return block > 0 ? m_blocks[block - 1].busyUntil : lane.whole.begin;
}

TimeRange LaneTotals::tail(const Lane& lane) const
{
    return { m_blocks.empty() ? lane.whole.begin : m_blocks.back().busyUntil, lane.whole.end };
}

LaneTotals::Block LaneTotals::sumsOf(const Lane& lane, std::size_t block) const
{
    Block fresh;
    fresh.busyUntil = busyBefore(lane, block);
    const std::size_t from = block * kBlock, to = std::min(from + kBlock, lane.index.size());
    walk(
        lane, from, to, fresh.busyUntil,
        [&](const Span& s) {
            count(fresh.sums, lane, s, s.end - s.start);
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
    const auto onGap = [&](const TimeRange& gap, IdleCause cause) {
        const double part = inside(gap.begin, gap.end, range);
        all.idle[static_cast<std::size_t>(cause)] += std::max(0.0, part);
    };
    explain(lane, tail(lane), nullptr, onGap);
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
                count(all, lane, s, part);
            },
            onGap);
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
    const auto onGap = [&](const TimeRange& gap, IdleCause cause) {
        if (gap.length() > 0 && gap.length() >= shortest && gap.end > range.begin
            && gap.begin < range.end)
            visit(gap, cause);
    };
    const std::size_t first = lane.index.firstEndingAfter(lane.spans, range.begin);
    const std::size_t end
        = std::min(lane.index.size(), lane.index.firstStartingAt(lane.spans, range.end) + 1);
    for (std::size_t block = first / kBlock; block * kBlock < end; ++block) {
        if (m_blocks[block].longestGap < shortest)
            continue;
        walk(
            lane, block * kBlock, std::min((block + 1) * kBlock, end), busyBefore(lane, block),
            [](const Span&) {}, onGap);
    }
    explain(lane, tail(lane), nullptr, onGap);
}

} // namespace stageloom
