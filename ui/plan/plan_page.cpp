// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_page.h"

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
#include "ui/widgets/elided_label.h"
#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace stageloom {

namespace {

constexpr int kSideWidth = 420, kNarrowSide = 372, kWide = 1340; // px
constexpr int kLeastMemory = 84; // of its rows
constexpr int kHeadRest = 220; // of the stages' head beside its controls and legend

} // namespace

// Says which plan is looked at, and takes it or goes back.
class PreviewBar : public QFrame {
public:
    PreviewBar()
        : m_words(new ElidedLabel("plain"))
        , m_use(new QPushButton(PlanPage::tr("Use this plan")))
        , m_back(new QPushButton(PlanPage::tr("Back")))
    {
        setObjectName(QStringLiteral("done message"));
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(Theme::kPadding, 4, 6, 4);
        layout->addWidget(m_words, 1);
        layout->addWidget(m_use);
        layout->addWidget(m_back);
        m_use->setToolTip(PlanPage::tr("Take it in place of the plan that is open; Undo brings "
                                       "that one back"));
        m_back->setToolTip(PlanPage::tr("Show the plan that is open again (Esc)"));
        hide();
    }
    ElidedLabel* m_words;
    QPushButton *m_use, *m_back;
};

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
    outer->addWidget(m_previewBar = new PreviewBar);
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
    columns->addWidget(m_side = buildSide());
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
    QString words = document.isRecovered() ? tr("%1 · edits recovered after a crash").arg(file)
        : document.isDirty()               ? tr("%1 · edited").arg(file)
                                           : file;
    if (m_workspace.pinned.isPinned())
        words = tr("%1 · compared with %2").arg(words, m_workspace.pinned.name());
    return words;
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
        layout->addWidget(m_steps = new FirstSteps);
    m_stagesPanel = new Panel(tr("Stages"));
    m_controls = new PlanControls;
    m_stagesPanel->addControl(m_controls);
    m_stagesPanel->addControl(m_legend = new MemoryLegend);
    m_legend->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_legend->hide(); // until there is room: it must not widen the window
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
    m_memoryScroll->setMinimumHeight(kLeastMemory);
    m_memoryScroll->setWidget(m_memory);
    m_memoryScroll->viewport()->setAutoFillBackground(false);
    m_memory->setAutoFillBackground(false);
    memory->body()->addWidget(m_memoryScroll);
    // The strip has each stage's memory: this panel is for what is in it, and for free devices.
    m_docks->add(memory, QStringLiteral("memory"))->hide();
    m_timelinePanel = new Panel(tr("Predicted timeline"));
    m_timeline = new TimelineView;
    buildComparing();
    m_timelinePanel->addControl(new TimelineTools(m_timeline));
    m_timelinePanel->body()->addWidget(new TimelineDesk(m_timeline), 1);
    m_docks->add(m_timelinePanel, QStringLiteral("timeline"));
    m_docks->restore();
    layout->addWidget(m_docks, 1);
    m_stagesPanel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return main;
}

