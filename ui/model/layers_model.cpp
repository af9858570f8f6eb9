// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layers_model.h"
#include "ui/theme/text.h"

#include "core/base/units.h"
#include <algorithm>
#include <numeric>

namespace stageloom {

void LayersModel::setLayers(std::vector<Layer> layers)
{
    beginResetModel();
    m_layers = std::move(layers);
    m_profile.reset();
    countShares();
    endResetModel();
}

void LayersModel::setProfile(const std::optional<Profile>& profile)
{
    m_profile = profile;
    if (m_profile && m_profile->layers.size() != m_layers.size())
        m_profile.reset();
    countShares();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void LayersModel::setMeasure(LayerMeasure measure)
{
    m_measure = measure;
    countShares();
    if (rowCount() > 0)
        emit dataChanged(index(0, Share), index(rowCount() - 1, Share));
    emit headerDataChanged(Qt::Horizontal, Share, Share);
}

void LayersModel::countShares()
{
    m_shares = measuresOf(m_layers, m_measure, m_profile);
    const double total = std::accumulate(m_shares.begin(), m_shares.end(), 0.0);
    for (double& share : m_shares)
        share = total > 0 ? share / total : 0;
    m_largest = m_shares.empty() ? 0 : *std::max_element(m_shares.begin(), m_shares.end());
}

int LayersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_layers.size());
}

int LayersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString LayersModel::text(const Layer& layer, int row, int column) const
{
    const LayerTime* time = m_profile ? &m_profile->layers[static_cast<std::size_t>(row)] : nullptr;
    switch (column) {
    case Name:
        return QString::fromStdString(layer.name);
    case Share:
        return percentText(m_shares[static_cast<std::size_t>(row)]);
    case Parameters:
        return layer.tiedTo.empty() ? countText(static_cast<double>(layer.parameters)) : tr("tied");
    case Flops:
        return flopsText(layer.forwardFlops);
    case Output:
        return bytesText(layer.outputBytes);
    case Stash:
        return bytesText(layer.stashBytes);
    case Forward:
        return time != nullptr ? secondsText(time->forward) : QString();
    case Backward:
        return time != nullptr ? secondsText(time->backward) : QString();
    default:
        return {};
    }
}

QString LayersModel::exact(const Layer& layer, int column) const
{
    if (column == Parameters && !layer.tiedTo.empty())
        return tr("Uses the weight of %1: no parameters of its own.")
            .arg(QString::fromStdString(layer.tiedTo));
    if (column == Parameters)
        return tr("%1 parameters").arg(QString::fromStdString(groupDigits(layer.parameters)));
    if (column == Output)
        return tr("What the next layer receives for one sample.");
    if (column == Stash)
        return tr("What forward keeps for backward for one sample, the layer's input included.");
    if (column == Flops)
        return tr("Forward pass of one sample; a multiply-add counts as 2.");
    return {};
}

QVariant LayersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant(
            (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return text(m_layers[row], index.row(), index.column());
    case Qt::ToolTipRole:
        return exact(m_layers[row], index.column());
    case ShareRole:
        return m_shares[row];
    case LargestShareRole:
        return m_largest;
    default:
        return {};
    }
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString names[] = { tr("Layer"), tr("Share"), tr("Parameters"), tr("Forward"),
        tr("Output"), tr("Kept"), tr("Time forward"), tr("Time backward") };
    return names[section];
}

QString LayersModel::total(int column) const
{
    const auto sum = [this](auto value) {
        return std::accumulate(m_layers.begin(), m_layers.end(), 0.0,
            [&](double so, const Layer& layer) { return so + double(value(layer)); });
    };
    const auto time = [this](double LayerTime::*part) {
        double so = 0;
        for (const LayerTime& layer : m_profile->layers)
            so += layer.*part;
        return secondsText(so);
    };
    switch (column) {
    case Name:
        return tr("%n layer(s)", nullptr, rowCount());
    case Parameters:
        return QString::fromStdString(
            formatCount(sum([](const Layer& layer) { return layer.parameters; })));
    case Flops:
        return flopsText(sum([](const Layer& layer) { return layer.forwardFlops; }));
    case Stash:
        return bytesText(sum([](const Layer& layer) { return layer.stashBytes; }));
    case Forward:
        return m_profile ? time(&LayerTime::forward) : QString();
    case Backward:
        return m_profile ? time(&LayerTime::backward) : QString();
    default:
        return {}; // outputs are handed over one after the other: their sum means nothing
    }
}

} // namespace stageloom
