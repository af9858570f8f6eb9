// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/panel.h"
#include <QDateTime>

class QProgressBar;
class QPushButton;

namespace stageloom {

// What of measured times stands out, as a sentence: a layer that takes as long as several blocks.
QString timesInsight(const Model& model, const Profile& profile);

// Measures the model shown on this machine: starts, follows, cancels, and says what came of it.
class MeasurePanel : public Panel {
    Q_OBJECT
public:
    explicit MeasurePanel(Workspace& workspace, QWidget* parent = nullptr);

private:
    void showState();
    [[nodiscard]] QString resultText() const;

    Workspace& m_workspace;
    QDateTime m_measured; // in this session; null: the times came with a plan or a file
    QLabel *m_text, *m_insight;
    QProgressBar* m_progress;
    QPushButton *m_start, *m_cancel;
};

} // namespace stageloom
