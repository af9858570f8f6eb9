// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include <QRectF>

namespace stageloom {

// Where layers and borders of a stage strip lie; arithmetic without a widget. Every layer is as
// wide as the next: a border is moved by layers, not by time.
struct StripLayout {
    QRectF area; // of the cells
    int layers = 0;
    [[nodiscard]] double cellWidth() const { return layers > 0 ? area.width() / layers : 0; }
    [[nodiscard]] double layerLeft(int layer) const { return area.left() + layer * cellWidth(); }
    [[nodiscard]] QRectF cell(int layer) const
    {
        return { layerLeft(layer), area.top(), cellWidth(), area.height() };
    }
    [[nodiscard]] QRectF stageRect(const PlanStage& stage) const;
    // The layer border nearest to x: the index of the layer right of it.
    [[nodiscard]] int borderAt(double x) const;
    [[nodiscard]] int stageAt(const Plan& plan, double x) const; // -1: none
    // The stage border within reach of x (`border` separates stages border and border + 1); -1.
    [[nodiscard]] int stageBorderAt(const Plan& plan, double x, double reach) const;
};

} // namespace stageloom
