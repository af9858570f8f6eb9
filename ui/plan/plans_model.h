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

} // namespace stageloom
