// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/topology_matrix_model.h"
#include "ui/pages/page.h"
#include "ui/state/workspace.h"

class QPushButton;
class QStackedLayout;

namespace stageloom {

class TopologyView;

// The machine: its devices and links drawn, and as a matrix.
class TopologyPage : public Page {
    Q_OBJECT
public:
    explicit TopologyPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;

private:
    QWidget* buildContent();
    void showTopology();
    void openTopology();

    Workspace& m_workspace;
    TopologyMatrixModel m_matrix;
    TopologyView* m_view = nullptr;
    QStackedLayout* m_stack;
    QPushButton *m_preset, *m_open;
};

} // namespace stageloom