QWidget* PlanPage::buildSide()
{
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    m_summary = new SummaryPanel;
    m_checks = new ChecksPanel;
    m_plans = new PlansPanel;
    m_checks->setMinimumHeight(84); // a finding in sight
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
    m_undo->setEnabled(false);
    m_redo->setEnabled(false);
    connect(&undo, &QUndoStack::canUndoChanged, m_undo, &QWidget::setEnabled);
    connect(&undo, &QUndoStack::canRedoChanged, m_redo, &QWidget::setEnabled);
    connect(m_undo, &QPushButton::clicked, &undo, &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, &undo, &QUndoStack::redo);
    m_train->setEnabled(false); // until a plan is predicted
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
        if (m_steps != nullptr)
            m_steps->finish();
    });
    connect(m_strip, &StageStrip::recomputeToggled, this, [&document](int stage) {
        document.edit(tr("toggle recompute"), withRecomputeToggled(document.plan(), stage));
    });
    connect(m_strip, &StageStrip::splitAsked, this, &PlanPage::splitStage);
    connect(m_strip, &StageStrip::mergeAsked, this, [&document](int border) {
        document.edit(tr("merge stages"), withMerged(document.plan(), border));
    });
    connect(m_strip, &StageStrip::deviceAsked, this, &PlanPage::moveStage);
    connect(m_strip, &StageStrip::stageHeld, this, &PlanPage::holdStage);
    connect(m_strip, &StageStrip::stageDropped, this, &PlanPage::dropStage);
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
    connect(m_plans, &PlansPanel::planChosen, this, &PlanPage::useFound);
    connect(m_plans, &PlansPanel::previewed, this, &PlanPage::lookAt);
    connect(m_previewBar->m_back, &QPushButton::clicked, this, &PlanPage::endPreview);
    connect(m_previewBar->m_use, &QPushButton::clicked, this, [this] {
        if (m_preview)
            useFound(Plan(*m_preview));
    });
    connect(new QShortcut(QKeySequence(Qt::Key_Escape), m_previewBar), &QShortcut::activated, this,
        &PlanPage::endPreview);
    // What the planner found for another document is not this one's.
    connect(&document, &PlanDocument::opened, this, [this, &document] {
        if (!m_plans->holds(document.plan()))
            m_plans->clear();
    });
    connect(&document, &PlanDocument::planChanged, this, [this] {
        endPreview();
        showPlan();
    });
    connect(&m_workspace.pinned, &PinnedPlan::changed, this, &PlanPage::showComparison);
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
        m_plans->setBusy(caption);
        showPlan();
    };
    connect(&planner, &PlannerState::started, this, [this] {
        showPlan();
        m_ask->setText(tr("Stop looking"));
        m_plans->setBusy(tr("looking…"));
    });
    connect(&planner, &PlannerState::answered, this, [this, idle] {
        endPreview();
        m_plans->show(m_workspace.planner.sharedAnswer());
        idle({});
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
    const auto lacking = [&document] {
        const Plan& plan = document.plan();
        return freeDevices(plan).size() < static_cast<std::size_t>(plan.width());
    };
    if (lacking())
        m_message->showWhile(tr("Every device has a stage already: merge two stages first, or "
                                "add a device on the Topology page."),
            lacking);
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

void PlanPage::useFound(const Plan& plan)
{
    Plan next = plan;
    next.name = m_workspace.document.plan().name;
    m_workspace.document.edit(tr("take a plan found"), std::move(next));
    endPreview(); // also where it was the document's already
}

void PlanPage::buildComparing()
{
    const auto add = [this](const QString& word, const QString& words, const QString& tip,
                         const QKeySequence& key) {
        auto* action = new QAction(words, this); // for the menu
        action->setIconText(word); // for its button
        action->setToolTip(tip);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::TabFocus);
        button->setMinimumHeight(28);
        connect(action, &QAction::changed, button, [button, action] {
            button->setVisible(action->isEnabled() || !action->data().toBool());
        });
        m_timelinePanel->addControl(button);
        return action;
    };
    m_pin = add(tr("Pin"), tr("P&in this plan as A"),
        tr("Keep this plan as A and compare every edit with it (P)"), QKeySequence(Qt::Key_P));
    m_swap = add(tr("Swap"), tr("S&wap A and the plan that is edited"),
        tr("Edit the pinned plan, and pin this one (Shift+P)"), QKeySequence(tr("Shift+P")));
    m_unpin = add(tr("Unpin"), tr("U&npin A"), tr("Compare with the saved plan again"), {});
    connect(m_pin, &QAction::triggered, this, &PlanPage::pinShown);
    connect(m_swap, &QAction::triggered, this, &PlanPage::swapPlans);
    connect(m_unpin, &QAction::triggered, &m_workspace.pinned, &PinnedPlan::unpin);
    for (QAction* action : { m_swap, m_unpin }) { // out of sight while nothing is pinned
        action->setData(true);
        action->setEnabled(false);
    }
}

void PlanPage::pinShown()
{
    const PlanDocument& document = m_workspace.document;
    if (!document.isOpen())
        return;
    const bool file = !m_preview && !document.file().isEmpty() && !document.isDirty();
    QString name = document.file().section(u'/', -1);
    name.remove(QStringLiteral(".plan.json"));
    m_workspace.pinned.pin(shownPlan(), file ? name : shortPlanText(shownPlan()));
}

void PlanPage::swapPlans()
{
    PinnedPlan& pinned = m_workspace.pinned;
    if (!pinned.isPinned() || !m_workspace.document.isOpen())
        return;
    Plan next = pinned.plan();
    pinShown();
    m_workspace.document.edit(tr("swap with the pinned plan"), std::move(next));
}

void PlanPage::lookAt(const Plan* plan, std::shared_ptr<const Prediction> prediction)
{
    if (plan == nullptr) {
        m_preview.reset();
        m_previewPrediction.reset();
    } else {
        m_preview = *plan;
        m_previewPrediction = std::move(prediction);
        m_previewBar->m_words->setWords(
            tr("You look at %1: %2, b %3, m %4. %5 stays as it is.")
                .arg(scheduleTitle(plan->schedule), layoutWords(plan->depth(), plan->width()))
                .arg(plan->microbatchSize)
                .arg(plan->microbatches)
                .arg(m_workspace.document.title()));
    }
    m_previewBar->setVisible(m_preview.has_value());
    for (QWidget* editor : std::initializer_list<QWidget*> { m_strip, m_controls })
        editor->setEnabled(!m_preview);
    showPlan();
    showPrediction();
}

void PlanPage::endPreview()
{
    if (!m_preview)
        return;
    m_plans->endPreview();
    lookAt(nullptr, nullptr);
}

const Plan& PlanPage::shownPlan() const
{
    return m_preview ? *m_preview : m_workspace.document.plan();
}

Predictor::Shared PlanPage::shownPrediction() const
{
    if (m_preview)
        return m_previewPrediction;
    return m_workspace.predictor.prediction();
}

QString PlanPage::problem() const
{
    return m_preview ? QString() : m_workspace.predictor.error();
}

void PlanPage::holdStage(int stage, const QPoint& place)
{
    const int other = m_strip->stageUnder(place);
    m_strip->setDropTarget(other == stage ? -1 : other);
    m_memory->setDropTarget(
        m_memory->isVisible() ? m_memory->deviceAt(m_memory->mapFromGlobal(place)) : -1);
}

// On another stage they change devices; on a device of the memory panel it goes there.
void PlanPage::dropStage(int stage, const QPoint& place)
{
    m_strip->setDropTarget(-1);
    m_memory->setDropTarget(-1);
    const auto& stages = m_workspace.document.plan().stages;
    int device = -1;
    if (const int other = m_strip->stageUnder(place);
        other >= 0 && other != stage && !stages[static_cast<std::size_t>(other)].devices.empty())
        device = stages[static_cast<std::size_t>(other)].devices.front();
    else if (m_memory->isVisible())
        device = m_memory->deviceAt(m_memory->mapFromGlobal(place));
    if (device >= 0)
        moveStage(stage, device);
}

void PlanPage::fitWidth()
{
    m_side->setFixedWidth(width() >= kWide ? kSideWidth : kNarrowSide);
    m_legend->setVisible(width() - m_side->width()
        >= m_controls->sizeHint().width() + m_legend->sizeHint().width() + kHeadRest);
}

void PlanPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    fitWidth();
}

