// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plans_panel.h"

#include "core/base/units.h"
#include "ui/plots/scatter_plot.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& memoryAndRate)
{
    std::vector<bool> front;
    for (const auto& [memory, rate] : memoryAndRate) {
        bool beaten = false;
        for (const auto& [m, r] : memoryAndRate)
            beaten = beaten || (m <= memory && r >= rate && (m < memory || r > rate));
        front.push_back(!beaten);
    }
    return front;
}

PlansPanel::PlansPanel(QWidget* parent)
    : Panel(tr("Plans found"), parent)
    , m_table(new QTableView)
    , m_plot(new ScatterPlot)
    , m_why(makeLabel(QString(), "caption"))
    , m_empty(new EmptyNotice(tr("None yet"), tr("“Plan for me…” looks for the fastest plans.")))
{
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setColumnHidden(PlansModel::Memory, true);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(Theme::kRowHeight);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(PlansModel::Name, QHeaderView::Stretch);
    m_table->setObjectName(QStringLiteral("plans found"));
    m_table->setAccessibleName(tr("Plans found"));
    m_table->setToolTip(tr("A click or Enter takes the plan; Undo brings the one before back"));
    m_plot->setAxes(tr("peak memory, GiB"), tr("tokens per second"));
    body()->addWidget(m_empty, 1);
    body()->addWidget(m_table, 3);
    m_why->setWordWrap(true);
    m_why->setTextFormat(Qt::PlainText);
    body()->addWidget(m_why);
    body()->addWidget(m_plot, 2);
    m_table->hide();
    m_plot->hide();
    m_why->hide();
    // Arrow keys only look: each taken plan is an edit of the document.
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& index) {
            m_plot->setCurrent(index.row());
            showWhy(index.row());
        });
    connect(m_table, &QTableView::clicked, this, &PlansPanel::take);
    connect(m_table, &QTableView::activated, this, &PlansPanel::take);
    connect(m_plot, &ScatterPlot::activated, this, [this](int row) {
        m_table->selectRow(row);
        take(m_table->currentIndex());
    });
}

void PlansPanel::take(const QModelIndex& index)
{
    if (index.isValid())
        emit planChosen(m_model.plan(index.row()));
}

void PlansPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    fitPlot();
}

// On a low window the rows are what matters.
void PlansPanel::fitPlot()
{
    constexpr int kRoom = 300; // px
    m_plot->setVisible(m_model.rowCount() > 1 && height() >= kRoom);
}

void PlansPanel::showWhy(int row)
{
    m_why->setText(row < 0 ? m_hint : m_model.index(row, 0).data(Qt::ToolTipRole).toString());
    m_why->setVisible(!m_why->text().isEmpty() && m_model.rowCount() > 0);
}

void PlansPanel::follow(const Plan& plan)
{
    const auto same = [&plan](const Plan& other) {
        return other.stages == plan.stages && other.schedule == plan.schedule
            && other.microbatches == plan.microbatches
            && other.microbatchSize == plan.microbatchSize && other.modelSource == plan.modelSource;
    };
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (same(m_model.plan(row))) {
            if (m_table->currentIndex().row() != row)
                m_table->selectRow(row);
            return;
        }
    m_table->clearSelection();
    m_table->setCurrentIndex({});
}

void PlansPanel::show(const PlannerAnswer& answer)
{
    m_model.setPlans(answer.plans);
    setCaption(tr("%1 · %2 looked at").arg(secondsText(answer.seconds)).arg(answer.considered));
    std::vector<std::pair<double, double>> places;
    for (const RankedPlan& plan : answer.plans)
        places.emplace_back(plan.prediction.peakMemory, plan.prediction.tokensPerSecond);
    const std::vector<bool> front = paretoFront(places);
    std::vector<ScatterPoint> points;
    for (std::size_t i = 0; i < places.size(); ++i)
        points.push_back({ places[i].first * 0x1p-30, places[i].second, front[i],
            shortPlanText(answer.plans[i].plan) });
    m_plot->setPoints(std::move(points));
    m_empty->setVisible(answer.plans.empty());
    if (answer.plans.empty() && !answer.rejected.empty())
        m_empty->setHint(QString::fromStdString(answer.rejected.front().reason));
    m_hint = tr("A click takes a plan.");
    if (!answer.rejected.empty())
        m_hint += u' '
            + tr("%n more did not fit: %1", nullptr, static_cast<int>(answer.rejected.size()))
                  .arg(QString::fromStdString(answer.rejected.front().reason));
    showWhy(-1);
    m_table->setVisible(!answer.plans.empty());
    fitPlot();
}

} // namespace stageloom
