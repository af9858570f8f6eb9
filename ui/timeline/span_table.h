// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stageloom {

inline constexpr std::size_t kActionKinds = 9;
inline bool isGradient(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardInput;
}

// Finds spans by what they are, (stage, kind, microbatch), in O(1) where microbatches are dense and
// O(log n) else. Holds positions into a span list that its owner keeps: 4 bytes a span.
class SpanTable {
public:
    void add(const Span& span, std::uint32_t reference);
    void finish(const std::vector<Span>& spans); // once, before asking

    // Every span of that name, in the order of the list.
    [[nodiscard]] std::span<const std::uint32_t> find(
        const std::vector<Span>& spans, int stage, ActionKind kind, int microbatch) const;
    // The span whose output `span` needs; null where it needs none or it is not there.
    [[nodiscard]] const Span* inputOf(const std::vector<Span>& spans, const Span& span) const;
    // The spans that need the output of `span`.
    [[nodiscard]] std::vector<std::uint32_t> consumersOf(
        const std::vector<Span>& spans, const Span& span) const;
    // Spans of a stage and kind that start before `time`.
    [[nodiscard]] std::size_t startedBefore(
        const std::vector<Span>& spans, int stage, ActionKind kind, double time) const;
    // The first and the last batch whose forwards read a version; nothing where none does. Versions
    // only grow along the microbatches of a stage.
    [[nodiscard]] std::optional<std::pair<int, int>> batchesReading(
        const std::vector<Span>& spans, int version) const;
    // Most microbatches of a stage in flight at once.
    [[nodiscard]] int mostInFlight(const std::vector<Span>& spans, int stage) const;
    [[nodiscard]] int stages() const { return static_cast<int>(m_stages.size()); }

private:
    struct Column {
        std::vector<std::uint32_t> references; // by microbatch
        bool byTime = true; // the order by microbatch is the order by start too
    };
    std::vector<std::array<Column, kActionKinds>> m_stages;
    static void finish(const std::vector<Span>& spans, Column& column);
    [[nodiscard]] const Column* column(int stage, ActionKind kind) const;
};

} // namespace stageloom
