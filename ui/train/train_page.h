// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/log_model.h"
#include "ui/widgets/page.h"

class QPushButton;
class QStackedLayout;

namespace stageloom {

class LastBatchesPanel;
class LiveCurves;
class MessageBar;
class RunFactsPanel;
class TrainForm;
class WaitsPanel;

// Starts a run and follows it: curves, measured under predicted timeline, who waits, log.
class TrainPage : public Page {
    Q_OBJECT
public:
    explicit TrainPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;
    bool takeDropped(const QString& path) override; // text to train on
    [[nodiscard]] DockArea* docks() const override { return m_docks; }
    TrainForm& form() { return *m_form; }
    void start();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildMain();
    QWidget* buildSide();
    void buildActions();
    void connectRun();
    void connectPlan();
    void beginRun();
    void showPlanned();
    void showMetrics();
    void showStatus();
    void showEnd(RunState state, const QString& lastWords);
    void attachToRunning();
    [[nodiscard]] QString plannedWords() const;
    [[nodiscard]] QString obstacle() const; // what keeps the engine from training the open plan

    Workspace& m_workspace;
    LogModel m_log;
    MessageBar* m_message;
    QStackedLayout* m_stack;
    TrainForm* m_form = nullptr;
    DockArea* m_docks = nullptr;
    LiveCurves* m_curves = nullptr;
    LastBatchesPanel* m_batches = nullptr;
    RunFactsPanel* m_facts = nullptr;
    WaitsPanel* m_waits = nullptr;
    QPushButton *m_pause = nullptr, *m_stopAfter = nullptr, *m_stop = nullptr, *m_start = nullptr;
    std::vector<Span> m_spans; // arrived, not shown yet
    bool m_plannedDue = false; // the plan changed while the page was hidden
    QTimer m_showSpans, m_startGuard;
};

} // namespace stageloom
