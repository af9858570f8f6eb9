// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_page.h"

#include "ui/runs/runs_actions.h"
#include "ui/runs/runs_curves_panel.h"
#include "ui/runs/runs_details_tab.h"
#include "ui/runs/runs_list_panel.h"
#include "ui/runs/runs_parallel_tab.h"
#include "ui/runs/runs_plans_tab.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/runs_timeline_tab.h"
#include "ui/runs/runs_traces_tab.h"
#include "ui/theme/theme.h"
#include "ui/widgets/copy_rows.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/remember.h"
#include "ui/widgets/work_line.h"
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>
#include <cmath>

namespace stageloom {

RunsPage::RunsPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_runs(workspace.runs)
    , m_state(workspace.runs.store())
    , m_message(new MessageBar)
    , m_stack(new QStackedLayout)
    , m_list(new RunsListPanel(m_state.model))
    , m_curves(new RunsCurvesPanel(m_state.comparison))
    , m_plans(new RunsPlansTab(m_state.comparison))
    , m_traces(new RunsTracesTab(m_state.comparison))
    , m_parallel(new RunsParallelTab(m_state.model))
    , m_details(new RunsDetailsTab(m_state.comparison))
    , m_timeline(new RunsTimelineTab(m_state.timeline))
    , m_actions(
          new RunsActions(m_runs, m_state.comparison, m_state.baseline, m_curves->sheet(), *this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 16, 12);
    outer->setSpacing(Theme::kGap);
    outer->addWidget(m_message);
    outer->addWidget(&m_actions->progress());
    outer->addLayout(m_stack, 1);
    m_stack->addWidget(new EmptyNotice(tr("Reading the runs…"), QString()));
    m_stack->addWidget(new EmptyNotice(tr("No runs yet"),
        tr("Start one on the Train page (Ctrl+4), or with `stageloom train`. Every run is kept "
           "here with its plan, curves, timeline and log.")));
    m_stack->addWidget(buildBroken());
    m_stack->addWidget(buildContent());
    m_chosenDelay.setSingleShot(true);
    m_chosenDelay.setInterval(80);
    m_curves->setSlots([this](RunId id) { return m_state.model.slotOf(id); });
    connectParts();
    showRuns();
}

void RunsPage::connectParts()
{
    RunsTable& table = m_list->table();
    connect(&m_runs, &RunsState::rowsChanged, this, &RunsPage::showRuns);
    connect(&m_runs, &RunsState::errorChanged, this, &RunsPage::showError);
    connect(&m_runs, &RunsState::failed, m_message, &MessageBar::showSentence);
    connect(&m_state.comparison, &RunComparison::failed, m_message, &MessageBar::showSentence);
    connect(&m_state.comparison, &RunComparison::requestLoaded, &m_workspace,
        &Workspace::runAgainAsked);
    connect(m_actions, &RunsActions::done, m_message, &MessageBar::showDone);
    connect(m_actions, &RunsActions::failed, m_message, &MessageBar::showSentence);
    connect(&m_state.comparison, &RunComparison::curvesLoaded, this, &RunsPage::compareEvaluations);
    connect(&table, &RunsTable::contentHeightChanged, this, &RunsPage::shareHeight);
    connect(m_actions, &RunsActions::copyAsked, this, [&table] { copyRows(table); });
    connect(&m_state.model, &RunsModel::edited, &m_runs, &RunsState::edit);
    connect(&table, &RunsTable::chosenChanged, &m_chosenDelay, qOverload<>(&QTimer::start));
    connect(&table, &RunsTable::deleteAsked, m_actions, &RunsActions::askDelete);
    connect(&table, &RunsTable::baselineAsked, &m_state.baseline, &RunBaseline::toggle);
    connect(&m_state.baseline, &RunBaseline::changed, this, [this] {
        m_state.model.setBaseline(m_state.baseline.pinned());
        showChosen();
    });
    connect(&table, &QWidget::customContextMenuRequested, this, [this, &table](const QPoint& at) {
        m_actions->setChosen(table.chosen(), table.current());
        QMenu menu(this);
        m_actions->fillMenu(menu);
        menu.exec(table.viewport()->mapToGlobal(at));
    });
    connect(&m_chosenDelay, &QTimer::timeout, this, &RunsPage::showChosen);
    connect(m_list, &RunsListPanel::shownChanged, m_parallel, &RunsParallelTab::refresh);
    connect(m_list, &RunsListPanel::brushDropAsked, m_parallel, &RunsParallelTab::dropBrushes);
    connect(m_parallel, &RunsParallelTab::brushed, m_list, &RunsListPanel::setOnly);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, &RunsPage::showChosen);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, &RunsPage::find);
}

