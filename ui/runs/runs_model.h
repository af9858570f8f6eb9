// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_arrangement.h"
#include "ui/runs/run_differences.h"
#include <QAbstractItemModel>
#include <QColor>
#include <unordered_map>

namespace stageloom {

// The table of runs, a column a RunField: filtered, sorted, and in sections below each other where
// it is grouped. A refresh that leaves the runs where they are keeps every index.
class RunsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role { FieldRole = Qt::UserRole, RunIdRole, StateRole, SlotRole, BaselineRole };
    explicit RunsModel(QObject* parent = nullptr);

    void setEntries(RunEntries entries);
    [[nodiscard]] const RunEntries& entries() const { return m_entries; }
    void setFilter(const QString& text);
    void setOnly(std::optional<std::unordered_set<std::int64_t>> ids); // brushed runs
    void setGrouping(RunGrouping grouping);
    [[nodiscard]] const RunArrangement& arrangement() const { return m_arrangement; }
    // The slots (Theme::run) of the runs whose curves are shown; a mark beside their number.
    void setSlots(std::unordered_map<std::int64_t, int> shown);
    [[nodiscard]] int slotOf(RunId id) const; // -1: its curve is not shown
    [[nodiscard]] QColor mark(RunId id) const; // invalid: none
    void setBaseline(RunId id); // none: invalid
    [[nodiscard]] RunId baseline() const { return m_baseline; }
    // Of runs whose points are read: those with other numbers of steps than the baseline are then
    // compared at the same one.
    void setEvaluations(EvaluationsByRun evaluations);

    [[nodiscard]] int shownRuns() const;
    // Every run shown has the same words here; never where fewer than two are shown.
    [[nodiscard]] bool isSameForAll(RunField field) const;
    [[nodiscard]] bool isGrouped() const { return m_arrangement.grouping != RunGrouping::None; }
    [[nodiscard]] const RunEntry* entryAt(const QModelIndex& index) const; // null: a section
    [[nodiscard]] QModelIndex indexOf(RunId id) const; // invalid where it is not shown
    [[nodiscard]] QModelIndexList indexesOf(const std::vector<RunId>& ids) const; // in table order
    [[nodiscard]] QString sectionTitle(int row) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void baselineChanged();
    void edited(stageloom::RunId id, stageloom::RunField field, const QString& text);

private:
    void rearrange(RunEntries entries);
    [[nodiscard]] bool sameIndexes(
        const RunEntries& entries, const std::vector<RunSection>& sections) const;
    [[nodiscard]] const RunSection* sectionOf(const QModelIndex& parent) const;
    [[nodiscard]] QVariant sectionData(int row, int column, int role) const;
    void announceNumbers(const QList<int>& roles);
    [[nodiscard]] QString toolTip(const RunEntry& entry, RunField field) const;

    RunEntries m_given, m_entries; // m_entries: with their differences from the baseline
    EvaluationsByRun m_evaluations;
    RunArrangement m_arrangement;
    std::vector<RunSection> m_sections; // one without a title where nothing is grouped
    std::unordered_map<std::int64_t, int> m_slots;
    RunId m_baseline;
};

} // namespace stageloom
