// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operators.h"
#include "ui/model/layer_measure.h"
#include <QAbstractItemModel>
#include <QColor>
#include <array>
#include <map>

namespace stageloom {

// By kind of layer. A model whose operators cannot be told has none.
using ModelOperators = std::map<LayerKind, std::vector<Operator>>;
ModelOperators operatorsOf(const Model& model);
QColor partColour(Operator::Part part); // neutral: stages keep their hues

// A model's layers in order of the forward pass, equal blocks folded into one row that opens to the
// operators of one of them. Numbers are a sample's, times a microbatch's; a column has one unit,
// which its header names.
class LayersModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Shape, Parameters, Flops, Output, Stash, Forward, Backward, ColumnCount };
    enum Role { ValueRole = Qt::UserRole, StrongRole }; // to sort by (NaN: none); bold
    // What a row stands for: layers, all of them equal, or one operator of each.
    struct Place {
        int firstLayer = -1, lastLayer = -1;
        int part = -1; // index into the operators of that kind; -1: the layer
        bool one = false; // one of several equal layers
    };
    using QAbstractItemModel::QAbstractItemModel;
    void setModel(const std::optional<Model>& model); // forgets measured times
    void setProfile(const std::optional<Profile>& profile);
    [[nodiscard]] QString total(int column) const; // of all layers; empty where no sum is meant
    [[nodiscard]] Place placeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(int layer, int part = -1) const;
    [[nodiscard]] const ModelOperators& operators() const { return m_operators; }
    [[nodiscard]] const std::optional<Profile>& profile() const { return m_profile; }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Place place;
        int parent = -1; // id
        int row = 0; // among its parent's
        std::vector<int> children; // ids
    };
    int add(const Place& place, int parent);
    void build();
    void chooseUnits();
    [[nodiscard]] const Operator* partOf(const Row& row) const;
    [[nodiscard]] double value(const Row& row, int column) const; // NaN: none
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QString name(const Row& row) const;
    [[nodiscard]] QString shape(const Row& row) const;
    [[nodiscard]] QString tip(const Row& row, int column) const;

    std::optional<Model> m_model;
    std::optional<Profile> m_profile; // of as many layers
    ModelOperators m_operators;
    std::vector<Row> m_rows; // by id
    std::vector<int> m_tops;
    std::array<int, ColumnCount> m_units {}; // thousands (1024s of bytes) that a column's unit is
};

} // namespace stageloom
