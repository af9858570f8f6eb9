// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "ui/model/layer_measure.h"
#include <QAbstractTableModel>

namespace stageloom {

// A model's layers in order of the forward pass. Numbers are a sample's, times a microbatch's.
class LayersModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Share, Parameters, Flops, Output, Stash, Forward, Backward, ColumnCount };
    enum Role { ShareRole = Qt::UserRole, LargestShareRole }; // 0…1 of the whole, by the measure
    using QAbstractTableModel::QAbstractTableModel;
    void setLayers(std::vector<Layer> layers); // forgets measured times
    void setProfile(const std::optional<Profile>& profile);
    void setMeasure(LayerMeasure measure);
    [[nodiscard]] LayerMeasure measure() const { return m_measure; }
    [[nodiscard]] QString total(int column) const; // of all layers; empty where no sum is meant

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void countShares();
    [[nodiscard]] QString text(const Layer& layer, int row, int column) const;
    [[nodiscard]] QString exact(const Layer& layer, int column) const; // the tooltip

    std::vector<Layer> m_layers;
    std::optional<Profile> m_profile; // of as many layers
    LayerMeasure m_measure = LayerMeasure::Parameters;
    std::vector<double> m_shares;
    double m_largest = 0;
};

} // namespace stageloom
