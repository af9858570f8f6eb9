// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_baseline.h"
#include "ui/runs/run_comparison.h"
#include "ui/state/runs_state.h"
#include <QList>
#include <QObject>

class QMenu;
class QPushButton;
class QWidget;

namespace stageloom {

class CurvePlot;

// What one does with chosen runs: export, delete, run again. Owns nothing on screen but the three
// buttons of the page's header.
class RunsActions : public QObject {
    Q_OBJECT
public:
    RunsActions(RunsState& runs, RunComparison& comparison, RunBaseline& baseline, CurvePlot& plot,
        QWidget& page);
    [[nodiscard]] QList<QWidget*> buttons() const;
    void setChosen(const std::vector<RunId>& ids);
    void update(); // the chosen runs may have ended
    void fillMenu(QMenu& menu); // for a right click on the table
    void askDelete();

signals:
    void message(const QString& sentence);
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
    CurvePlot& m_plot;
    QWidget& m_page;
    std::vector<RunId> m_chosen;
    QPushButton *m_delete, *m_export, *m_again;
};

} // namespace stageloom
