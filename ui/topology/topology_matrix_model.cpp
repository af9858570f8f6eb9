// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_matrix_model.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/topology/link_look.h"

namespace stageloom {

namespace {

constexpr double kGiga = 1e9, kTint = 0.5;

QString gigabytes(const std::optional<double>& bandwidth)
{
    if (!bandwidth)
        return QStringLiteral("?");
    const double value = *bandwidth / kGiga;
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QString::number(value, 'f', decimals);
}

QColor groundOf(const Link* link)
{
    const bool fast = link != nullptr
        && (link->kind == LinkKind::NvLink || link->kind == LinkKind::NvSwitch
            || link->kind == LinkKind::Xgmi);
    if (link == nullptr)
        return theme().panel;
    return fast ? linkColour(link->kind) : Theme::mix(linkColour(link->kind), theme().panel, kTint);
}

} // namespace

void TopologyMatrixModel::setTopology(const Topology& topology)
{
    beginResetModel();
    m_topology = topology;
    const auto n = topology.devices.size();
    m_links.assign(n * n, -1);
    for (std::size_t i = 0; i < topology.links.size(); ++i) {
        const auto a = static_cast<std::size_t>(topology.links[i].a),
                   b = static_cast<std::size_t>(topology.links[i].b);
        m_links[a * n + b] = m_links[b * n + a] = static_cast<int>(i);
    }
    endResetModel();
}

void TopologyMatrixModel::setPlan(const PlanOnMachine& plan)
{
    m_plan = plan;
    if (count() > 0)
        emit dataChanged(index(0, 0), index(count() - 1, count() - 1));
}

TopologyMatrixModel::Use TopologyMatrixModel::useOf(int row, int column) const
{
    if (row == column || m_plan.between(row, column) == nullptr)
        return Use::None;
    return lacksPeerAccess(m_topology, row, column) ? Use::WithoutPeerAccess : Use::Used;
}

int TopologyMatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int TopologyMatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

const Link* TopologyMatrixModel::linkAt(int row, int column) const
{
    const int at = m_links[static_cast<std::size_t>(row) * m_topology.devices.size()
        + static_cast<std::size_t>(column)];
    return at < 0 ? nullptr : &m_topology.links[static_cast<std::size_t>(at)];
}

QString TopologyMatrixModel::tip(int row, int column) const
{
    const auto name = [this](int index) {
        return deviceLabel(m_topology.devices[static_cast<std::size_t>(index)]);
    };
    if (row == column)
        return name(row);
    const Link* link = linkAt(row, column);
    QString words
        = tr("%1 – %2: %3")
              .arg(name(row), name(column), link != nullptr ? linkText(*link) : tr("unplugged"));
    if (const PairTraffic* traffic = m_plan.between(row, column)) {
        words += tr("; the plan moves %1 a step").arg(bytesText(traffic->bytes()));
        if (lacksPeerAccess(m_topology, row, column))
            words += tr(" through host memory: no peer access");
    }
    return words;
}

QVariant TopologyMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool self = index.row() == index.column();
    const Link* link = self ? nullptr : linkAt(index.row(), index.column());
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignCenter);
    case Qt::FontRole:
        return theme().captionFont();
    case Qt::DisplayRole:
        if (self)
            return QString();
        return link != nullptr ? gigabytes(bandwidthOf(*link)) : QStringLiteral("×");
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tip(index.row(), index.column());
    case Qt::BackgroundRole:
        return self ? theme().panel : groundOf(link);
    case Qt::ForegroundRole:
        return self || link == nullptr ? theme().muted : theme().textOn(groundOf(link));
    case UseRole:
        return static_cast<int>(useOf(index.row(), index.column()));
    default:
        return {};
    }
}

QVariant TopologyMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || section >= count())
        return {};
    if (role == Qt::ToolTipRole)
        return deviceLabel(m_topology.devices[static_cast<std::size_t>(section)]);
    if (role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    return QString::number(m_topology.devices[static_cast<std::size_t>(section)].index);
}

} // namespace stageloom
