// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/strip_layout.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

QRectF StripLayout::stageRect(const PlanStage& stage) const
{
    return { QPointF(layerLeft(stage.firstLayer), area.top()),
        QPointF(layerLeft(stage.lastLayer + 1), area.bottom()) };
}

int StripLayout::borderAt(double x) const
{
    if (layers == 0 || area.width() <= 0)
        return 0;
    return std::clamp(static_cast<int>(std::lround((x - area.left()) / cellWidth())), 0, layers);
}

int StripLayout::stageAt(const Plan& plan, double x) const
{
    for (int s = 0; s < plan.depth(); ++s) {
        const QRectF rect = stageRect(plan.stages[static_cast<std::size_t>(s)]);
        if (x >= rect.left() && x < rect.right())
            return s;
    }
    return -1;
}

int StripLayout::stageBorderAt(const Plan& plan, double x, double reach) const
{
    int best = -1;
    double distance = reach;
    for (int s = 0; s + 1 < plan.depth(); ++s) {
        const double at = layerLeft(plan.stages[static_cast<std::size_t>(s) + 1].firstLayer);
        if (std::abs(at - x) <= distance) {
            distance = std::abs(at - x);
            best = s;
        }
    }
    return best;
}

} // namespace stageloom
