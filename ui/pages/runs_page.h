// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs_model.h"
#include "ui/pages/page.h"
#include "ui/state/workspace.h"
#include <QTimer>

class QComboBox;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace stageloom {

class CurvePlot;
class MessageBar;

// The run table with a filter; the curves of the chosen runs on one another.
class RunsPage : public Page {
    Q_OBJECT
public:
    explicit RunsPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Runs"); }
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;

private:
    QWidget* buildContent();
    QWidget* buildCurves();
    void showRows();
    void loadSelection();
    void showCurves();
    void exportCurves();

    Workspace& m_workspace;
    RunsModel m_model;
    RunsFilter m_filter;
    QTableView* m_table = nullptr;
    CurvePlot* m_plot = nullptr;
    QComboBox *m_metric = nullptr, *m_axis = nullptr;
    MessageBar* m_message = nullptr;
    QStackedLayout* m_stack;
    QPushButton* m_export;
    QTimer m_selectionDelay;
};

} // namespace stageloom
