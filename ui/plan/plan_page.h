// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/page.h"

class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace stageloom {

class ChecksPanel;
class MemoryBars;
class MessageBar;
class Panel;
class PlanControls;
class PlansPanel;
class StageStrip;
class SummaryPanel;
class TimelineView;

// The heart: stages, memory and predicted timeline, with the numbers and checks beside them.
class PlanPage : public Page {
    Q_OBJECT
public:
    explicit PlanPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;
    [[nodiscard]] DockArea* docks() const override { return m_docks; }
    void askPlanner();

signals:
    void trainAsked();

private:
    enum Stack { Nothing, Looking, Content };
    QWidget* buildMain();
    QWidget* buildSide();
    void buildActions();
    void connectEdits();
    void showPlan();
    void showPrediction();
    void adoptFound(const Plan& plan);
    void connectPlanner();
    void splitStage(int firstLayer);
    void moveStage(int stage, int device);
    void goTo(const QString& path); // a finding's place in the document

    Workspace& m_workspace;
    DockArea* m_docks = nullptr;
    StageStrip* m_strip = nullptr;
    MemoryBars* m_memory = nullptr;
    QScrollArea* m_memoryScroll = nullptr;
    TimelineView* m_timeline = nullptr;
    SummaryPanel* m_summary = nullptr;
    ChecksPanel* m_checks = nullptr;
    PlansPanel* m_plans = nullptr;
    PlanControls* m_controls = nullptr;
    MessageBar* m_message = nullptr;
    Panel *m_stagesPanel = nullptr, *m_timelinePanel = nullptr;
    QPushButton *m_undo = nullptr, *m_redo = nullptr, *m_ask = nullptr, *m_train = nullptr;
    QStackedLayout* m_stack = nullptr;
    int m_gesture = 0;
};

} // namespace stageloom
