// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_timeline_tab.h"

#include "core/base/units.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_desk.h"
#include "ui/timeline/timeline_modes.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/work_line.h"
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace stageloom {

namespace {

QString counted(std::size_t number)
{
    return QString::fromStdString(groupDigits(static_cast<std::int64_t>(number)));
}

} // namespace

RunsTimelineTab::RunsTimelineTab(RunTimeline& timeline, QWidget* parent)
    : QWidget(parent)
    , m_timeline(timeline)
    , m_stack(new QStackedLayout(this))
    , m_notice(new EmptyNotice(tr("No timeline to show"), QString()))
    , m_again(new QPushButton(tr("Read it again")))
    , m_progress(new WorkLine(tr("Stop reading this timeline")))
    , m_view(new TimelineView)
    , m_modes(new TimelineModes(*m_view, TimelineMode::Both))
    , m_tools(new TimelineTools(m_view))
    , m_caption(new ElidedLabel("caption"))
    , m_newer(new QPushButton(tr("Read newer")))
{
    auto* notice = new QWidget;
    auto* column = new QVBoxLayout(notice);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_notice, 1);
    column->addWidget(m_again, 0, Qt::AlignHCenter);
    column->addStretch(1);
    m_again->setToolTip(tr("Read the run's timeline from the store again"));
    connect(m_again, &QPushButton::clicked, this, &RunsTimelineTab::load);
    m_stack->addWidget(notice);
    m_stack->addWidget(m_progress);
    connect(m_progress, &WorkLine::stopAsked, &m_timeline, &RunTimeline::stop);
    m_stack->addWidget(buildContent());
    connect(&m_timeline, &RunTimeline::stateChanged, this, &RunsTimelineTab::showState);
    connect(&m_timeline, &RunTimeline::progressed, this, &RunsTimelineTab::showProgress);
    showRun({}, false);
}

QWidget* RunsTimelineTab::buildContent()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    auto* line = new QHBoxLayout;
    line->addWidget(m_modes);
    line->addStretch(1);
    line->addWidget(m_newer);
    column->addLayout(line);
    auto* second = new QHBoxLayout; // all in one line is wider than half a small screen
    second->addWidget(m_caption, 1);
    second->addWidget(m_tools);
    m_tools->leaveFindToThePage();
    column->addLayout(second);
    column->addWidget(new TimelineDesk(m_view), 1);
    m_newer->setToolTip(tr("The run goes on: read what it has measured since"));
    connect(m_newer, &QPushButton::clicked, this, &RunsTimelineTab::load);
    m_view->setAccessibleName(tr("Timeline of the run"));
    m_view->setPlanInSight(true);
    return page;
}

void RunsTimelineTab::showRun(RunId id, bool goesOn)
{
    m_goesOn = goesOn;
    m_newer->setVisible(goesOn);
    if (m_id == id && id.valid())
        return;
    m_id = id;
    m_due = id.valid();
    m_timeline.clear();
    if (m_due && isVisible())
        load();
}

void RunsTimelineTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_due)
        load();
}

bool RunsTimelineTab::openSearch()
{
    if (m_view->isVisible())
        m_tools->openSearch();
    return m_view->isVisible();
}

void RunsTimelineTab::load()
{
    m_due = false;
    m_timeline.load(m_id);
}

void RunsTimelineTab::showNotice(const QString& hint, const QString& remedy)
{
    m_notice->setHint(hint);
    m_again->setText(remedy);
    m_again->setVisible(!remedy.isEmpty());
    m_stack->setCurrentIndex(Notice);
}

void RunsTimelineTab::showState()
{
    const bool shown = m_timeline.state() == RunTimeline::State::Ready;
    if (!shown) { // a trace of ten millions is half a gigabyte
        m_view->setPlan({});
        m_view->setRun({});
    }
    switch (m_timeline.state()) {
    case RunTimeline::State::None:
        showNotice(tr("Choose a run in the table: all it measured is shown here, under what its "
                      "plan foresaw."));
        break;
    case RunTimeline::State::Reading:
        showProgress();
        m_stack->setCurrentIndex(Reading);
        break;
    case RunTimeline::State::Empty:
        showNotice(m_goesOn
                ? tr("Run %1 has not measured a batch yet.").arg(m_id.value)
                : tr("Run %1 recorded no spans, so it has no timeline.").arg(m_id.value),
            m_goesOn ? tr("Read it again") : QString());
        break;
    case RunTimeline::State::Stopped:
        showNotice(
            tr("Reading the timeline of run %1 was stopped.").arg(m_id.value), tr("Read it"));
        break;
    case RunTimeline::State::Failed:
        showNotice(m_timeline.problem(), tr("Try again"));
        break;
    case RunTimeline::State::Ready:
        showParts();
        break;
    }
}

void RunsTimelineTab::showProgress()
{
    const auto [done, all] = m_timeline.progress();
    const QString text = all == 0 ? tr("Reading the timeline of run %1…").arg(m_id.value)
        : done < all
        ? tr("Reading the timeline of run %1: %2 of %3 spans")
              .arg(m_id.value)
              .arg(counted(done), counted(all))
        : tr("Putting the %1 spans of run %2 in order…").arg(counted(all)).arg(m_id.value);
    m_progress->showProgress(
        text, all > 0 ? static_cast<double>(done) / static_cast<double>(all) : -1);
}

void RunsTimelineTab::showParts()
{
    RunTimelineParts parts = m_timeline.takeParts();
    const bool planned = !parts.plan.spans.empty();
    QString caption = tr("run %1 · batches %2–%3 · %4 spans")
                          .arg(m_id.value)
                          .arg(parts.firstBatch + 1)
                          .arg(parts.lastBatch + 1)
                          .arg(counted(parts.run.spans.size()));
    if (!planned)
        caption += tr(" · no prediction: %1").arg(parts.planProblem);
    m_caption->setWords(caption);
    m_view->setDeviceNames(parts.devices);
    m_view->setPlan(std::move(parts.plan));
    // Of a run that goes on nobody knows yet how it ends.
    m_view->setRun(std::move(parts.run), { m_goesOn ? TraceEnds::Cut : TraceEnds::Whole, {} });
    m_modes->setPlanned(
        planned, tr("There is no prediction of this run's plan: %1").arg(parts.planProblem));
    m_view->fit();
    m_stack->setCurrentIndex(Content);
}

} // namespace stageloom
