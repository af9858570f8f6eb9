// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/panel.h"

class QProgressBar;
class QPushButton;

namespace stageloom {

// Measures the model shown on this machine: starts, follows, cancels, and says what came of it.
class MeasurePanel : public Panel {
    Q_OBJECT
public:
    explicit MeasurePanel(Workspace& workspace, QWidget* parent = nullptr);

private:
    void showState();
    [[nodiscard]] QString resultText() const;

    Workspace& m_workspace;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton *m_start, *m_cancel;
};

} // namespace stageloom
