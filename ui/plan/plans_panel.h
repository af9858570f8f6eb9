// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include "ui/plan/plans_model.h"
#include "ui/widgets/panel.h"

class QTableView;

namespace stageloom {

class ScatterPlot;

// The planner's answer: ranked plans, and tokens per second against memory.
class PlansPanel : public Panel {
    Q_OBJECT
public:
    explicit PlansPanel(QWidget* parent = nullptr);
    void show(const PlannerAnswer& answer);
    void follow(const Plan& plan); // marks it where it is one of those found

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void planChosen(const Plan& plan);

private:
    void take(const QModelIndex& index);
    void showWhy(int row); // -1: none
    void fitPlot();

    PlansModel m_model;
    QTableView* m_table;
    ScatterPlot* m_plot;
    QLabel* m_why;
    EmptyNotice* m_empty;
    QString m_hint; // while no row is current
};

// Which plans no other one beats in both rate and memory.
std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& memoryAndRate);

} // namespace stageloom
