// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/trace_difference.h"
#include <QFont>

class QPainter;

namespace stageloom {

// Draws one lane's boxes: the colours of kinds and stages, the numbers where they fit.
struct BoxPainter {
    const TimelineModel& model;
    const Theme& theme;
    QFont font;
    bool pale = false; // the plan above its measurement steps back
    const TraceDifference* lateness = nullptr; // colour by how late, not by stage

    void paint(QPainter& painter, const std::vector<VisibleBox>& boxes) const;
    [[nodiscard]] QColor fill(const VisibleBox& box) const;

private:
    void paintBox(QPainter& painter, const VisibleBox& box) const;
    void paintNumber(QPainter& painter, const VisibleBox& box, const QColor& ground) const;
};

} // namespace stageloom
