// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_page.h"

#include "core/base/units.h"
#include "core/schedule/registry.h"
#include "ui/plan/checks_panel.h"
#include "ui/plan/first_steps.h"
#include "ui/plan/memory_bars.h"
#include "ui/plan/plan_controls.h"
#include "ui/plan/plan_edits.h"
#include "ui/plan/planner_dialog.h"
#include "ui/plan/plans_panel.h"
#include "ui/plan/stage_strip.h"
#include "ui/plan/summary_panel.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_desk.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/dock_area.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr int kSideWidth = 308;

} // namespace

PlanPage::PlanPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_message(new MessageBar)
    , m_stack(new QStackedLayout)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 16, 12);
    outer->setSpacing(Theme::kGap);
    outer->addWidget(m_message);
    outer->addLayout(m_stack, 1);
    m_stack->addWidget(new EmptyNotice(tr("No plan is open"),
        tr("Drop a *.plan.json, a model's config.json or its folder here, or open one with "
           "Ctrl+O.")));
    m_stack->addWidget(new EmptyNotice(tr("Looking for a plan…"),
        tr("Every depth and microbatch size is tried; the fastest that fits is shown here.")));
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(16);
    columns->addWidget(buildMain(), 1);
    columns->addWidget(buildSide());
    m_stack->addWidget(content);
    buildActions();
    connectEdits();
    showPlan();
}

QString PlanPage::title() const
{
    return m_workspace.document.title();
}

QString PlanPage::subtitle() const
{
    const PlanDocument& document = m_workspace.document;
    if (!document.isOpen())
        return {};
    const QString file
        = document.file().isEmpty() ? tr("not saved yet") : document.file().section(u'/', -1);
    if (document.isRecovered())
        return tr("%1 · edits recovered after a crash").arg(file);
    return document.isDirty() ? tr("%1 · edited").arg(file) : file;
}

QList<QWidget*> PlanPage::actions() const
{
    return { m_undo, m_redo, m_ask, m_train };
}

QWidget* PlanPage::buildMain()
{
    auto* main = new QWidget;
    auto* layout = new QVBoxLayout(main);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    if (FirstSteps::isWanted())
        layout->addWidget(new FirstSteps);
    m_stagesPanel = new Panel(tr("Stages"));
    m_controls = new PlanControls;
    m_stagesPanel->addControl(m_controls);
    m_strip = new StageStrip;
    m_stagesPanel->body()->addWidget(m_strip);
    m_docks = new DockArea(QStringLiteral("plan"));
    m_docks->add(m_stagesPanel, QStringLiteral("stages"));
    auto* memory = new Panel(tr("Memory per device"));
    memory->addControl(new MemoryLegend);
    m_memory = new MemoryBars;
    m_memoryScroll = new QScrollArea; // 64 devices must not bury the timeline
    m_memoryScroll->setWidgetResizable(true);
    m_memoryScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_memoryScroll->setWidget(m_memory);
    m_memoryScroll->viewport()->setAutoFillBackground(false);
    m_memory->setAutoFillBackground(false);
    memory->body()->addWidget(m_memoryScroll);
    m_docks->add(memory, QStringLiteral("memory"));
    m_timelinePanel = new Panel(tr("Predicted timeline"));
    m_timeline = new TimelineView;
    m_timelinePanel->addControl(new TimelineTools(m_timeline));
    m_timelinePanel->body()->addWidget(new TimelineDesk(m_timeline), 1);
    m_docks->add(m_timelinePanel, QStringLiteral("timeline"));
    m_docks->restore();
    layout->addWidget(m_docks, 1);
    for (Panel* low : { m_stagesPanel, memory }) // the timeline gets what is left
        low->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return main;
}

QWidget* PlanPage::buildSide()
{
    auto* side = new QWidget;
    side->setFixedWidth(kSideWidth);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    m_summary = new SummaryPanel;
    m_checks = new ChecksPanel;
    m_plans = new PlansPanel;
    m_checks->setMinimumHeight(150); // two findings in sight
    layout->addWidget(m_summary);
    layout->addWidget(m_checks, 2);
    layout->addWidget(m_plans, 3);
    return side;
}

