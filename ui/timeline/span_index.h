// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
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

    // Adds `reference` in its place by start time; call finish() before asking. Spans that arrive
    // in order cost O(1).
    void add(const std::vector<Span>& spans, std::uint32_t reference);
    // Builds what is new since the last call: the tail only, where spans arrived in order.
    void finish(const std::vector<Span>& spans);
    void reserve(std::size_t count) { m_references.reserve(count); }

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

private:
    struct Node {
        double lastEnd;
        float busy; // all
        float share; // of the longest (stage, kind)
        std::int16_t stage;
        ActionKind kind;
    };
    class Tally;

    std::vector<std::uint32_t> m_references;
    std::vector<std::vector<Node>> m_levels; // [0]: one node for kRadix spans
    std::size_t m_stale = 0; // positions from here on are not in the pyramid
    Node nodeOfSpans(const std::vector<Span>& spans, std::size_t from, std::size_t to) const;
    static Node nodeOfNodes(const std::vector<Node>& nodes, std::size_t from, std::size_t to);
};

} // namespace stageloom
