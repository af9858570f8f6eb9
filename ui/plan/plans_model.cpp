// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plans_model.h"

#include "ui/theme/text.h"

namespace stageloom {

void PlansModel::setPlans(const std::vector<RankedPlan>& plans)
{
    beginResetModel();
    m_plans.clear();
    for (const RankedPlan& ranked : plans)
        m_plans.push_back({ ranked.plan, tokenRateText(ranked.prediction),
            ranked.prediction.peakMemory, QString::fromStdString(ranked.why) });
    endResetModel();
}

int PlansModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_plans.size());
}

int PlansModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PlansModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_plans[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole)
        return row.why;
    if (role == Qt::TextAlignmentRole)
        return QVariant(
            (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return shortPlanText(row.plan);
    case Rate:
        return row.rate;
    default:
        return bytesText(row.memory);
    }
}

QVariant PlansModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString names[] = { tr("Plan"), tr("Tokens/s"), tr("Peak memory") };
    return section >= 0 && section < ColumnCount ? names[section] : QString();
}

} // namespace stageloom
