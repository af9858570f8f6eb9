// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/gaps.h"
#include "ui/timeline/scale.h"
#include "ui/timeline/span_index.h"
#include "ui/timeline/span_table.h"
#include <array>
#include <functional>
#include <vector>

namespace stageloom {

// What a stretch of one lane adds up to.
struct LaneSums {
    std::array<double, kActionKinds> time {};
    std::array<std::size_t, kActionKinds> count {};
    std::array<double, kIdleCauses> idle {}; // as DeviceTime::idle: with the updates themselves
    void add(const LaneSums& other);
    [[nodiscard]] double busy() const; // computing
};

// Sums over one lane in blocks of kBlock spans, so that the statistics of any range cost the blocks
// in it and two blocks' walk at its ends, however many spans there are. Every stretch in which the
// device computes nothing is cut and named by `PipelinePhases`, as `idleGaps` does it.
class LaneTotals {
public:
    static constexpr std::size_t kBlock = 256;
    struct Lane {
        int device;
        const std::vector<Span>& spans;
        const SpanIndex& index;
        const SpanTable& table;
        const PipelinePhases* phases; // null: of transfers, between which nobody idles
        TimeRange whole; // of the trace: gaps before the first span and after the last reach there
    };

    void build(const Lane& lane);

    // Spans that reach over the range's ends count with the part inside.
    [[nodiscard]] LaneSums sums(const Lane& lane, const TimeRange& range) const;
    // Every gap of the range that is at least `shortest` long, by time. Blocks without one are
    // passed over.
    void visitGaps(const Lane& lane, const TimeRange& range, double shortest,
        const std::function<void(const TimeRange&, IdleCause)>& visit) const;

private:
    struct Block {
        LaneSums sums;
        double busyUntil = 0; // end of the last span of this block or before
        double longestGap = 0;
    };
    std::vector<Block> m_blocks;
    [[nodiscard]] Block sumsOf(const Lane& lane, std::size_t block) const;
    [[nodiscard]] double busyBefore(const Lane& lane, std::size_t block) const;
    [[nodiscard]] TimeRange tail(const Lane& lane) const; // after the last span
};

} // namespace stageloom
