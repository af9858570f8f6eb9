// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_difference.h"
#include <QStringList>
#include <array>

class QPainter;

namespace stageloom {

// Everything a frame needs, by reference; made anew each frame.
struct TimelineScene {
    const TimelineModel& model;
    const TimelineState& state;
    const LaneLayout& layout;
    const Theme& theme;
    const QStringList& names;
    const std::vector<std::vector<VisibleBox>>& boxes; // by row of the layout
    const std::array<double, 7>& idle; // shares by cause
    const TimelineDifference* difference = nullptr;
    int memoryDevice = 0;
    double memoryPeak = 0; // bytes of that device
    double capacity = 0; // bytes of that device; 0: not known
    double memoryHover = -1; // pixel of the mouse in the memory row; negative: elsewhere
    std::vector<SpanRef> flow = {}; // the microbatch followed
    std::vector<CardLine> card = {};
    QPointF cardAt = {};
    QSizeF size = {};
    bool focus = false;
    bool loading = false;
    double compared = 1; // share of the run held against the plan so far
};

void paintTimeline(QPainter& painter, const TimelineScene& scene);
// Parts, each in its file.
void paintRows(QPainter& painter, const TimelineScene& scene);
void paintMemory(QPainter& painter, const TimelineScene& scene, const LaneRow& row);
void paintOverlays(QPainter& painter, const TimelineScene& scene);
void paintLegend(QPainter& painter, const TimelineScene& scene);
void paintCard(QPainter& painter, const TimelineScene& scene);

} // namespace stageloom
