// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/range_statistics.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_ink.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_traces.h"
#include "ui/timeline/timeline_view.h"
#include <QPointer>
#include <QScrollBar>

namespace stageloom {

class RangeDialog;

// What the mouse is about.
struct TimelineMouse {
    enum class Drag { None, Press, Pan, Select } drag = Drag::None;
    QPointF pressed, last;
    double selectFrom = 0; // time
    QPointF restedAt; // where it was when the keys took the hover
    bool byKeys = false; // the hover is the arrow keys', its card stands at the span
};

// What is worked out from the traces before they are drawn; made on first need.
struct TimelineDerived {
    bool known = false; // all but the difference and the statistics
    int memoryDevice = 0; // the one shown
    std::vector<SpanRef> flow; // the microbatch followed
    TimelineDifference difference;
    bool differenceKnown = false; // all of it
    std::optional<RangeStatistics> selected; // statistics of the range
};

// The parts of a timeline view, each an object of its own, and what holds them together.
struct TimelineView::Private {
    explicit Private(TimelineView* view)
        : owner(view)
        , bar(new QScrollBar(Qt::Vertical, view))
        , geometry(*bar)
    {
    }
    TimelineView* owner;
    TimelineTraces traces;
    TimelineState state;
    QScrollBar* bar; // child of the view
    TimelineGeometry geometry;
    TimelineInk ink;
    TimelineMouse mouse;
    TimelineDerived derived;
    QPointer<RangeDialog> table;

    QStringList names;
    std::vector<double> capacities;
    int memoryDevice = -1; // asked for
    std::array<PlanHead, 2> heads; // of the pinned plan and of the other
    std::optional<double> cursor; // time
    std::optional<QPointF> rowHover; // the mouse is over a row without operations
    std::vector<CardLine> card;
    std::optional<Span> kept; // what was selected, while traces change
    TraceSide keptSide = TraceSide::Plan;
    bool paintingPicture = false;
    int devicesHinted = -1; // for which the size hint was last announced

    [[nodiscard]] const TimelineModel& model() const { return traces.model(); }
    [[nodiscard]] TraceSide shownSide() const;
    [[nodiscard]] const TimelineDifference* difference() const; // null: nothing to hold against
    [[nodiscard]] QStringList lanes() const; // what they are called, by device
    void search(const QString& text);
    void keepSelected();
    void findSelected();
    void deriveContent();
    void deriveDifference();
    void deriveSelection();
    void deriveGeometry();
    void deriveCard();
    void findMemory();
    void findFlow();
    void forget(); // what was derived
    [[nodiscard]] TimelineScene scene();
    [[nodiscard]] Card lateCard() const;
    [[nodiscard]] std::vector<CardLine> rowCard(const QPointF& at) const;
    void hoverRow(const QPointF& at);
    [[nodiscard]] double capacity() const; // bytes, of the memory shown; 0: not known
    [[nodiscard]] bool hasMemory() const;
    [[nodiscard]] QPointF cardAt() const;
    void scrollTo(SpanRef span); // its row into sight
};

} // namespace stageloom