void PlanPage::showPlan()
{
    const bool open = m_workspace.document.isOpen();
    const bool looking = m_workspace.planner.isBusy();
    m_stack->setCurrentIndex(open ? Content : looking ? Looking : Nothing);
    m_ask->setEnabled(open);
    emit headerChanged();
    m_message->recheck();
    if (!open)
        return;
    m_strip->setPlan(shownPlan());
    const PinnedPlan& pinned = m_workspace.pinned;
    m_strip->setGhost(pinned.isPinned() ? &pinned.plan() : nullptr);
    m_plans->follow(m_workspace.document.plan(), pinned.isPinned() ? &pinned.plan() : nullptr);
    m_controls->show(shownPlan());
}

// The pinned plan changed, or what is known of it.
void PlanPage::showComparison()
{
    const PinnedPlan& pinned = m_workspace.pinned;
    for (QAction* action : { m_swap, m_unpin })
        action->setEnabled(pinned.isPinned());
    m_timeline->setCompared(pinned.shared(), pinned.name());
    showPlan();
    showPrediction();
}

void PlanPage::showChecks()
{
    const Plan& plan = shownPlan();
    const Predictor::Shared now = shownPrediction();
    const std::vector<PlanFinding> notes
        = now ? m_workspace.engine.notes(plan, now->model) : std::vector<PlanFinding>();
    m_checks->show(now.get(), problem(), notes);
    const QString refusal = EngineState::refusalOf(notes);
    const bool refused = !refusal.isEmpty();
    m_train->setEnabled(now != nullptr && !refused && !m_preview);
    m_train->setToolTip(m_preview ? tr("A plan that is only looked at does not train: use it first")
            : refused             ? refusal
            : !problem().isEmpty() ? problem()
            : now                  ? tr("Train with this plan")
                                   : tr("The plan is not predicted yet"));
    const ScheduleInfo* info = findSchedule(plan.schedule);
    const int least = info != nullptr ? info->leastMicrobatches(plan.depth()) : 1;
    if (!problem().isEmpty() && plan.microbatches < least)
        m_checks->offer(tr("Use %n microbatch(es)", nullptr, least), [this, least] {
            PlanDocument& document = m_workspace.document;
            document.edit(tr("change microbatches"), withMicrobatches(document.plan(), least));
        });
    else if (refused && !m_preview)
        m_checks->offer(
            tr("Plan it for this machine's CPU"), [this] { m_workspace.search.planForCpu(); });
    else
        m_checks->offer({}, {});
}

