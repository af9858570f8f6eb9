// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/topology/what_if.h"
#include "ui/widgets/panel.h"

class QTableView;

namespace stageloom {

// What a plan would be without a device or a link, or with one more; each row is planned anew in
// the background, while the panel is in sight.
class WhatIfPanel : public Panel {
    Q_OBJECT
public:
    explicit WhatIfPanel(Workspace& workspace, QWidget* parent = nullptr);
    QTableView* table() { return m_table; }
    [[nodiscard]] bool isBusy() const { return m_job.running(); }

signals:
    void concerned(const std::vector<int>& devices, bool link); // by the chosen row; empty: none

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void ask(); // soon
    void plan();
    void showChosen();
    void doIt(); // the chosen row, to the machine shown

    Workspace& m_workspace;
    WhatIfModel m_model;
    LatestJob<std::vector<WhatIfRow>> m_job;
    QTimer m_soon;
    QTableView* m_table;
    QLabel* m_text;
    QPushButton* m_do;
    bool m_stale = true; // the rows are not of what is shown
};

} // namespace stageloom
