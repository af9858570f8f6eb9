// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/model/layers_model.h"
#include "ui/widgets/panel.h"
#include <QSortFilterProxyModel>

class QTableView;

namespace stageloom {

// The table of layers with a search, and sums under its columns.
class LayersPanel : public Panel {
    Q_OBJECT
public:
    explicit LayersPanel(LayersModel& layers, QWidget* parent = nullptr);
    void setTimesShown(bool shown);
    void setCurrent(int layer); // -1, or a layer the search hides: none
    QTableView* table() { return m_table; }

signals:
    void layerChosen(int layer);
    void searched(const std::vector<bool>& kept); // by layer

private:
    void buildTable();

    LayersModel& m_layers;
    QSortFilterProxyModel m_filter;
    QTableView* m_table;
    bool m_following = false; // the selection follows the strip: nothing was chosen here
};

} // namespace stageloom
