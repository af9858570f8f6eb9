// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/page.h"

class QLabel;
class QPushButton;
class QSpinBox;
class QStackedLayout;

namespace stageloom {

class ElidedLabel;
class LinkLegend;
class MatrixPanel;
class Panel;
class Segments;
class TopologyView;

// The machine: its devices and links drawn, as a matrix, and in words.
class TopologyPage : public Page {
    Q_OBJECT
public:
    explicit TopologyPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;

private:
    QWidget* buildContent();
    Panel* buildPicture();
    void buildActions();
    void showTopology();
    void showCount();
    void showPlan();
    void showActions();
    void openTopology();
    void planHere();

    Workspace& m_workspace;
    TopologyView* m_view = nullptr;
    Panel* m_picture = nullptr;
    MatrixPanel* m_matrix = nullptr;
    Segments* m_numbers = nullptr;
    LinkLegend* m_legend = nullptr;
    QLabel* m_peer = nullptr; // what a lack of peer access costs
    ElidedLabel* m_live = nullptr;
    QLabel* m_counted = nullptr;
    QSpinBox* m_count = nullptr;
    QStackedLayout* m_stack;
    QPushButton *m_known, *m_open, *m_use, *m_plan;
};

} // namespace stageloom
