// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include <QAbstractTableModel>

namespace stageloom {

// A model's layers in order of the forward pass.
class LayersModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Parameters, Flops, Output, Stash, TiedTo, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setLayers(std::vector<Layer> layers);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Layer> m_layers;
};

} // namespace stageloom
