// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/curve_plot.h"

namespace stageloom {

// In which unit an axis is written that runs up to some value: seconds, minutes or hours, tokens by
// the thousand or the million.
struct AxisUnit {
    QString title; // "time, min"
    double size = 1; // of one unit, in what the curves are given in
};
AxisUnit axisUnit(CurveAxis axis, double upTo);

// A place on the axis for a person: "step 71", "30 tokens", "4.2 min".
QString placeText(CurveAxis axis, double at);

} // namespace stageloom
