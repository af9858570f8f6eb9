// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_baseline.h"
#include "ui/runs/run_comparison.h"
#include "ui/state/runs_state.h"
#include <QList>
#include <QObject>
#include <QTimer>

class QMenu;
class QPushButton;
class QWidget;

namespace stageloom {

class PlotSheet;
class WorkLine;

// What one does with chosen runs: export, delete, run again. Owns nothing on screen but the three
// buttons of the page's header.
class RunsActions : public QObject {
    Q_OBJECT
public:
    RunsActions(RunsState& runs, RunComparison& comparison, RunBaseline& baseline, PlotSheet& plots,
        QWidget& page);
    [[nodiscard]] QList<QWidget*> buttons() const;
    // The ticked runs, for export and delete, and the one of the current row, to run it again.
    void setChosen(const std::vector<RunId>& ids, RunId current);
    [[nodiscard]] WorkLine& progress() { return *m_progress; } // of what is being written
    void update(); // the chosen runs may have ended
    void fillMenu(QMenu& menu); // for a right click on the table
    void askDelete();

signals:
    void done(const QString& sentence);
    void failed(const QString& sentence);
    void copyAsked();

private:
    void fillBaselineEntry(QMenu& menu);
    void fillExportMenu(QMenu& menu);
    void exportTo(const QString& title, const QString& ending, std::optional<ExportForm> form);
    void runAgain();
    [[nodiscard]] std::vector<RunId> running() const; // of the chosen

    RunsState& m_runs;
    RunComparison& m_comparison;
    RunBaseline& m_baseline;
    PlotSheet& m_plots;
    QWidget& m_page;
    void showProgress();
    void stop();

    std::vector<RunId> m_chosen;
    RunId m_current;
    QString m_file; // that is being written
    WorkLine* m_progress;
    QTimer m_look;
    QPushButton *m_delete, *m_export, *m_again;
};

} // namespace stageloom