void PlanPage::buildActions()
{
    QUndoStack& undo = m_workspace.document.undoStack();
    m_undo = new QPushButton(tr("Undo"));
    m_redo = new QPushButton(tr("Redo"));
    m_ask = new QPushButton(tr("Plan for me…"));
    m_train = new QPushButton(tr("Train"));
    m_train->setObjectName(QStringLiteral("primary"));
    m_undo->setToolTip(tr("Undo the last edit (Ctrl+Z)"));
    m_redo->setToolTip(tr("Redo what was undone (Ctrl+Shift+Z)"));
    m_ask->setToolTip(tr("Look for the fastest plans of this model on this machine (Ctrl+P)"));
    m_train->setToolTip(tr("Train with this plan"));
    m_undo->setEnabled(false);
    m_redo->setEnabled(false);
    connect(&undo, &QUndoStack::canUndoChanged, m_undo, &QWidget::setEnabled);
    connect(&undo, &QUndoStack::canRedoChanged, m_redo, &QWidget::setEnabled);
    connect(m_undo, &QPushButton::clicked, &undo, &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, &undo, &QUndoStack::redo);
    connect(m_ask, &QPushButton::clicked, this, &PlanPage::askPlanner);
    connect(m_train, &QPushButton::clicked, this, &PlanPage::trainAsked);
}

void PlanPage::connectEdits()
{
    PlanDocument& document = m_workspace.document;
    connect(m_strip, &StageStrip::gestureStarted, this,
        [this, &document] { m_gesture = document.newGesture(); });
    connect(m_strip, &StageStrip::borderMoved, this, [this, &document](int border, int layer) {
        document.edit(tr("move border"), withBorder(document.plan(), border, layer), m_gesture);
    });
    connect(m_strip, &StageStrip::recomputeToggled, this, [&document](int stage) {
        document.edit(tr("toggle recompute"), withRecomputeToggled(document.plan(), stage));
    });
    connect(m_strip, &StageStrip::splitAsked, this, &PlanPage::splitStage);
    connect(m_strip, &StageStrip::mergeAsked, this, [&document](int border) {
        document.edit(tr("merge stages"), withMerged(document.plan(), border));
    });
    connect(m_strip, &StageStrip::deviceAsked, this, &PlanPage::moveStage);
    connect(m_strip, &StageStrip::stageHeld, this, [this](int, const QPoint& place) {
        m_memory->setDropTarget(m_memory->deviceAt(m_memory->mapFromGlobal(place)));
    });
    connect(m_strip, &StageStrip::stageDropped, this, [this](int stage, const QPoint& place) {
        m_memory->setDropTarget(-1);
        if (const int device = m_memory->deviceAt(m_memory->mapFromGlobal(place)); device >= 0)
            moveStage(stage, device);
    });
    connect(m_checks, &ChecksPanel::placeNamed, this, &PlanPage::goTo);
    connect(m_controls, &PlanControls::scheduleChosen, this, [&document](const QString& name) {
        document.edit(tr("change schedule"), withSchedule(document.plan(), name.toStdString()));
    });
    connect(m_controls, &PlanControls::microbatchSizeChosen, this, [&document](int samples) {
        document.edit(tr("change microbatch size"), withMicrobatchSize(document.plan(), samples));
    });
    connect(m_controls, &PlanControls::microbatchesChosen, this, [&document](int count) {
        document.edit(tr("change microbatches"), withMicrobatches(document.plan(), count));
    });
    connect(m_plans, &PlansPanel::planChosen, this, &PlanPage::adoptFound);
    connect(&document, &PlanDocument::planChanged, this, &PlanPage::showPlan);
    connect(&document, &PlanDocument::documentChanged, this, &Page::headerChanged);
    connect(&m_workspace.predictor, &Predictor::predicted, this, &PlanPage::showPrediction);
    connect(&m_workspace.savedPredictor, &Predictor::predicted, this, &PlanPage::showPrediction);
    connect(&m_workspace.engine, &EngineState::answered, this, &PlanPage::showPrediction);
    connectPlanner();
}

void PlanPage::connectPlanner()
{
    PlannerState& planner = m_workspace.planner;
    const auto idle = [this](const QString& caption) {
        m_ask->setText(tr("Plan for me…"));
        m_plans->setCaption(caption);
        showPlan();
    };
    connect(&planner, &PlannerState::started, this, [this] {
        showPlan();
        m_ask->setText(tr("Stop looking"));
        m_plans->setCaption(tr("looking…"));
    });
    connect(&planner, &PlannerState::answered, this, [this, idle] {
        idle({});
        m_plans->show(m_workspace.planner.answer());
    });
    connect(&planner, &PlannerState::failed, this, [idle] { idle({}); });
    connect(&planner, &PlannerState::cancelled, this, [idle] { idle(tr("stopped")); });
}

