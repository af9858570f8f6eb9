// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include "ui/state/topology_edits.h"
#include <QAbstractTableModel>
#include <vector>

namespace stageloom {

// One change of a machine, and the best plan on the machine that it makes.
struct WhatIfRow {
    enum class Change { None, Devices, Link, Add } change = Change::None;
    QString words; // "− GPU 6"
    std::vector<int> devices; // taken away; or the link's two; or the one that is added beside
    Topology machine; // as it would be
    bool planned = false, fits = false;
    QString reason; // why there is no plan
    double step = 0, tokens = 0, peak = 0; // seconds a step, tokens a second, bytes
    int stages = 0, width = 0;
};

// The changes worth asking of a machine: without its devices one by one, without what shares a
// switch or a server, without the links that the plan uses most, with one device more.
std::vector<WhatIfRow> whatIfRows(const Topology& machine, const Plan& plan, const Model& model);
// Plans each anew: the plan's model, batch, schedule and optimizer. Off the window's thread.
std::vector<WhatIfRow> planRows(std::vector<WhatIfRow> rows, const Plan& plan, const Model& model);

// Those rows as a table; the first, the machine as it is, is what changes are held against.
class WhatIfModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { What, Step, Change, Stages, Peak, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<WhatIfRow> rows);
    [[nodiscard]] const WhatIfRow* rowAt(const QModelIndex& index) const; // null: none
    [[nodiscard]] QString sentence(const QModelIndex& index) const; // what the change does

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] double changeOf(const WhatIfRow& row) const; // of the step, 0.199: 19.9 % longer
    std::vector<WhatIfRow> m_rows;
};

} // namespace stageloom
