// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <memory>

namespace stageloom {

// The planner's answer: the ranked plans, best first, and after them what it refused, with reasons.
class PlansModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Schedule, Layout, Size, Count, Bubble, Memory, Rate, Delay, ColumnCount };
    // SortRole: a number or text. MarkRole: the letters of the plans that a row is. FitsRole: it
    // can be taken. WordsRole: what the filter looks in.
    enum Role { SortRole = Qt::UserRole, MarkRole, FitsRole, WordsRole };
    using QAbstractTableModel::QAbstractTableModel;
    void setAnswer(std::shared_ptr<const PlannerAnswer> answer);
    // Which rows are the plans a person has in hand (null: none); whether that is new.
    bool setMarks(const Plan* edited, const Plan* pinned);
    [[nodiscard]] const RankedPlan* found(int row) const; // null: it was refused
    [[nodiscard]] int rowOf(const Plan& plan) const; // -1: not found

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    // What both kinds of rows have; of the answer that is shown.
    struct Line {
        const std::string &schedule, &why;
        int depth, width, size, count;
        double memory;
    };
    [[nodiscard]] Line line(int row) const;
    [[nodiscard]] int foundCount() const;
    [[nodiscard]] QString cell(int row, int column) const;
    [[nodiscard]] QVariant sortKey(int row, int column) const;
    std::shared_ptr<const PlannerAnswer> m_answer;
    int m_edited = -1, m_pinned = -1;
};

// Sorted by a column, with what was refused always last, and filtered by words.
class PlansFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& text); // a row has all of them
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

QString layoutWords(int depth, int width); // "8 stages, 1 replica"
QString delayWords(const std::string& schedule); // of the weights that a batch reads

} // namespace stageloom
