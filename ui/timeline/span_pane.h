// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include <QFrame>
#include <array>

class QGridLayout;
class QLabel;

namespace stageloom {

class ElidedLabel;
class SpanBadge;
class TimelineView;

// The details of the operation that was clicked, at the foot of a timeline: its name and place, its
// times here and in the trace it is compared with, whom it waits for. Stays until another is
// clicked or Escape drops it.
class SpanPane : public QFrame {
    Q_OBJECT
public:
    explicit SpanPane(TimelineView& view, QWidget* parent = nullptr);

private:
    static constexpr std::size_t kColumns = 5;
    struct Row {
        QLabel* name;
        std::array<QLabel*, kColumns> values;
    };
    TimelineView& m_view;
    SpanBadge* m_badge;
    QLabel* m_title;
    ElidedLabel *m_place, *m_against;
    QLabel* m_unit;
    std::array<Row, 2> m_rows; // what is selected, and its partner
    std::array<ElidedLabel*, 2> m_waits;
    QLabel* m_waitsTitle;
    QLayout* buildName();
    QLayout* buildTimes();
    QLayout* buildWaits();
    void show(SpanRef span);
    void fill(Row& row, SpanRef span);
    [[nodiscard]] QString sideName(TraceSide side) const;
    void refresh();
};

} // namespace stageloom