// In the timeline that has the focus, else among the runs.
void RunsPage::find()
{
    const QWidget* focus = focusWidget();
    if (m_timeline->isAncestorOf(focus) && m_timeline->openSearch())
        return;
    if (m_traces->isAncestorOf(focus) && m_traces->openSearch())
        return;
    m_list->focusFilter();
}

QWidget* RunsPage::buildBroken()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    m_broken = new EmptyNotice(tr("The runs cannot be read"), QString());
    layout->addWidget(m_broken, 3);
    auto* retry = new QPushButton(tr("Try again"));
    retry->setToolTip(tr("Read the run store again"));
    connect(retry, &QPushButton::clicked, &m_runs, &RunsState::refresh);
    layout->addWidget(retry, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    return page;
}

QWidget* RunsPage::buildContent()
{
    auto* below = new QSplitter;
    below->addWidget(m_curves);
    below->addWidget(buildTabs());
    below->setSizes({ 830, 440 });
    below->setStretchFactor(0, 2);
    below->setStretchFactor(1, 1);
    m_parts = new QSplitter(Qt::Vertical);
    m_parts->addWidget(m_list);
    m_parts->addWidget(below);
    m_parts->setStretchFactor(1, 1);
    m_parts->setSizes({ 300, 500 });
    for (QSplitter* splitter : { below, m_parts }) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(Theme::kGap);
    }
    remember(*below, QStringLiteral("runs/splitter_below"));
    const QString key = QStringLiteral("runs/splitter");
    m_dragged = QSettings().contains(key);
    remember(*m_parts, key);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_dragged = true; });
    return m_parts;
}

QWidget* RunsPage::buildTabs()
{
    auto* panel = new QFrame;
    panel->setObjectName(QStringLiteral("panel"));
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(Theme::kPadding, 6, Theme::kPadding, 12);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setDrawBase(false);
    const std::tuple<QWidget*, QString, QString> tabs[] = {
        { m_details, tr("Details"), tr("Plan, machine, outcome and log of the current run") },
        { m_timeline, tr("Timeline"),
            tr("All that the current run measured, under what its plan foresaw") },
        { m_plans, tr("Plans"), tr("Where the plans of the ticked runs differ") },
        { m_traces, tr("Traces"), tr("Where the measured times of two runs differ") },
        { m_parallel, tr("Parallel coordinates"),
            tr("All runs that pass the filter, one line each") },
    };
    for (const auto& [tab, word, tip] : tabs)
        m_tabs->setTabToolTip(m_tabs->addTab(tab, word), tip);
    remember(*m_tabs, QStringLiteral("runs/tab"));
    layout->addWidget(m_tabs);
    return panel;
}

QString RunsPage::subtitle() const
{
    return m_runs.isLoaded() && m_runs.error().isEmpty()
        ? tr("%n run(s)", nullptr, static_cast<int>(m_runs.entries()->size()))
            + QStringLiteral(" · ") + timeZoneWords()
        : QString();
}

QList<QWidget*> RunsPage::actions() const
{
    return m_actions->buttons();
}

bool RunsPage::isBusy() const
{
    return !m_runs.isLoaded() || m_chosenDelay.isActive() || m_state.comparison.isBusy()
        || m_timeline->isBusy();
}

void RunsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    shareHeight();
    if (std::exchange(m_due, false)) {
        showRuns();
        showChosen();
    }
}

void RunsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    shareHeight();
}

void RunsPage::shareHeight()
{
    if (!m_parts || m_dragged)
        return;
    constexpr int kHead = 66; // px: the panel's title and margins
    constexpr double kMost = 0.42; // of the page
    const int height = this->height() - 28; // without the margins
    const int list
        = std::min(m_list->table().contentHeight() + kHead, static_cast<int>(kMost * height));
    m_parts->setSizes({ list, height - list - Theme::kGap });
}

