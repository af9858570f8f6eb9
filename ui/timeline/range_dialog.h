// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/timeline/range_statistics_model.h"
#include "ui/timeline/scale.h"
#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QTableView;

namespace stageloom {

class TimelineView;

// The statistics of the range selected in a timeline, else of what is in sight there, as a table
// that stays open beside it and follows it. Many spans are counted in the pool.
class RangeDialog : public QDialog {
    Q_OBJECT
public:
    static constexpr std::size_t kMostAtOnce = 100'000; // spans that the GUI thread counts itself
    explicit RangeDialog(TimelineView* view);
    [[nodiscard]] bool isCounting() const { return m_job.running(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TimelineView* m_view;
    QLabel *m_range, *m_note;
    QComboBox* m_by;
    QTableView* m_table;
    RangeStatisticsModel m_model;
    QTimer m_soon; // several changes, one count
    LatestJob<OperationStatistics> m_job { this };
    bool m_stale = false; // what is being counted is no longer asked for
    void build();
    void follow();
    void count();
    void take(OperationStatistics statistics, GroupBy by);
    void copy(bool all);
    [[nodiscard]] GroupBy by() const;
};

} // namespace stageloom
