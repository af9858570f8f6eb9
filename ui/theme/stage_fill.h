// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>

namespace stageloom {

// `fill`, whatever shade of the stage it is, with the pattern that tells a stage beyond the eighth
// from the one whose colour it repeats: a light diagonal in the second round of colours, a light
// grid in every later one. The one place that says so, for strips, bars, boxes and legends.
QBrush stageFill(int stage, const QColor& fill);

} // namespace stageloom
