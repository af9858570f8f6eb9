// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/scale.h"
#include "ui/timeline/span_index.h"
#include "ui/timeline/span_table.h"
#include <array>
#include <functional>
#include <vector>

namespace stageloom {

inline constexpr std::size_t kIdleCauses = 7;

struct IdleGap {
    int device = 0;
    TimeRange range;
    IdleCause cause = IdleCause::Other;
};

// What a stretch of one lane adds up to.
struct LaneSums {
    std::array<double, kActionKinds> time {};
    std::array<std::size_t, kActionKinds> count {};
    std::array<double, kIdleCauses> idle {}; // between spans, by what was waited for
    void add(const LaneSums& other);
    [[nodiscard]] double busy() const; // computing
};

// Sums over one compute lane in blocks of kBlock spans, so that the statistics of any range cost
// the blocks in it and two blocks' walk at its ends, however many spans there are. Every stretch in
// which the device computes nothing gets its cause here:
//   until the span that makes its input has ended: imbalance; from then until it starts, where that
//   span ran on another device: link; before an update: optimizer; else other. Before the first
//   span and after the last (fill and drain) is its user's to say.
class LaneTotals {
public:
    static constexpr std::size_t kBlock = 256;
    struct Lane {
        const std::vector<Span>& spans;
        const SpanIndex& index;
        const SpanTable& table;
    };

    void build(const Lane& lane);

    // Spans that reach over the range's ends count with the part inside.
    [[nodiscard]] LaneSums sums(const Lane& lane, const TimeRange& range) const;
    // Every gap of the range that is at least `shortest` long, by time. Blocks without one are
    // passed over.
    void visitGaps(const Lane& lane, const TimeRange& range, double shortest,
        const std::function<void(const TimeRange&, IdleCause)>& visit) const;
    [[nodiscard]] double busyUntil() const
    {
        return m_blocks.empty() ? 0 : m_blocks.back().busyUntil;
    }

private:
    struct Block {
        LaneSums sums;
        double busyUntil = 0; // end of the last span of this block or before
        double longestGap = 0;
    };
    std::vector<Block> m_blocks;
    [[nodiscard]] Block sumsOf(const Lane& lane, std::size_t block) const;
    [[nodiscard]] double busyBefore(const Lane& lane, std::size_t block) const;
};

} // namespace stageloom
