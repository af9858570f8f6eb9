// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_index.h"

#include "ui/timeline/span_tally.h"
#include <algorithm>
#include <limits>

namespace stageloom {

SpanIndex::Node SpanIndex::nodeOfSpans(
    const std::vector<Span>& spans, std::size_t from, std::size_t to) const
{
    SpanTally tally;
    double lastEnd = -std::numeric_limits<double>::infinity();
    for (std::size_t i = from; i < to; ++i) {
        const Span& s = spans[m_references[i]];
        tally.add(s.stage, s.kind, s.end - s.start, s.end - s.start);
        lastEnd = std::max(lastEnd, s.end);
    }
    const auto longest = tally.longest();
    return { spans[m_references[from]].start, lastEnd, static_cast<float>(tally.busy()),
        static_cast<float>(longest.time), longest.stage, longest.kind };
}

SpanIndex::Node SpanIndex::nodeOfNodes(
    const std::vector<Node>& nodes, std::size_t from, std::size_t to)
{
    SpanTally tally;
    double lastEnd = -std::numeric_limits<double>::infinity();
    for (std::size_t i = from; i < to; ++i) {
        tally.add(nodes[i].stage, nodes[i].kind, nodes[i].share, nodes[i].busy);
        lastEnd = std::max(lastEnd, nodes[i].lastEnd);
    }
    const auto longest = tally.longest();
    return { nodes[from].firstStart, lastEnd, static_cast<float>(tally.busy()),
        static_cast<float>(longest.time), longest.stage, longest.kind };
}

void SpanIndex::finish(const std::vector<Span>& spans)
{
    const auto start = [&](std::uint32_t r) { return spans[r].start; };
    if (!std::ranges::is_sorted(m_references, {}, start))
        std::ranges::stable_sort(m_references, {}, start);
    std::size_t below = m_references.size(); // entries of the level under the one being built
    while (m_levels.empty() ? below > 0 : below > 1) {
        std::vector<Node> nodes;
        nodes.reserve((below + kRadix - 1) / kRadix);
        for (std::size_t from = 0; from < below; from += kRadix) {
            const std::size_t to = std::min(from + kRadix, below);
            nodes.push_back(m_levels.empty() ? nodeOfSpans(spans, from, to)
                                             : nodeOfNodes(m_levels.back(), from, to));
        }
        below = nodes.size();
        m_levels.push_back(std::move(nodes));
    }
}

std::size_t SpanIndex::firstEndingAfter(const std::vector<Span>& spans, double time) const
{
    if (m_levels.empty())
        return size();
    // Down from the top: at each level the first node that reaches past `time`.
    std::size_t node = 0;
    for (std::size_t level = m_levels.size(); level-- > 0;) {
        const auto& nodes = m_levels[level];
        while (node < nodes.size() && nodes[node].lastEnd <= time)
            ++node;
        if (node == nodes.size())
            return size();
        node *= kRadix;
    }
    while (node < size() && spans[m_references[node]].end <= time)
        ++node;
    return node;
}

std::size_t SpanIndex::firstStartingAt(
    const std::vector<Span>& spans, double time, std::size_t from) const
{
    std::size_t step = 1, low = from;
    while (low + step < size() && spans[m_references[low + step]].start < time) {
        low += step;
        step *= 2;
    }
    const auto begin = m_references.begin();
    return std::lower_bound(begin + static_cast<long>(low),
               begin + static_cast<long>(std::min(low + step + 1, size())), time,
               [&](std::uint32_t r, double t) { return spans[r].start < t; })
        - begin;
}

SpanSummary SpanIndex::summary(
    const std::vector<Span>& spans, std::size_t from, std::size_t to) const
{
    SpanTally tally;
    while (from < to) {
        // The highest node that begins at `from` and ends by `to`.
        std::size_t level = 0, width = 1;
        while (level < m_levels.size() && from % (width * kRadix) == 0
            && from + width * kRadix <= to) {
            width *= kRadix;
            ++level;
        }
        if (level == 0) {
            const Span& s = spans[m_references[from]];
            tally.add(s.stage, s.kind, s.end - s.start, s.end - s.start);
        } else {
            const Node& n = m_levels[level - 1][from / width];
            tally.add(n.stage, n.kind, n.share, n.busy);
        }
        from += width;
    }
    const auto longest = tally.longest();
    return { tally.busy(), longest.stage, longest.kind };
}

} // namespace stageloom
