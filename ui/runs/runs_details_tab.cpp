// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_details_tab.h"

#include "ui/theme/theme.h"
#include "ui/widgets/copy_rows.h"
#include "ui/widgets/log_view.h"
#include "ui/widgets/panel.h"
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

RunsDetailsTab::RunsDetailsTab(RunComparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_stack(new QStackedLayout(this))
    , m_table(new QTableView)
    , m_logView(new LogView(m_log))
{
    m_stack->addWidget(new EmptyNotice(tr("No run is chosen"),
        tr("Choose a run in the table to see its plan, its machine and its log.")));
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_table);
    auto* log = new QWidget;
    auto* column = new QVBoxLayout(log);
    column->setContentsMargins(0, 8, 0, 0);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Log"), "title"));
    head->addStretch(1);
    head->addWidget(m_logView->makeFilter());
    column->addLayout(head);
    column->addWidget(m_logView, 1);
    parts->addWidget(log);
    parts->setSizes({ 300, 160 });
    m_stack->addWidget(parts);
    m_table->setModel(&m_facts);
    m_table->setAccessibleName(tr("Details of the run"));
    m_table->setToolTip(tr("Outcome, plan, data and machine of the current run; Ctrl+C copies "
                           "the selected rows"));
    letCopyRows(*m_table);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->horizontalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(0, 140);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_logView->setToolTip(tr("What the run said, the oldest line first"));
    connect(&comparison, &RunComparison::detailsLoaded, this, &RunsDetailsTab::showDetails);
}

void RunsDetailsTab::showRun(RunId id)
{
    m_id = id;
    if (id.valid())
        m_comparison.loadDetails(id);
    else
        m_stack->setCurrentIndex(0);
}

void RunsDetailsTab::showDetails()
{
    const RunDetails& details = m_comparison.details();
    if (details.row.id != m_id)
        return;
    const bool same = m_shown == m_id;
    const int scrolled = m_table->verticalScrollBar()->value();
    m_facts.setFacts(runFacts(details));
    m_table->clearSpans();
    for (int row = 0; row < m_facts.rowCount(); ++row)
        if (m_facts.isHeading(row))
            m_table->setSpan(row, 0, 1, 2);
    m_table->verticalScrollBar()->setValue(same ? scrolled : 0);
    if (!same) {
        m_log.clear();
        m_lines = 0;
    }
    m_log.append({ details.log.begin() + static_cast<long>(std::min(m_lines, details.log.size())),
        details.log.end() });
    m_lines = details.log.size();
    m_shown = m_id;
    m_stack->setCurrentIndex(1);
}

} // namespace stageloom
