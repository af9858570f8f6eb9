// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/timeline_difference.h"
#include <QFont>

class QPainter;

namespace stageloom {

class TimelineInk;

// Draws one lane's boxes: the colours of kinds and stages, the numbers where they fit.
struct BoxPainter {
    const TimelineModel& model;
    const Theme& theme;
    TimelineInk& ink;
    QFont font;
    bool pale = false; // the plan above its measurement steps back
    // Given: colour by how much longer or shorter than planned, not by stage.
    const TimelineDifference* difference = nullptr;
    int device = 0; // the lane's
    int digits = 1; // of the longest number in the lane; paint() counts them

    void paint(QPainter& painter, const std::vector<VisibleBox>& boxes);
    [[nodiscard]] QColor fill(const VisibleBox& box) const;

private:
    [[nodiscard]] QColor differenceFill(const VisibleBox& box) const;
    std::size_t paintColumns(
        QPainter& painter, const std::vector<VisibleBox>& boxes, std::size_t from) const;
    void paintBox(QPainter& painter, const VisibleBox& box) const;
    void paintNumber(QPainter& painter, const VisibleBox& box, const QColor& ground) const;
};

// `longer` (or shorter, < 0) than planned on the scale that `limit` ends: blue, grey, orange.
QColor differenceColour(const Theme& theme, double longer, double limit);

} // namespace stageloom
