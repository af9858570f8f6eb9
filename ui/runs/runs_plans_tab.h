// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/plan_difference_model.h"
#include <QWidget>

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTableView;

namespace stageloom {

class EmptyNotice;

// Where the plans of the chosen runs differ, field by field.
class RunsPlansTab : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kMaxRuns = 8; // columns that fit beside one another
    explicit RunsPlansTab(RunComparison& comparison, QWidget* parent = nullptr);
    void showRuns(std::vector<RunId> ids);

private:
    void showPlans();

    RunComparison& m_comparison;
    PlanDifferenceModel m_model;
    QStackedLayout* m_stack;
    QTableView* m_table;
    QLabel* m_summary;
    QCheckBox* m_all;
    std::size_t m_chosen = 0;
};

} // namespace stageloom
