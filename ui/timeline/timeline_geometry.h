// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/lane_layout.h"

class QScrollBar;

namespace stageloom {

// Where everything is at present: rows, their boxes and how far the rows are scrolled. Made on
// first need after a change of range, size or content.
class TimelineGeometry {
public:
    explicit TimelineGeometry(QScrollBar& bar)
        : m_bar(bar)
    {
    }
    void forget() { m_known = false; }
    void derive(
        const TimelineModel& model, const TimelineState& state, const QSizeF& size, bool memory);
    [[nodiscard]] const LaneLayout& layout() const { return m_layout; }
    [[nodiscard]] const std::vector<std::vector<VisibleBox>>& boxes() const { return m_boxes; }
    [[nodiscard]] double scroll() const { return m_scroll; }
    void setScroll(double pixels);
    void scrollTo(const LaneRow& row); // into sight
    // The row whose label is at a point; null: none is.
    [[nodiscard]] const LaneRow* labelAt(const QPointF& at) const;
    [[nodiscard]] bool inLanes(const QPointF& at) const; // where time is, below the ruler

private:
    QScrollBar& m_bar; // hidden where all rows fit
    bool m_known = false;
    LaneLayout m_layout;
    std::vector<std::vector<VisibleBox>> m_boxes; // by row
    double m_scroll = 0;
};

} // namespace stageloom
