// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_view.h"

namespace stageloom {

struct TimelineView::Private {
    TimelineModel model;
    TimelineState state;
    QStringList names;
    std::vector<double> capacities;
    int memoryDevice = -1;
    std::optional<std::vector<IdleShare>> givenShares;

    // Made on first need after a change of the content.
    bool contentKnown = false;
    std::vector<IdleGap> gaps;
    std::array<double, 7> shares {};
    int shownMemory = 0; // device
    double memoryPeak = 0; // bytes
    std::optional<TraceDifference> difference;
    std::vector<SpanRef> flow;
    std::vector<CardLine> card;

    // Made on first need after a change of range, size or content.
    bool geometryKnown = false;
    LaneLayout layout;
    std::vector<std::vector<VisibleBox>> boxes;
    double scroll = 0;

    // Mouse.
    enum class Drag { None, Press, Pan, Select } drag = Drag::None;
    QPointF pressed, last;
    double selectFrom = 0;

    [[nodiscard]] TraceSide shownSide() const;
    void findMemory();
    void deriveContent();
    void deriveGeometry(const QSizeF& size);
    void findFlow();
};

} // namespace stageloom
