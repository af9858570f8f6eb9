// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_difference.h"
#include <QStringList>
#include <array>
#include <optional>

class QPainter;

namespace stageloom {

class TimelineInk;

// Lines on a floating card, and the point that they speak of.
struct Card {
    std::vector<CardLine> lines;
    QPointF at;
};

// What stands over a plan's rows where two are compared.
struct PlanHead {
    QString name, schedule;
    std::optional<double> steadyBubble;
};

// Everything a frame needs, by reference; made anew each frame.
struct TimelineScene {
    const TimelineModel& model;
    const TimelineState& state;
    const LaneLayout& layout;
    const Theme& theme;
    const QStringList& names;
    const std::vector<std::vector<VisibleBox>>& boxes; // by row of the layout
    TimelineInk& ink;
    const TimelineDifference* difference = nullptr;
    int memoryDevice = 0;
    double memoryPeak = 0; // bytes of that device
    double capacity = 0; // bytes of that device; 0: not known
    std::optional<double> cursor = std::nullopt; // time under the mouse or the keys
    std::array<PlanHead, 2> heads = {}; // of the pinned plan and of the other
    std::vector<SpanRef> flow = {}; // the microbatch followed
    Card card = {}; // of what is under the mouse or the keys
    Card range = {}; // of the range selected
    Card late = {}; // of the operation that took longest beyond its plan
    QSizeF size = {};
    bool focus = false;
    bool loading = false;
    double compared = 1; // share of the run held against the plan so far
    // Whose versions and memory are put into words: the device of what is selected, else the one
    // whose memory is shown.
    [[nodiscard]] int deviceOfWords() const
    {
        return state.selected() ? model.span(*state.selected()).device : memoryDevice;
    }
};

void paintTimeline(QPainter& painter, const TimelineScene& scene);
// Parts, each in its file.
void paintRows(QPainter& painter, const TimelineScene& scene);
void paintMemory(QPainter& painter, const TimelineScene& scene, const LaneRow& row);
void paintOverlays(QPainter& painter, const TimelineScene& scene);
void paintLegend(QPainter& painter, const TimelineScene& scene);
void paintCards(QPainter& painter, const TimelineScene& scene);
// How many devices compute at a time, and what one of them holds: "5 of 8 busy · 11.3 GiB on GPU
// 2".
QString momentText(const TimelineScene& scene, TraceSide side, double time);

} // namespace stageloom
