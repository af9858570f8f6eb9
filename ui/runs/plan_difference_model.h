// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_comparison.h"
#include <QAbstractTableModel>

namespace stageloom {

// "/stages/1/last_layer" as a person reads it: "stage 1 · last layer".
QString fieldWords(const std::string& path);

// A field of the plans a row, a run a column; the first run is what the others are compared with.
class PlanDifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { ChangedRole = Qt::UserRole }; // this cell differs from the first run's
    using QAbstractTableModel::QAbstractTableModel;
    void setComparison(const PlanComparison& comparison);
    void setShowAll(bool all); // else only the rows that differ
    [[nodiscard]] int differing() const; // fields

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void choose();

    std::vector<RunId> m_ids;
    std::vector<DocumentDifference> m_leaves; // of the plans, then of the requests
    std::vector<std::size_t> m_rows; // positions of the leaves shown
    bool m_all = false;
};

} // namespace stageloom
