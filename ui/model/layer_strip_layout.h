// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <vector>

namespace stageloom {

// Blocks one under the other in `area`, as high as their values; arithmetic without a widget. Each
// is at least `least` high while that leaves room, so that small layers can be seen and hit; gaps
// go first where there are many.
std::vector<QRectF> stackedBlocks(
    const std::vector<double>& values, const QRectF& area, double least, double gap);
// The block at or nearest to y; -1: there is none.
int blockAt(const std::vector<QRectF>& blocks, double y);

} // namespace stageloom
