// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/model/layers_model.h"
#include "ui/widgets/panel.h"
#include <QSortFilterProxyModel>

class QTreeView;

namespace stageloom {

// Sorted by a column inside each fold; "one block" stays on top of its operators.
class LayersOrder : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
};

// The table of layers with a search, and sums under its columns.
class LayersPanel : public Panel {
    Q_OBJECT
public:
    explicit LayersPanel(LayersModel& layers, QWidget* parent = nullptr);
    void setTimesShown(bool shown);
    void setCurrent(int layer, int part = -1); // -1, or a layer the search hides: none
    void openFolds();
    QTreeView* table() { return m_table; }

signals:
    void chosen(int layer, int part); // part -1: the layer; a fold's first layer
    void searched(const std::vector<bool>& kept); // by layer

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildTable();
    void search(const QString& text);
    void fit();
    [[nodiscard]] int widthOf(int column) const;

    LayersModel& m_layers;
    LayersOrder m_order;
    QTreeView* m_table;
    bool m_following = false; // the selection follows the strip: nothing was chosen here
};

} // namespace stageloom