void PlanPage::showPrediction()
{
    m_workspace.engine.ask();
    showChecks();
    if (!m_workspace.document.isOpen())
        return;
    const Predictor::Shared now = shownPrediction();
    // While the hand moves, what is predicted is the plan of a moment ago.
    const Plan& plan = now && !m_preview ? m_workspace.predictor.plan() : shownPlan();
    const PinnedPlan& pinned = m_workspace.pinned;
    m_strip->setPrediction(now);
    m_memory->setPrediction(plan, now);
    m_memoryScroll->setMaximumHeight(
        2 * m_memoryScroll->frameWidth() + std::max(kLeastMemory, m_memory->sizeHint().height()));
    PlanColumn other;
    if (pinned.isPinned())
        other = { pinned.shared(), QStringLiteral("A"), pinned.name() };
    else if (m_preview)
        other = { m_workspace.predictor.prediction(), QStringLiteral("B"),
            m_workspace.document.title() };
    else if (m_workspace.document.isDirty())
        other = { m_workspace.savedPredictor.prediction(), tr("saved"),
            tr("As it was opened or saved last") };
    m_summary->show({ now, m_preview ? QStringLiteral("B′") : QStringLiteral("B"),
                        m_preview ? shortPlanText(plan) : m_workspace.document.title() },
        other, problem());
    if (now)
        m_timeline->setPlanHead(
            m_preview ? shortPlanText(plan) : m_workspace.document.title(), *now);
    m_timelinePanel->setCaption(now == nullptr ? QString()
                                               : tr("%1 · %2 microbatches of %3")
                                                     .arg(scheduleTitle(plan.schedule))
                                                     .arg(plan.microbatches)
                                                     .arg(plan.microbatchSize));
    std::vector<double> capacities;
    for (std::size_t s = 0; now && s < plan.stages.size(); ++s)
        capacities.push_back(s < now->stages.size() ? now->stages[s].capacityBytes : 0);
    m_timeline->setDeviceNames(stageDeviceLabels(plan.stages, plan.topology));
    m_timeline->setCapacities(capacities);
    m_timeline->setPlan(now ? now->trace : Trace());
}

} // namespace stageloom
