// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/operation_statistics.h"
#include <QAbstractTableModel>
#include <QStringList>

namespace stageloom {

// How often and how long each kind of operation ran within a range of a timeline: a row a stage,
// microbatch or device and kind. Sorts itself; copies as text with tabs.
class RangeStatisticsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Of, Operation, Count, Total, Mean, P95, Max, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    // `names`: of the devices; `seconds`: of a trace whose times have a unit.
    void setStatistics(
        OperationStatistics statistics, GroupBy by, const QStringList& names, bool seconds);
    [[nodiscard]] const OperationGroup& group(int row) const
    {
        return m_groups[static_cast<std::size_t>(row)];
    }
    // A header and those rows, with plain numbers for a spreadsheet: times in seconds.
    [[nodiscard]] QString tsv(const std::vector<int>& rows) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    std::vector<OperationGroup> m_groups;
    GroupBy m_by = GroupBy::Stage;
    QStringList m_names;
    bool m_seconds = true;
    int m_sortedBy = Of;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    [[nodiscard]] std::vector<std::size_t> sorted() const;
    [[nodiscard]] QString title(int column) const;
    [[nodiscard]] QString tip(int column) const;
    [[nodiscard]] QString of(const OperationGroup& group) const;
    [[nodiscard]] QString text(const OperationGroup& group, int column) const;
};

} // namespace stageloom
