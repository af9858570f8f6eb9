// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/layers_model.h"
#include "ui/pages/page.h"
#include "ui/state/workspace.h"
#include <QSortFilterProxyModel>

class QPushButton;
class QStackedLayout;

namespace stageloom {

class Panel;

// The layers of a model with their parameters, FLOPs and bytes.
class ModelPage : public Page {
    Q_OBJECT
public:
    explicit ModelPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;

private:
    QWidget* buildTable();
    void showModel();
    void openModel();
    void planModel();

    Workspace& m_workspace;
    LayersModel m_layers;
    QSortFilterProxyModel m_filter;
    Panel* m_panel = nullptr;
    QStackedLayout* m_stack;
    QPushButton *m_open, *m_plan;
};

} // namespace stageloom