// Of the runs whose points are read: so that an unfinished one is compared at the same step.
void RunsPage::compareEvaluations()
{
    EvaluationsByRun evaluations;
    for (const RunPoints& run : m_state.comparison.curves())
        for (const MetricPoint& point : run.points)
            if (std::isfinite(point.validationLoss))
                evaluations[run.id.value].emplace_back(point.step, point.validationLoss);
    m_state.model.setEvaluations(std::move(evaluations));
}

// Nothing is read or laid out for a page that nobody sees: it makes up for it when it is shown.
void RunsPage::showRuns()
{
    if (!isVisible() && m_opened) {
        m_due = true;
        emit headerChanged();
        return;
    }
    const RunEntries& entries = m_runs.entries();
    m_list->showRuns(entries);
    checkBaseline();
    showError();
    m_parallel->refresh();
    if (m_list->table().chosen().empty() && m_state.model.shownRuns() > 0 && !m_goesOn
        && !m_opened) // the newest, so that the page opens with something to look at
        m_list->table().choose(entries->front().row.id);
    followChosen();
    emit headerChanged();
}

void RunsPage::showError()
{
    const QString& error = m_runs.error();
    const bool any = !m_runs.entries()->empty();
    if (!error.isEmpty() && any)
        m_message->showSentence(error);
    m_broken->setHint(error);
    m_stack->setCurrentIndex(any ? Content
            : !error.isEmpty()   ? Broken
            : m_runs.isLoaded()  ? Nothing
                                 : Busy);
    emit headerChanged();
}

void RunsPage::giveColours(const std::vector<RunId>& shown)
{
    const std::vector<int> given = m_state.colours.show(shown);
    std::unordered_map<std::int64_t, int> marks;
    for (std::size_t i = 0; i < shown.size(); ++i)
        marks[shown[i].value] = given[i];
    m_state.model.setSlots(std::move(marks));
}

void RunsPage::checkBaseline()
{
    if (m_runs.isLoaded() && m_runs.error().isEmpty() && !m_runs.entry(m_state.baseline.pinned()))
        m_state.baseline.drop(); // it was deleted
    m_state.model.setBaseline(m_state.baseline.pinned());
}

void RunsPage::showChosen()
{
    if (!isVisible()) {
        m_due = true;
        return;
    }
    const std::vector<RunId> ids = m_list->table().chosen();
    m_opened = m_opened || !ids.empty();
    std::vector<RunId> shown = m_state.baseline.shown(ids);
    if (shown.size() > RunComparison::kMaxCurves) // the pinned one stands last and stays
        shown.erase(shown.begin() + RunComparison::kMaxCurves - 1, shown.end() - 1);
    giveColours(shown);
    m_curves->showRuns(shown, m_state.baseline.pinned(), m_list->table().current(), ids.size());
    const std::vector<RunId> compared = m_state.baseline.compared(ids);
    m_plans->showRuns(compared);
    m_traces->showRuns(compared);
    showFirst();
    m_parallel->refresh();
    m_actions->setChosen(ids, m_list->table().current());
    m_goesOn = chosenGoesOn();
}

void RunsPage::showFirst()
{
    const RunId first = m_list->table().current();
    m_details->showRun(first);
    m_timeline->showRun(first, goesOn(first));
}

bool RunsPage::goesOn(RunId id) const
{
    const RunEntry* entry = m_runs.entry(id);
    return entry && entry->row.state == RunState::Running;
}

bool RunsPage::chosenGoesOn() const
{
    const std::vector<RunId> ids = m_list->table().chosen();
    return goesOn(m_list->table().current())
        || std::any_of(ids.begin(), ids.end(), [this](RunId id) { return goesOn(id); });
}

void RunsPage::followChosen()
{
    if (!isVisible()) {
        m_due = true;
        return;
    }
    const bool went = std::exchange(m_goesOn, chosenGoesOn());
    if (!went && !m_goesOn)
        return;
    m_curves->reload();
    showFirst();
    m_actions->update();
}

} // namespace stageloom
