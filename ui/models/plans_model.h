// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include <QAbstractTableModel>

namespace stageloom {

// The planner's ranked plans, best first: what it is, tokens per second.
class PlansModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Rate, Memory, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setPlans(const std::vector<RankedPlan>& plans);
    [[nodiscard]] const Plan& plan(int row) const
    {
        return m_plans[static_cast<std::size_t>(row)].plan;
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Plan plan;
        QString rate;
        double memory = 0;
        QString why;
    };
    std::vector<Row> m_plans;
};

// Rounded to what is known: "≈ 14 s" where times are estimated, "13.8 s" where they are measured.
QString stepTimeText(const Prediction& prediction);
QString tokenRateText(const Prediction& prediction); // a second: "≈ 64 k", "63,790"
QString shortPlanText(const Plan& plan); // "2bw · 4 stages × 1 replica · b 4 · m 8"

} // namespace stageloom
