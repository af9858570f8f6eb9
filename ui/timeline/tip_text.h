// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/lane_layout.h"
#include <QStringList>

namespace stageloom {

struct Theme;

// The stages whose operations the first thousands of a device's lane are, ascending.
std::vector<int> stagesOn(const TimelineSide& side, int device);
// What the tip of a row's label says: a device's name in full and its stages.
QString labelTip(const TimelineModel& model, const LaneRow& row, const QStringList& names);
// What every colour of the legend and of the idle row stands for; rich text.
QString legendTip(const TimelineModel& model, TimelineMode mode, const Theme& theme);

} // namespace stageloom
