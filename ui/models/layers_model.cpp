// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layers_model.h"

#include "core/base/units.h"

namespace stageloom {

void LayersModel::setLayers(std::vector<Layer> layers)
{
    beginResetModel();
    m_layers = std::move(layers);
    endResetModel();
}

int LayersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_layers.size());
}

int LayersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LayersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return index.column() == Name || index.column() == TiedTo
            ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
            : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const Layer& layer = m_layers[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Name:
        return QString::fromStdString(layer.name);
    case Parameters:
        return QString::fromStdString(groupDigits(layer.parameters));
    case Flops:
        return QString::fromStdString(formatCount(layer.forwardFlops));
    case Output:
        return QString::fromStdString(formatBytes(layer.outputBytes));
    case Stash:
        return QString::fromStdString(formatBytes(layer.stashBytes));
    default:
        return QString::fromStdString(layer.tiedTo);
    }
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString names[] = { tr("Layer"), tr("Parameters"), tr("FLOP forward"), tr("Output"),
        tr("Kept for backward"), tr("Tied to") };
    return section >= 0 && section < ColumnCount ? names[section] : QString();
}

} // namespace stageloom
