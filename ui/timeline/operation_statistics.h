// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_side.h"
#include <cstddef>
#include <vector>

namespace stageloom {

enum class GroupBy { Stage, Microbatch, Device };

// All operations of one kind on one stage, of one microbatch or on one device.
struct OperationGroup {
    // From 0. By microbatch: the batch of what carries no microbatch.
    int number = 0;
    ActionKind kind = ActionKind::Forward;
    std::size_t count = 0;
    double total = 0, p95 = 0, max = 0; // p95: the smallest time that 95 of 100 stay within
    [[nodiscard]] double mean() const { return count ? total / static_cast<double>(count) : 0; }
};

struct OperationStatistics {
    static constexpr std::size_t kMostGroups = 50'000;
    std::vector<OperationGroup> groups; // by number, then kind; no more than kMostGroups
    std::size_t spans = 0;
    std::size_t left = 0; // groups left out: those of the shortest total
};

// No more spans than this reach into the range; costs O(devices · log spans).
std::size_t mostSpansWithin(const TimelineSide& side, const TimeRange& range);
// What happens within a range; spans that reach over its ends count with the part inside, as in
// RangeStatistics. Walks every span inside once or twice: off the GUI thread where they are many.
OperationStatistics operationStatistics(
    const TimelineSide& side, const TimeRange& range, GroupBy by);

} // namespace stageloom
