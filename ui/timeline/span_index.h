// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include "ui/timeline/scale.h"
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace stageloom {

// What a stretch of spans too narrow to draw one by one looks like from afar.
struct SpanSummary {
    double busy = 0; // summed durations
    std::int16_t stage = 0; // of the longest share
    ActionKind kind = ActionKind::Forward;
};

// The spans of one lane, sorted by start, with a pyramid of summaries over them: each node of level
// k sums up to kRadix nodes of level k - 1. Looking up a time and summing a stretch are O(log n),
// so that painting costs pixels and not spans. Holds positions into a span list that its owner
// keeps.
class SpanIndex {
public:
    static constexpr std::size_t kRadix = 16;

    void add(std::uint32_t reference) { m_references.push_back(reference); }
    // Once, after the last add() and before asking: sorts and builds the pyramid.
    void finish(const std::vector<Span>& spans);

    [[nodiscard]] std::size_t size() const { return m_references.size(); }
    [[nodiscard]] bool empty() const { return m_references.empty(); }
    [[nodiscard]] std::uint32_t reference(std::size_t position) const
    {
        return m_references[position];
    }
    // Position of the first span whose end is after `time`; size() where there is none.
    [[nodiscard]] std::size_t firstEndingAfter(const std::vector<Span>& spans, double time) const;
    // Position of the first span, from `from` on, that starts at or after `time`; gallops from
    // `from`.
    [[nodiscard]] std::size_t firstStartingAt(
        const std::vector<Span>& spans, double time, std::size_t from = 0) const;
    [[nodiscard]] SpanSummary summary(
        const std::vector<Span>& spans, std::size_t from, std::size_t to) const;

    // What reaches into `range`, by start, from as far as needed: a node that is shorter than
    // `shortest` goes as a whole to `onNode`, a span on its own to `onSpan`.
    struct Stretch {
        TimeRange range;
        std::size_t from, to; // positions
        SpanSummary summary;
        double share; // of busy: the longest (stage, kind)
    };
    template <typename OnSpan, typename OnStretch>
    void visit(const std::vector<Span>& spans, const TimeRange& range, double shortest,
        OnSpan onSpan, OnStretch onStretch) const
    {
        if (!m_levels.empty())
            visitLevel(m_levels.size() - 1, 0, m_levels.back().size(), spans, range, shortest,
                onSpan, onStretch);
    }

private:
    struct Node {
        double firstStart, lastEnd;
        float busy; // all
        float share; // of the longest (stage, kind)
        std::int16_t stage;
        ActionKind kind;
    };

    std::vector<std::uint32_t> m_references;
    std::vector<std::vector<Node>> m_levels; // [0]: one node for kRadix spans
    Node nodeOfSpans(const std::vector<Span>& spans, std::size_t from, std::size_t to) const;
    template <typename OnSpan, typename OnStretch>
    void visitLevel(std::size_t level, std::size_t from, std::size_t to,
        const std::vector<Span>& spans, const TimeRange& range, double shortest, OnSpan& onSpan,
        OnStretch& onStretch) const;
    static Node nodeOfNodes(const std::vector<Node>& nodes, std::size_t from, std::size_t to);
};

template <typename OnSpan, typename OnStretch>
void SpanIndex::visitLevel(std::size_t level, std::size_t from, std::size_t to,
    const std::vector<Span>& spans, const TimeRange& range, double shortest, OnSpan& onSpan,
    OnStretch& onStretch) const
{
    std::size_t width = kRadix;
    for (std::size_t i = 0; i < level; ++i)
        width *= kRadix;
    for (std::size_t n = from; n < to; ++n) {
        const Node& node = m_levels[level][n];
        if (node.lastEnd <= range.begin)
            continue;
        if (node.firstStart >= range.end)
            return;
        const std::size_t first = n * width, last = std::min(first + width, size());
        if (node.lastEnd - node.firstStart < shortest)
            onStretch(Stretch { { node.firstStart, node.lastEnd }, first, last,
                { node.busy, node.stage, node.kind }, node.share });
        else if (level > 0)
            visitLevel(level - 1, n * kRadix,
                std::min((n + 1) * kRadix, m_levels[level - 1].size()), spans, range, shortest,
                onSpan, onStretch);
        else
            for (std::size_t i = first; i < last; ++i)
                if (const Span& s = spans[m_references[i]];
                    s.end > range.begin && s.start < range.end)
                    onSpan(s, i);
    }
}

} // namespace stageloom
