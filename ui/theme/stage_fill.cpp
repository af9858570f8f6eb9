// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/stage_fill.h"

#include "ui/theme/theme.h"
#include <QImage>

namespace stageloom {

QBrush stageFill(int stage, const QColor& fill)
{
    if (!Theme::hasPattern(stage))
        return fill;
    // A tile and not one of Qt's patterns: those leave the ground under them in sight.
    constexpr int kSide = 6;
    const bool grid = stage / Theme::kStageColours > 1;
    const QRgb ground = fill.rgb(), light = Theme::mix(theme().panel, fill, 0.45).rgb();
    QImage tile(kSide, kSide, QImage::Format_RGB32);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x)
            tile.setPixel(x, y, x == y || (grid && x == kSide - 1 - y) ? light : ground);
    return tile;
}

} // namespace stageloom
