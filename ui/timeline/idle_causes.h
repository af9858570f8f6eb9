// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_model.h"
#include <array>
#include <vector>

namespace stageloom {

struct IdleGap {
    int device = 0;
    TimeRange range;
    IdleCause cause = IdleCause::Other;
};

// Every stretch in which a device computes nothing, by what it waits for:
//   before its first span: fill; after its last: drain; until the span that makes its input has
//   ended: imbalance; from then until it starts, where that span ran on another device: link;
//   before an update: optimizer; else other.
std::vector<IdleGap> idleGaps(const TimelineModel& model, TraceSide side);
// Share of all device time, by IdleCause; with the busy share they sum to 1.
std::array<double, 7> idleShares(const TimelineModel& model, const std::vector<IdleGap>& gaps);

} // namespace stageloom
