// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/trace_difference_model.h"
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace stageloom {

class EmptyNotice;
class WorkLine;
class TimelineTools;
class TimelineView;

// The measured traces of two runs, action by action: by kind in a table, in time below it.
class RunsTracesTab : public QWidget {
    Q_OBJECT
public:
    explicit RunsTracesTab(RunComparison& comparison, QWidget* parent = nullptr);
    void showRuns(const std::vector<RunId>& ids);
    bool openSearch(); // false where there is nothing to search

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildLine();
    QWidget* buildContent();
    void load();
    void showNotice(const QString& hint);
    void showTraces();
    void showProgress();
    void stop();
    void goToWorst(int row);

    RunComparison& m_comparison;
    TraceDifferenceModel m_model;
    QWidget* m_line; // which two runs
    QStackedLayout* m_stack;
    EmptyNotice* m_notice;
    QComboBox *m_base, *m_other;
    QLabel* m_summary;
    QTableView* m_table;
    TimelineView* m_timeline;
    TimelineTools* m_tools;
    WorkLine* m_progress;
    QTimer m_look; // how far the reading is
    QPushButton* m_again; // reads what was stopped
    bool m_due = false; // chosen while hidden: traces are large, so only read to be seen
};

} // namespace stageloom
