// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_parallel_tab.h"

#include "ui/plots/parallel_plot.h"
#include "ui/runs/run_axes.h"
#include <QVBoxLayout>

namespace stageloom {

RunsParallelTab::RunsParallelTab(const RunsModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_plot(new ParallelPlot)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot, 1);
    connect(m_plot, &ParallelPlot::brushChanged, this, &RunsParallelTab::announce);
}

void RunsParallelTab::refresh()
{
    m_due = !isVisible() && !m_plot->isBrushed(); // a brush goes on choosing while it is hidden
    if (m_due)
        return;
    RunArrangement all = m_model.arrangement();
    all.only.reset();
    all.grouping = RunGrouping::None;
    const std::vector<RunEntry>& entries = *m_model.entries();
    const std::vector<std::uint32_t> runs = arrange(entries, all).front().runs;
    m_ids.clear();
    std::vector<QColor> colours;
    for (const std::uint32_t i : runs) {
        m_ids.push_back(entries[i].row.id);
        colours.push_back(m_model.mark(entries[i].row.id));
    }
    RunAxes coordinates = runAxes(entries, runs);
    m_plot->setAxes(std::move(coordinates.axes), std::move(coordinates.rows), std::move(colours));
    if (m_plot->isBrushed() || m_model.arrangement().only)
        announce();
}

void RunsParallelTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_due)
        refresh();
}

void RunsParallelTab::dropBrushes()
{
    m_plot->dropBrushes();
}

void RunsParallelTab::announce()
{
    if (!m_plot->isBrushed()) {
        emit brushed(std::nullopt);
        return;
    }
    std::unordered_set<std::int64_t> ids;
    for (const int row : m_plot->selectedRows())
        ids.insert(m_ids[static_cast<std::size_t>(row)].value);
    emit brushed(ids);
}

} // namespace stageloom
