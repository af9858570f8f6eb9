// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_view.h"
#include <QPointer>
#include <QScrollBar>

namespace stageloom {

class RangeDialog;

struct TimelineView::Private {
    explicit Private(TimelineView* view)
        : owner(view)
    {
    }
    TimelineView* owner;
    TimelineModel model;
    TimelineState state;
    QStringList names;
    std::vector<double> capacities;
    int memoryDevice = -1;

    // Large traces are indexed in the pool and handed over.
    using Job = LatestJob<std::shared_ptr<TimelineSide>>;
    std::array<Job, 2> jobs { Job(owner), Job(owner) };
    QPointer<RangeDialog> table;

    // Made on first need after a change of the content.
    bool contentKnown = false;
    std::array<double, kIdleCauses> shares {};
    int shownMemory = 0; // device
    TimelineDifference difference;
    bool differenceKnown = false; // all of it
    std::vector<SpanRef> flow;
    std::vector<CardLine> card;
    std::optional<QPointF> rowHover; // the mouse is over a row without operations
    std::optional<RangeStatistics> selected; // statistics of the selection

    // Made on first need after a change of range, size or content.
    bool geometryKnown = false;
    LaneLayout layout;
    std::vector<std::vector<VisibleBox>> boxes;
    double scroll = 0;
    QScrollBar* bar = nullptr; // child of the view; hidden where all rows fit

    // Mouse.
    enum class Drag { None, Press, Pan, Select } drag = Drag::None;
    QPointF pressed, last;
    double selectFrom = 0;
    QPointF restedAt; // where the mouse was when the keys took the hover
    bool byKeys = false; // the hover is the arrow keys', its card stands at the span
    bool paintingPicture = false;

    // The plan as it was given, where it is small enough to be moved along with a run.
    std::optional<Trace> givenPlan;
    bool planMoved = false;
    bool planInSight = false; // it goes where one looks
    int devicesHinted = -1; // for which the size hint was last announced

    [[nodiscard]] TraceSide shownSide() const;
    void setTrace(TraceSide side, Trace trace, const TraceFrame& frame);
    void install(TraceSide side, std::shared_ptr<TimelineSide> built);
    [[nodiscard]] QStringList lanes() const; // what they are called, by device
    void search(const QString& text);
    void findMemory();
    void deriveContent();
    void deriveDifference();
    void deriveSelection();
    void deriveGeometry(const QSizeF& size);
    void deriveCard();
    [[nodiscard]] std::vector<CardLine> rowCard(const QPointF& at) const;
    void hoverRow(const QPointF& at);
    [[nodiscard]] double capacity() const; // bytes, of the memory shown; 0: not known
    [[nodiscard]] bool hasMemory() const;
    [[nodiscard]] const LaneRow* labelAt(const QPointF& at) const; // the row whose label it is
    [[nodiscard]] QPointF cardAt() const;
    void scrollTo(SpanRef span); // its row into sight
    void bringPlan(); // to the batches in sight
    [[nodiscard]] int batchInSight() const; // of the run, in the middle; -1: none
    void findFlow();
};

} // namespace stageloom
