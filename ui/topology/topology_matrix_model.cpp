// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_matrix_model.h"

#include "ui/theme/theme.h"
#include "ui/topology/link_look.h"

namespace stageloom {

namespace {

constexpr double kGiga = 1e9, kTint = 0.16;

QString gigabytes(const std::optional<double>& bandwidth)
{
    if (!bandwidth)
        return QStringLiteral("?");
    const double value = *bandwidth / kGiga;
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QString::number(value, 'f', decimals);
}

// Measured of nominal, where both are known.
QString rates(const Link& link)
{
    return link.measuredBandwidth && link.bandwidth
        ? gigabytes(link.measuredBandwidth) + u'/' + gigabytes(link.bandwidth)
        : gigabytes(bandwidthOf(link));
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
    return tr("%1 – %2: %3")
        .arg(name(row), name(column), link != nullptr ? linkText(*link) : tr("unplugged"));
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
        return link != nullptr ? linkCode(*link) + u'\n' + rates(*link) : QStringLiteral("×");
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tip(index.row(), index.column());
    case Qt::BackgroundRole:
        return self ? QVariant(theme().track)
                    : QVariant(Theme::mix(link != nullptr ? linkColour(link->kind) : theme().bad,
                        theme().panel, kTint));
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
