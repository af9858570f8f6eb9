// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_traces_tab.h"

#include "ui/theme/theme.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/timeline_desk.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/copy_rows.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/work_line.h"
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr std::size_t kMost = 50; // runs to choose from

} // namespace

RunsTracesTab::RunsTracesTab(RunComparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_line(new QWidget)
    , m_stack(new QStackedLayout)
    , m_notice(new EmptyNotice(tr("No traces side by side"), QString()))
    , m_base(new QComboBox)
    , m_other(new QComboBox)
    , m_summary(makeLabel(QString(), "caption"))
    , m_table(new QTableView)
    , m_timeline(new TimelineView)
    , m_tools(new TimelineTools(m_timeline))
    , m_progress(new WorkLine(tr("Stop reading these traces")))
    , m_again(new QPushButton(tr("Read them")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    buildLine();
    layout->addWidget(m_line);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // may be cut
    layout->addWidget(m_summary);
    layout->addLayout(m_stack, 1);
    auto* notice = new QWidget;
    auto* column = new QVBoxLayout(notice);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_notice, 1);
    column->addWidget(m_again, 0, Qt::AlignHCenter);
    column->addStretch(1);
    m_again->setToolTip(tr("Read the traces of these two runs"));
    connect(m_again, &QPushButton::clicked, this, &RunsTracesTab::load);
    m_stack->addWidget(notice);
    m_stack->addWidget(buildContent());
    m_stack->addWidget(m_progress);
    connect(m_progress, &WorkLine::stopAsked, this, &RunsTracesTab::stop);
    m_look.setInterval(100);
    connect(&m_look, &QTimer::timeout, this, &RunsTracesTab::showProgress);
    m_base->setToolTip(tr("The run that the other is compared with"));
    m_other->setToolTip(tr("The run that is compared"));
    for (QComboBox* box : { m_base, m_other }) {
        box->setAccessibleName(box->toolTip());
        connect(box, &QComboBox::activated, this, &RunsTracesTab::load);
    }
    connect(&comparison, &RunComparison::tracesLoaded, this, &RunsTracesTab::showTraces);
    connect(&comparison, &RunComparison::tracesFailed, this,
        [this](const QString& sentence) { showNotice(sentence); });
    showRuns({});
}

void RunsTracesTab::buildLine()
{
    auto* line = new QHBoxLayout(m_line);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_other);
    line->addWidget(makeLabel(tr("against"), "caption"));
    line->addWidget(m_base);
    line->addStretch(1);
    line->addWidget(m_tools);
    m_tools->leaveFindToThePage();
}

QWidget* RunsTracesTab::buildContent()
{
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Differences by stage and action"));
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setToolTip(tr("Double-click or Enter shows the worst one in the timeline, Ctrl+C "
                           "copies the selected rows"));
    letCopyRows(*m_table);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_timeline->setMode(TimelineMode::Difference);
    m_timeline->setAccessibleName(tr("Difference of the traces in time"));
    auto* parts = new QSplitter(Qt::Vertical);
    parts->addWidget(m_table);
    parts->addWidget(new TimelineDesk(m_timeline));
    parts->setSizes({ 170, 200 });
    parts->setChildrenCollapsible(false);
    connect(m_table, &QTableView::activated, this,
        [this](const QModelIndex& index) { goToWorst(index.row()); });
    return parts;
}

void RunsTracesTab::showRuns(const std::vector<RunId>& ids)
{
    std::vector<RunId> now;
    for (int i = 0; i < m_base->count(); ++i)
        now.push_back({ m_base->itemData(i).toLongLong() });
    std::vector<RunId> next = ids;
    next.resize(std::min<std::size_t>(next.size(), kMost));
    if (next.size() >= 2 && next == now)
        return; // what is shown or read is theirs
    m_due = false;
    m_comparison.stopTraces();
    for (QComboBox* box : { m_base, m_other }) {
        box->clear();
        for (std::size_t i = 0; i < next.size(); ++i)
            box->addItem(
                tr("Run %1").arg(ids[i].value), QVariant::fromValue<qlonglong>(ids[i].value));
    }
    m_line->setVisible(ids.size() >= 2);
    m_summary->clear();
    if (ids.size() < 2) {
        showNotice(tr("Choose two runs: their measured actions are aligned by batch, stage, "
                      "microbatch and action. The base is the pinned baseline (key B), else the "
                      "older run."));
        return;
    }
    m_base->setCurrentIndex(0); // ids begin with it
    m_other->setCurrentIndex(1);
    m_due = true;
    showNotice({});
    if (isVisible())
        load();
}

void RunsTracesTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_due)
        load();
}

bool RunsTracesTab::openSearch()
{
    if (m_timeline->isVisible())
        m_tools->openSearch();
    return m_timeline->isVisible();
}

void RunsTracesTab::showNotice(const QString& hint)
{
    m_look.stop();
    m_again->hide();
    m_notice->setHint(hint);
    m_tools->hide();
    m_stack->setCurrentIndex(0);
}

void RunsTracesTab::load()
{
    m_due = false;
    m_summary->clear(); // the former pair does not stand under these names
    m_tools->hide();
    m_comparison.loadTraces(
        { m_base->currentData().toLongLong() }, { m_other->currentData().toLongLong() });
    m_look.start();
    showProgress();
    m_stack->setCurrentIndex(2);
}

void RunsTracesTab::showProgress()
{
    const auto [done, all] = m_comparison.traceProgress();
    const QString text = tr("Reading and aligning the traces of runs %1 and %2…")
                             .arg(m_other->currentData().toLongLong())
                             .arg(m_base->currentData().toLongLong());
    m_progress->showProgress(
        text, all > 0 ? static_cast<double>(done) / static_cast<double>(all) : -1);
}

void RunsTracesTab::stop()
{
    m_comparison.stopTraces();
    showNotice(tr("Reading the traces was stopped."));
    m_again->show();
}

void RunsTracesTab::showTraces()
{
    const RunTraces& traces = m_comparison.traces();
    if (m_base->currentData().toLongLong() != traces.base.value
        || m_other->currentData().toLongLong() != traces.other.value)
        return; // others were chosen meanwhile
    m_look.stop();
    m_model.setTraces(traces);
    m_table->resizeColumnsToContents();
    if (traces.comparison.spans.empty()) {
        showNotice(tr("The two runs have no action in common: compare runs with the same stages "
                      "and microbatches."));
        return;
    }
    QString words = tr("run %1 against run %2 · ").arg(traces.other.value).arg(traces.base.value);
    words += tr("%n aligned", nullptr, static_cast<int>(traces.comparison.spans.size()));
    if (const std::size_t lonely = traces.comparison.baseOnly + traces.comparison.otherOnly)
        words += tr(" · %n without a partner", nullptr, static_cast<int>(lonely));
    words += tr(" · timeline: batches %1–%2")
                 .arg(shownNumber(traces.firstBatch))
                 .arg(shownNumber(traces.lastBatch));
    m_summary->setText(words);
    m_summary->setToolTip(words);
    m_timeline->setDeviceNames(traces.devices);
    m_timeline->setPlan(traces.basePart, { traces.baseEnds, {} });
    m_timeline->setRun(traces.otherPart, { traces.otherEnds, {} });
    m_timeline->setMode(TimelineMode::Difference);
    m_timeline->fit();
    m_tools->show();
    m_stack->setCurrentIndex(1);
}

void RunsTracesTab::goToWorst(int row)
{
    const KindDifference& kind = m_model.kind(row);
    for (const Span& span : m_comparison.traces().otherPart.spans)
        if (span.stage == kind.stage && span.kind == kind.kind && span.batch == kind.worstBatch
            && span.microbatch == kind.worstMicrobatch) {
            const double room = 10 * (span.end - span.start);
            m_timeline->state().setVisible({ span.start - room, span.end + room });
            if (carriesMicrobatch(span.kind))
                m_timeline->state().followMicrobatch(span.microbatch);
            m_timeline->setFocus();
            return;
        }
    m_summary->setText(tr("The worst one is in batch %1, which the timeline does not show.")
                           .arg(shownNumber(kind.worstBatch)));
}

} // namespace stageloom
