// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_store.h"
#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace stageloom {

// The run table. SortRole gives numbers where the text is a number; FilterRole all words of a row,
// lower case, made once.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Number,
        Name,
        State,
        Steps,
        Loss,
        Validation,
        Rate,
        Schedule,
        Model,
        Started,
        Tags,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole, FilterRole, RunIdRole };
    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<RunRow> rows); // keeps the selection where the runs are the same
    [[nodiscard]] const RunRow& row(int index) const
    {
        return m_rows[static_cast<std::size_t>(index)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const RunRow& row, int column) const;
    QVariant sortKey(const RunRow& row, int column) const;
    std::vector<RunRow> m_rows;
    std::vector<QString> m_words;
};

// Keeps the runs that have every word of the filter somewhere.
class RunsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunsFilter(QObject* parent = nullptr);
    void setWords(const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

QString stateWord(RunState state); // for people

} // namespace stageloom
