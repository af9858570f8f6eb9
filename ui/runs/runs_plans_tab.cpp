// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_plans_tab.h"

#include "ui/theme/theme.h"
#include "ui/widgets/copy_rows.h"
#include "ui/widgets/panel.h"
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

RunsPlansTab::RunsPlansTab(RunComparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_stack(new QStackedLayout(this))
    , m_table(new QTableView)
    , m_summary(makeLabel(QString(), "caption"))
    , m_all(new QCheckBox(tr("Also what is the same")))
{
    m_stack->addWidget(new EmptyNotice(tr("Choose two runs"),
        tr("Their plans are then compared field by field: with the baseline where one is pinned "
           "(key B), else with the oldest of them.")));
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* line = new QHBoxLayout;
    line->addWidget(m_summary, 1);
    line->addWidget(m_all);
    layout->addLayout(line);
    layout->addWidget(m_table, 1);
    m_stack->addWidget(content);
    m_all->setToolTip(tr("Show every field of the plans, not only those that differ"));
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Differences of the plans"));
    m_table->setToolTip(tr("A field a row, a run a column, the base first; what differs from it is "
                           "bold. Ctrl+C copies the selected rows"));
    letCopyRows(*m_table);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(72);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    connect(m_all, &QCheckBox::toggled, &m_model, &PlanDifferenceModel::setShowAll);
    connect(&comparison, &RunComparison::plansLoaded, this, &RunsPlansTab::showPlans);
    connect(&themeNotifier(), &ThemeNotifier::changed, m_table->viewport(),
        qOverload<>(&QWidget::update));
}

void RunsPlansTab::showRuns(std::vector<RunId> ids)
{
    m_chosen = ids.size();
    if (ids.size() < 2) {
        m_stack->setCurrentIndex(0);
        return;
    }
    ids.resize(std::min(ids.size(), kMaxRuns));
    m_comparison.loadPlans(std::move(ids));
}

void RunsPlansTab::showPlans()
{
    if (m_chosen < 2) // came after the choice had shrunk
        return;
    m_model.setComparison(m_comparison.plans());
    const std::vector<RunId>& ids = m_comparison.plans().ids;
    QString summary = ids.size() == 2
        ? tr("Run %1 against run %2").arg(ids[1].value).arg(ids[0].value)
        : tr("%1 runs against run %2").arg(ids.size() - 1).arg(ids[0].value);
    summary += m_model.differing() == 0
        ? tr(": the plans are the same, and so are data, seed and steps")
        : m_model.differing() == 1 ? tr(": one field differs")
                                   : tr(": %1 fields differ").arg(m_model.differing());
    if (m_chosen > kMaxRuns)
        summary += tr(" · the first %1 of %2 runs are shown").arg(kMaxRuns).arg(m_chosen);
    m_summary->setText(summary);
    m_stack->setCurrentIndex(1);
}

} // namespace stageloom
