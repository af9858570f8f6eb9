// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include <QWidget>

namespace stageloom {

class ParallelPlot;

// The runs that pass the filter as parallel coordinates; its brushes narrow the table.
class RunsParallelTab : public QWidget {
    Q_OBJECT
public:
    explicit RunsParallelTab(const RunsModel& model, QWidget* parent = nullptr);
    void refresh(); // runs, filter or marks are others
    void dropBrushes();
    [[nodiscard]] ParallelPlot& plot() { return *m_plot; }

signals:
    // The runs inside all brushes; none where there is no brush.
    void brushed(const std::optional<std::unordered_set<std::int64_t>>& ids);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void announce();

    const RunsModel& m_model;
    ParallelPlot* m_plot;
    std::vector<RunId> m_ids; // of the plot's rows
    bool m_due = true;
};

} // namespace stageloom
