// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_page_state.h"
#include "ui/state/workspace.h"
#include "ui/widgets/page.h"
#include <QTimer>

class QSplitter;
class QStackedLayout;
class QTabWidget;

namespace stageloom {

class EmptyNotice;
class MessageBar;
class RunsActions;
class RunsCurvesPanel;
class RunsDetailsTab;
class RunsListPanel;
class RunsParallelTab;
class RunsPlansTab;
class RunsTimelineTab;
class RunsTracesTab;

// The table of runs, the curves of the chosen ones on one another, and what else differs beside.
class RunsPage : public Page {
    Q_OBJECT
public:
    explicit RunsPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Runs"); }
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;
    [[nodiscard]] bool isBusy() const; // reads what is not on screen yet

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Stack { Busy, Nothing, Broken, Content };
    QWidget* buildBroken();
    QWidget* buildContent();
    QWidget* buildTabs();
    void connectParts();
    void find();
    void showRuns();
    void showError();
    void showChosen();
    void followChosen();
    void showFirst(); // what tabs say of one run
    [[nodiscard]] bool chosenGoesOn() const;
    [[nodiscard]] bool goesOn(RunId id) const;
    void shareHeight(); // the table is as high as its rows, until a hand drags it
    void compareEvaluations();
    void giveColours(const std::vector<RunId>& shown);
    void checkBaseline();

    Workspace& m_workspace;
    RunsState& m_runs;
    RunsPageState m_state;
    MessageBar* m_message;
    QStackedLayout* m_stack;
    EmptyNotice* m_broken = nullptr;
    RunsListPanel* m_list;
    RunsCurvesPanel* m_curves;
    RunsPlansTab* m_plans;
    RunsTracesTab* m_traces;
    RunsParallelTab* m_parallel;
    RunsDetailsTab* m_details;
    RunsTimelineTab* m_timeline;
    QTabWidget* m_tabs = nullptr;
    RunsActions* m_actions;
    QSplitter* m_parts = nullptr; // the table over the rest
    bool m_due = false; // rows or the choice changed while the page was hidden
    bool m_dragged = false; // the splitter, by a hand
    QTimer m_chosenDelay; // a swept selection is read once
    bool m_opened = false; // a run was chosen, by a hand or at the start
    bool m_goesOn = false; // a chosen run went on at the last look
};

} // namespace stageloom
