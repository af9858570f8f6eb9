// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/model/layers_model.h"
#include "ui/state/workspace.h"
#include "ui/widgets/page.h"

class QPushButton;
class QStackedLayout;

namespace stageloom {

class EmptyNotice;
class LayersPanel;
class OperatorPanel;
class Segments;
class LayerStrip;
class Panel;

// A model's layers, drawn and as a table, with what the whole of it costs beside them.
class ModelPage : public Page {
    Q_OBJECT
public:
    explicit ModelPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;

private:
    QWidget* buildContent();
    Panel* buildStrip();
    void buildActions();
    void showModel();
    void showTimes();
    void showMeasure();
    void showStages();
    void showParts();
    void choose(int layer, int part);
    void openFile();
    void openFolder();
    void planModel();

    Workspace& m_workspace;
    LayersModel m_layers;
    LayerStrip* m_strip = nullptr;
    LayersPanel* m_table = nullptr;
    Segments* m_measure = nullptr;
    OperatorPanel* m_chosen = nullptr;
    LayersModel::Place m_place; // what is chosen
    QStackedLayout* m_stack;
    QPushButton *m_presets, *m_open, *m_plan;
};

} // namespace stageloom
