// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/topology_matrix_model.h"

#include "core/base/units.h"

namespace stageloom {

void TopologyMatrixModel::setTopology(const Topology& topology)
{
    beginResetModel();
    m_topology = topology;
    endResetModel();
}

int TopologyMatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int TopologyMatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant TopologyMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (index.row() == index.column())
        return role == Qt::DisplayRole ? QStringLiteral("–") : QString();
    const int a = m_topology.devices[static_cast<std::size_t>(index.row())].index;
    const int b = m_topology.devices[static_cast<std::size_t>(index.column())].index;
    const Link* link = m_topology.linkBetween(a, b);
    if (link == nullptr)
        return role == Qt::DisplayRole ? QString() : tr("No link is known between them.");
    const QString kind = QString::fromStdString(toString(link->kind));
    const std::optional<double> bandwidth
        = link->measuredBandwidth ? link->measuredBandwidth : link->bandwidth;
    if (!bandwidth)
        return kind;
    const QString rate = QString::fromStdString(formatBytes(*bandwidth)) + QStringLiteral("/s");
    if (role == Qt::DisplayRole)
        return kind + u'\n' + rate;
    return link->measuredBandwidth ? tr("%1, %2 measured").arg(kind, rate)
                                   : tr("%1, %2 nominal, one way").arg(kind, rate);
}

QVariant TopologyMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0 || section >= count())
        return QAbstractTableModel::headerData(section, orientation, role);
    return deviceLabel(m_topology.devices[static_cast<std::size_t>(section)]);
}

} // namespace stageloom
