// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_comparison.h"
#include <QAbstractTableModel>

namespace stageloom {

QString signedSeconds(double seconds); // "+1.2 ms", "−340 µs", "0"

// How long each kind of action of each stage takes in two runs.
class TraceDifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Stage, Action, Matched, Base, Other, Mean, Worst, Where, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setTraces(const RunTraces& traces);
    [[nodiscard]] const KindDifference& kind(int row) const
    {
        return m_kinds[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<KindDifference> m_kinds;
    RunId m_base, m_other;
    [[nodiscard]] QString text(const KindDifference& kind, int column) const;
};

} // namespace stageloom
