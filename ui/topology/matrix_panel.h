// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/topology_matrix_model.h"
#include "ui/widgets/panel.h"

class QTableView;

namespace stageloom {

// Every pair of devices in a table; a cell chosen here is chosen everywhere, Delete unplugs it.
class MatrixPanel : public Panel {
    Q_OBJECT
public:
    explicit MatrixPanel(TopologyState& state, QWidget* parent = nullptr);
    void setPlan(const PlanOnMachine& plan) { m_matrix.setPlan(plan); }
    QTableView* table() { return m_table; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fit();
    void buildTable();
    void showTopology();
    void showSelection();

    TopologyState& m_state;
    TopologyMatrixModel m_matrix;
    QTableView* m_table;
    bool m_following = false; // the cell follows the picture: nothing was chosen here
};

} // namespace stageloom
