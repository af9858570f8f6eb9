// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/page.h"

class QAction;
class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace stageloom {

class ChecksPanel;
class FirstSteps;
class MemoryBars;
class MemoryLegend;
class MessageBar;
class Panel;
class PlanControls;
class PlansPanel;
class PreviewBar;
class StageStrip;
class SummaryPanel;
class TimelineView;

// The heart: stages and predicted timeline, with the numbers, the checks and the plans found beside
// them. Shows the document, or for a while a plan found that is only looked at; a pinned plan
// stands beside either.
class PlanPage : public Page {
    Q_OBJECT
public:
    explicit PlanPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;
    [[nodiscard]] DockArea* docks() const override { return m_docks; }
    void askPlanner();
    // Pin, unpin and swap the plans that are compared: for the menu.
    [[nodiscard]] QList<QAction*> comparing() const { return { m_pin, m_unpin, m_swap }; }

signals:
    void trainAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Stack { Nothing, Looking, Content };
    QWidget* buildMain();
    QWidget* buildSide();
    void buildActions();
    void connectEdits();
    void showPlan();
    void showPrediction();
    void buildComparing();
    void lookAt(const Plan* plan, std::shared_ptr<const Prediction> prediction); // null: none
    void endPreview();
    void useFound(const Plan& plan);
    void pinShown();
    void swapPlans();
    void showComparison();
    void showChecks();
    void dropStage(int stage, const QPoint& place);
    void holdStage(int stage, const QPoint& place);
    void fitWidth();
    // What stands on the page: the plan looked at, else the document's. Null while there is none.
    [[nodiscard]] const Plan& shownPlan() const;
    [[nodiscard]] Predictor::Shared shownPrediction() const;
    [[nodiscard]] QString problem() const; // why it has no numbers; empty: it has
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
    QWidget* m_side = nullptr;
    MemoryLegend* m_legend = nullptr;
    FirstSteps* m_steps = nullptr;
    PreviewBar* m_previewBar = nullptr;
    QAction *m_pin = nullptr, *m_unpin = nullptr, *m_swap = nullptr;
    std::optional<Plan> m_preview; // found by the planner and looked at
    Predictor::Shared m_previewPrediction;
    QPushButton *m_undo = nullptr, *m_redo = nullptr, *m_ask = nullptr, *m_train = nullptr;
    QStackedLayout* m_stack = nullptr;
    int m_gesture = 0;
};

} // namespace stageloom
