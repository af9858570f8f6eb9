// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plan/plans_model.h"
#include "ui/widgets/panel.h"

class QLineEdit;
class QTableView;

namespace stageloom {

class ScatterPlot;

// The planner's answer as a table over tokens per second against memory. A click only shows a plan;
// a double click or Enter takes it.
class PlansPanel : public Panel {
    Q_OBJECT
public:
    explicit PlansPanel(QWidget* parent = nullptr);
    void show(std::shared_ptr<const PlannerAnswer> answer);
    void clear();
    [[nodiscard]] bool holds(const Plan& plan) const { return m_model.rowOf(plan) >= 0; }
    // Marks them where they are among those found; `edited` also says what differs of the search.
    void follow(const Plan& edited, const Plan* pinned);
    void endPreview(); // no row is looked at any more
    void setBusy(const QString& words); // shown until the next answer; empty: as it was

signals:
    // A plan is looked at; null: none.
    void previewed(const stageloom::Plan* plan, std::shared_ptr<const stageloom::Prediction> of);
    void planChosen(const stageloom::Plan& plan);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int sourceRow(const QModelIndex& index) const;
    void take(const QModelIndex& index);
    void look(const QModelIndex& index);
    void showWhy(int row); // of the model; -1: none
    void showPlot();
    void fitColumns();
    void fitPlot();

    std::shared_ptr<const PlannerAnswer> m_answer;
    PlansModel m_model;
    PlansFilter m_filter;
    QLineEdit* m_words;
    QTableView* m_table;
    ScatterPlot* m_plot;
    QWidget* m_plotHead;
    QLabel* m_why;
    EmptyNotice* m_empty;
    QString m_counts; // the caption while nothing is searched
    std::vector<int> m_plotted; // rows of the model, by point
};

// Which plans no other one beats in both rate and memory.
std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& memoryAndRate);

} // namespace stageloom
