// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_state.h"
#include <QRectF>
#include <optional>
#include <vector>

namespace stageloom {

// Head: whose plan the rows below are, where two are compared.
enum class RowKind { Head, Compute, Transfer, Version, Memory };

struct LaneRow {
    RowKind kind = RowKind::Compute;
    TraceSide side = TraceSide::Plan;
    int device = -1; // -1: all
    double top = 0, height = 0; // logical pixels, scrolled
};

// Where the rows are. Shared by painting and hit testing; no widget.
struct LaneLayout {
    static constexpr double kLabels = 76,
                            kRuler = 26, // width of the label column, height of the ruler
        kRight = 14, // room for the scroll bar
        kLegend = 26; // height of the legend at the foot
    std::vector<LaneRow> rows;
    TimeScale scale;
    double height = 0; // of all rows, ruler included; more than `bottom`: they scroll
    bool both = false; // plan and run, one above the other, device by device
    bool over = false; // all of the pinned plan above all of the other
    double bottom = 0; // where the legend begins and rows end

    [[nodiscard]] QRectF rect(const LaneRow& row, const TimeRange& range) const;
    [[nodiscard]] const LaneRow* rowAt(double y) const;
    // The row that shows a span, where one does.
    [[nodiscard]] const LaneRow* rowOf(const TimelineModel& model, SpanRef span) const;
    [[nodiscard]] bool shows(TraceSide side) const;
    // The hairlines of a side's transfers together, as one lane; empty where there is none.
    [[nodiscard]] QRectF links(TraceSide side) const;
};

// The side that versions, memory, search and statistics speak of.
TraceSide shownSide(const TimelineModel& model, TimelineMode mode);

struct LayoutOptions {
    QSizeF size;
    double scroll = 0; // pixels
    bool memory = false;
};

LaneLayout layOut(
    const TimelineModel& model, const TimelineState& state, const LayoutOptions& options);

// One thing to draw in a lane: a span, or a run of spans too narrow to tell apart.
struct VisibleBox {
    QRectF rect;
    std::optional<SpanRef> span; // none: a summary
    SpanSummary summary; // of one span too
    double coverage = 1; // share of the rect that is busy
    std::size_t from = 0, to = 0; // positions in the lane
};
// At most a few boxes a pixel column, however many spans there are.
std::vector<VisibleBox> visibleBoxes(
    const TimelineModel& model, const LaneLayout& layout, const LaneRow& row);

// The span under a point; the nearest within two pixels, so that a thin one can be hit.
std::optional<SpanRef> spanAt(
    const TimelineModel& model, const LaneLayout& layout, const QPointF& position);

} // namespace stageloom
