// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include "ui/widgets/panel.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace stageloom {

class RunsTable;

// The table of all runs with its filter, grouping and columns.
class RunsListPanel : public Panel {
    Q_OBJECT
public:
    explicit RunsListPanel(RunsModel& model, QWidget* parent = nullptr);
    [[nodiscard]] RunsTable& table() { return *m_table; }
    void showRuns(const RunEntries& entries);
    void setOnly(std::optional<std::unordered_set<std::int64_t>> ids); // brushed runs
    void focusFilter();

signals:
    void shownChanged(); // other runs pass the filter
    void brushDropAsked();

private:
    void showCaption();

    RunsModel& m_model;
    RunsTable* m_table;
    QLineEdit* m_filter;
    QComboBox* m_grouping;
    QPushButton *m_columns, *m_brush;
};

} // namespace stageloom
