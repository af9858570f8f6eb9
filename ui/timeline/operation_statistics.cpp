// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/operation_statistics.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace stageloom {

namespace {

struct Positions {
    std::size_t from, to;
};

Positions within(const SpanIndex& lane, const std::vector<Span>& spans, const TimeRange& range)
{
    const std::size_t from = lane.firstEndingAfter(spans, range.begin);
    return { from, lane.firstStartingAt(spans, range.end, from) };
}

template <typename Visit>
void visitLanes(const TimelineSide& side, const TimeRange& range, Visit visit)
{
    for (int device = 0; device < side.trace().devices; ++device)
        for (const SpanIndex* lane : { &side.compute(device), &side.transfers(device) })
            if (!lane->empty())
                visit(*lane, within(*lane, side.trace().spans, range));
}

template <typename Visit>
void visitSpans(const TimelineSide& side, const TimeRange& range, Visit visit)
{
    const auto& spans = side.trace().spans;
    visitLanes(side, range, [&](const SpanIndex& lane, Positions inside) {
        for (std::size_t i = inside.from; i < inside.to; ++i)
            if (const Span& s = spans[lane.reference(i)];
                s.start < range.end && s.end > range.begin)
                visit(s);
    });
}

int numberOf(const Span& s, GroupBy by)
{
    switch (by) {
    case GroupBy::Stage:
        return s.stage;
    case GroupBy::Device:
        return s.device;
    case GroupBy::Microbatch:
        break;
    }
    return carriesMicrobatch(s.kind) ? s.microbatch : s.batch;
}

// Gives each (number, kind) a place: by itself where numbers are dense, by rank where they are not.
class Slots {
public:
    Slots(const TimelineSide& side, const TimeRange& range, GroupBy by)
        : m_by(by)
    {
        long least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();
        std::size_t spans = 0;
        visitSpans(side, range, [&](const Span& s) {
            const int number = numberOf(s, by);
            least = std::min<long>(least, number);
            most = std::max<long>(most, number);
            ++spans;
        });
        if (spans == 0)
            return;
        m_least = static_cast<int>(least);
        m_numbers = static_cast<std::size_t>(most - least + 1);
        if (m_numbers <= spans + 1000)
            return;
        m_sparse.reserve(spans);
        visitSpans(side, range, [&](const Span& s) { m_sparse.push_back(numberOf(s, by)); });
        std::ranges::sort(m_sparse);
        const auto twice = std::ranges::unique(m_sparse);
        m_sparse.erase(twice.begin(), twice.end());
        m_numbers = m_sparse.size();
    }
    [[nodiscard]] std::size_t size() const { return m_numbers * kActionKinds; }
    [[nodiscard]] std::size_t of(const Span& s) const
    {
        const int number = numberOf(s, m_by);
        const auto at = m_sparse.empty()
            ? number - m_least
            : std::ranges::lower_bound(m_sparse, number) - m_sparse.begin();
        return static_cast<std::size_t>(at) * kActionKinds + static_cast<std::size_t>(s.kind);
    }
    [[nodiscard]] int number(std::size_t slot) const
    {
        const std::size_t at = slot / kActionKinds;
        return m_sparse.empty() ? m_least + static_cast<int>(at) : m_sparse[at];
    }

private:
    GroupBy m_by;
    int m_least = 0;
    std::size_t m_numbers = 0;
    std::vector<int> m_sparse;
};

// `times` are put in another order.
OperationGroup groupOf(int number, ActionKind kind, std::span<double> times)
{
    OperationGroup group { number, kind, times.size() };
    for (const double time : times) {
        group.total += time;
        group.max = std::max(group.max, time);
    }
    const std::size_t rank = (times.size() * 95 + 99) / 100; // from 1
    const auto at = times.begin() + static_cast<long>(rank) - 1;
    std::nth_element(times.begin(), at, times.end());
    group.p95 = *at;
    return group;
}

void keepLongest(OperationStatistics& result)
{
    constexpr std::size_t kMost = OperationStatistics::kMostGroups;
    auto& groups = result.groups;
    if (groups.size() <= kMost)
        return;
    result.left = groups.size() - kMost;
    const auto end = groups.begin() + static_cast<long>(kMost);
    std::ranges::nth_element(groups, end, std::ranges::greater {}, &OperationGroup::total);
    groups.erase(end, groups.end());
    std::ranges::sort(groups, {}, [](const auto& g) { return std::tuple(g.number, g.kind); });
}

} // namespace

std::size_t mostSpansWithin(const TimelineSide& side, const TimeRange& range)
{
    std::size_t all = 0;
    visitLanes(
        side, range, [&](const SpanIndex&, Positions inside) { all += inside.to - inside.from; });
    return all;
}

OperationStatistics operationStatistics(
    const TimelineSide& side, const TimeRange& range, GroupBy by)
{
    OperationStatistics result;
    const Slots places(side, range, by);
    std::vector<std::size_t> ends(places.size()); // of each slot's stretch of `times`
    visitSpans(side, range, [&](const Span& s) { ++ends[places.of(s)]; });
    for (std::size_t& end : ends)
        end = result.spans += end;
    std::vector<double> times(result.spans);
    visitSpans(side, range, [&](const Span& s) {
        times[--ends[places.of(s)]] = std::min(s.end, range.end) - std::max(s.start, range.begin);
    });
    for (std::size_t slot = 0; slot < ends.size(); ++slot) { // now where each begins
        const std::size_t begin = ends[slot];
        const std::size_t end = slot + 1 < ends.size() ? ends[slot + 1] : times.size();
        if (begin < end)
            result.groups.push_back(
                groupOf(places.number(slot), static_cast<ActionKind>(slot % kActionKinds),
                    std::span(times).subspan(begin, end - begin)));
    }
    keepLongest(result);
    return result;
}

} // namespace stageloom
