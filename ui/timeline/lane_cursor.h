// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/lane_layout.h"

namespace stageloom {

// The span that an arrow key leads to from `from`: `along` spans further in its lane, or `down`
// rows away at the same time. From nothing: the first span in sight. Nothing where there is none.
std::optional<SpanRef> movedCursor(const TimelineModel& model, const LaneLayout& layout,
    std::optional<SpanRef> from, int along, int down);

} // namespace stageloom