void PlanPage::askPlanner()
{
    if (m_workspace.planner.isBusy()) {
        m_workspace.planner.cancel();
        return;
    }
    if (!m_workspace.document.isOpen())
        return;
    PlannerDialog dialog(m_workspace.document.plan(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_workspace.planner.request(dialog.wish());
}

void PlanPage::splitStage(int firstLayer)
{
    PlanDocument& document = m_workspace.document;
    if (freeDevices(document.plan()).size() < static_cast<std::size_t>(document.plan().width()))
        m_message->showSentence(tr("Every device has a stage already: merge two stages first, or "
                                   "add a device on the Topology page."));
    else
        document.edit(tr("split stage"), withSplit(document.plan(), firstLayer));
}

void PlanPage::moveStage(int stage, int device)
{
    PlanDocument& document = m_workspace.document;
    document.edit(tr("move stage"), withStageOnDevice(document.plan(), stage, device));
}

void PlanPage::goTo(const QString& path)
{
    const QStringList parts = path.split(u'/');
    if (parts.size() > 2 && parts[1] == QStringLiteral("stages"))
        m_strip->chooseStage(parts[2].toInt());
    else if (parts.size() > 1 && parts[1] == QStringLiteral("profile"))
        emit m_workspace.modelAsked(); // where layers are measured
    else if (parts.size() > 1)
        m_controls->focusFor(parts[1]);
}

void PlanPage::adoptFound(const Plan& plan)
{
    Plan next = plan;
    next.name = m_workspace.document.plan().name;
    m_workspace.document.edit(tr("take a plan found"), std::move(next));
}

void PlanPage::showPlan()
{
    const bool open = m_workspace.document.isOpen();
    const bool looking = m_workspace.planner.isBusy();
    m_stack->setCurrentIndex(open ? Content : looking ? Looking : Nothing);
    m_ask->setEnabled(open);
    m_train->setEnabled(open);
    emit headerChanged();
    if (!open)
        return;
    m_strip->setPlan(m_workspace.document.plan());
    m_plans->follow(m_workspace.document.plan());
    m_controls->show(m_workspace.document.plan());
}

void PlanPage::showPrediction()
{
    const Predictor& predictor = m_workspace.predictor;
    const Predictor::Shared now = predictor.prediction();
    m_workspace.engine.ask();
    m_checks->show(now.get(), predictor.error(),
        now ? m_workspace.engine.notes(m_workspace.document.plan(), now->model)
            : std::vector<PlanFinding>());
    if (!now)
        return;
    const Plan& plan = m_workspace.document.plan();
    m_strip->setPrediction(now);
    m_memory->setPrediction(plan, now);
    constexpr int kMostShown = 8; // rows; the others are scrolled to
    m_memoryScroll->setFixedHeight(2 * m_memoryScroll->frameWidth()
        + m_memory->sizeHint().height() * std::min(kMostShown, m_memory->rowCount())
            / std::max(1, m_memory->rowCount()));
    m_summary->show(now, m_workspace.savedPredictor.prediction());
    m_stagesPanel->setCaption(tr("%1 layers · %2 parameters · drag a border, double-click a stage")
                                  .arg(now->model.layers.size())
                                  .arg(countText(static_cast<double>(now->model.parameters))));
    const ScheduleInfo* info = findSchedule(plan.schedule);
    m_timelinePanel->setCaption(
        tr("%1 · %2 microbatches of %3 · colour: stage, shade: forward / backward")
            .arg(QString::fromStdString(info != nullptr ? info->title : plan.schedule))
            .arg(plan.microbatches)
            .arg(plan.microbatchSize));
    std::vector<double> capacities;
    for (std::size_t s = 0; s < plan.stages.size(); ++s)
        capacities.push_back(s < now->stages.size() ? now->stages[s].capacityBytes : 0);
    m_timeline->setDeviceNames(stageDeviceLabels(plan.stages, plan.topology));
    m_timeline->setCapacities(capacities);
    m_timeline->setPlan(now->trace);
}

} // namespace stageloom
