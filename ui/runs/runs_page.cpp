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
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>

namespace stageloom {

RunsPage::RunsPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_runs(workspace.runs)
    , m_comparison(workspace.runs.store())
    , m_baseline(workspace.runs.store())
    , m_slots(Theme::kRunColours)
    , m_message(new MessageBar)
    , m_stack(new QStackedLayout)
    , m_list(new RunsListPanel(m_model))
    , m_curves(new RunsCurvesPanel(m_comparison))
    , m_plans(new RunsPlansTab(m_comparison))
    , m_traces(new RunsTracesTab(m_comparison))
    , m_parallel(new RunsParallelTab(m_model))
    , m_details(new RunsDetailsTab(m_comparison))
    , m_timeline(new RunsTimelineTab(workspace.runs.store()))
    , m_actions(new RunsActions(m_runs, m_comparison, m_baseline, m_curves->plot(), *this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 16, 12);
    outer->setSpacing(Theme::kGap);
    outer->addWidget(m_message);
    outer->addLayout(m_stack, 1);
    m_stack->addWidget(new EmptyNotice(tr("Reading the runs…"), QString()));
    m_stack->addWidget(new EmptyNotice(tr("No runs yet"),
        tr("Start one on the Train page (Ctrl+4), or with `stageloom train`. Every run is kept "
           "here with its plan, curves, timeline and log.")));
    m_stack->addWidget(buildBroken());
    m_stack->addWidget(buildContent());
    m_chosenDelay.setSingleShot(true);
    m_chosenDelay.setInterval(80);
    m_curves->setSlots([this](RunId id) { return m_model.slotOf(id); });
    connectParts();
    showRuns();
}

void RunsPage::connectParts()
{
    RunsTable& table = m_list->table();
    connect(&m_runs, &RunsState::rowsChanged, this, &RunsPage::showRuns);
    connect(&m_runs, &RunsState::errorChanged, this, &RunsPage::showError);
    connect(&m_runs, &RunsState::failed, m_message, &MessageBar::showSentence);
    connect(&m_comparison, &RunComparison::failed, m_message, &MessageBar::showSentence);
    connect(&m_comparison, &RunComparison::requestLoaded, &m_workspace, &Workspace::runAgainAsked);
    connect(m_actions, &RunsActions::message, m_message, &MessageBar::showSentence);
    connect(m_actions, &RunsActions::copyAsked, this, [&table] { copyRows(table); });
    connect(&m_model, &RunsModel::edited, &m_runs, &RunsState::edit);
    connect(&table, &RunsTable::chosenChanged, &m_chosenDelay, qOverload<>(&QTimer::start));
    connect(&table, &RunsTable::deleteAsked, m_actions, &RunsActions::askDelete);
    connect(&table, &RunsTable::baselineAsked, &m_baseline, &RunBaseline::toggle);
    connect(&m_baseline, &RunBaseline::changed, this, [this] {
        m_model.setBaseline(m_baseline.pinned());
        showChosen();
    });
    connect(&table, &QWidget::customContextMenuRequested, this, [this, &table](const QPoint& at) {
        m_actions->setChosen(table.chosen());
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
    below->setSizes({ 560, 740 });
    auto* parts = new QSplitter(Qt::Vertical);
    parts->addWidget(m_list);
    parts->addWidget(below);
    parts->setSizes({ 390, 410 });
    for (QSplitter* splitter : { below, parts }) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(Theme::kGap);
    }
    remember(*below, QStringLiteral("runs/splitter_below"));
    remember(*parts, QStringLiteral("runs/splitter"));
    return parts;
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
        { m_details, tr("Details"), tr("Plan, machine, outcome and log of the first chosen run") },
        { m_timeline, tr("Timeline"),
            tr("All that the first chosen run measured, under what its plan foresaw") },
        { m_plans, tr("Plans"), tr("Where the plans of the chosen runs differ") },
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
        ? tr("%n in the store", nullptr, static_cast<int>(m_runs.entries()->size()))
        : QString();
}

QList<QWidget*> RunsPage::actions() const
{
    return m_actions->buttons();
}

bool RunsPage::isBusy() const
{
    return !m_runs.isLoaded() || m_chosenDelay.isActive() || m_comparison.isBusy()
        || m_timeline->isBusy();
}

void RunsPage::showRuns()
{
    const RunEntries& entries = m_runs.entries();
    m_list->showRuns(entries);
    checkBaseline();
    showError();
    m_parallel->refresh();
    if (m_list->table().chosen().empty() && m_model.shownRuns() > 0 && !m_goesOn
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
    const std::vector<int> given = m_slots.show(shown);
    std::unordered_map<std::int64_t, int> marks;
    for (std::size_t i = 0; i < shown.size(); ++i)
        marks[shown[i].value] = given[i];
    m_model.setSlots(std::move(marks));
}

void RunsPage::checkBaseline()
{
    if (m_runs.isLoaded() && m_runs.error().isEmpty() && !m_runs.entry(m_baseline.pinned()))
        m_baseline.drop(); // it was deleted
    m_model.setBaseline(m_baseline.pinned());
}

void RunsPage::showChosen()
{
    const std::vector<RunId> ids = m_list->table().chosen();
    m_opened = m_opened || !ids.empty();
    std::vector<RunId> shown = m_baseline.shown(ids);
    if (shown.size() > RunComparison::kMaxCurves) // the pinned one stands last and stays
        shown.erase(shown.begin() + RunComparison::kMaxCurves - 1, shown.end() - 1);
    giveColours(shown);
    m_curves->showRuns(shown, m_baseline.pinned(), ids.size());
    const std::vector<RunId> compared = m_baseline.compared(ids);
    m_plans->showRuns(compared);
    m_traces->showRuns(compared);
    showFirst();
    m_parallel->refresh();
    m_actions->setChosen(ids);
    m_goesOn = chosenGoesOn();
}

void RunsPage::showFirst()
{
    const std::vector<RunId> ids = m_list->table().chosen();
    const RunId first = ids.empty() ? RunId {} : ids.front();
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
    return std::any_of(ids.begin(), ids.end(), [this](RunId id) { return goesOn(id); });
}

void RunsPage::followChosen()
{
    const bool went = std::exchange(m_goesOn, chosenGoesOn());
    if (!went && !m_goesOn)
        return;
    m_curves->reload();
    showFirst();
    m_actions->update();
}

} // namespace stageloom
