// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/topology_state.h"
#include "ui/topology/plan_on_machine.h"
#include <QAbstractTableModel>

namespace stageloom {

// Device by device: kind and bandwidth of the link between them, in GB/s one way.
class TopologyMatrixModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    enum Role { UseRole = Qt::UserRole }; // Use
    enum class Use { None, Used, WithoutPeerAccess }; // by the open plan
    void setTopology(const Topology& topology);
    void setPlan(const PlanOnMachine& plan);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] int count() const { return static_cast<int>(m_topology.devices.size()); }
    [[nodiscard]] const Link* linkAt(int row, int column) const;
    [[nodiscard]] QString tip(int row, int column) const;

    [[nodiscard]] Use useOf(int row, int column) const;

    Topology m_topology;
    PlanOnMachine m_plan;
    std::vector<int> m_links; // row · count + column: index into the topology's links; -1: none
};

} // namespace stageloom
