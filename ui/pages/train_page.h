// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/log_model.h"
#include "ui/pages/page.h"
#include "ui/state/workspace.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QSpinBox;

namespace stageloom {

class CurvePlot;
class MessageBar;
class TimelineView;

// Starts a run and follows it: curves, measured under predicted timeline, who waits, log.
class TrainPage : public Page {
    Q_OBJECT
public:
    explicit TrainPage(Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString subtitle() const override;
    [[nodiscard]] QList<QWidget*> actions() const override;

private:
    QWidget* buildForm();
    QWidget* buildMain();
    QWidget* buildSide();
    CurvePlot* addCurve(QLayout* row, const QString& title, QLabel*& value);
    void buildActions();
    void connectRun();
    void start();
    void chooseData();
    void resetViews();
    void showPlanned();
    void showMetrics();
    void showStatus();
    void showWaits(const std::vector<Span>& spans);
    void showEnd(RunState state, const QString& lastWords);
    void attachToRunning();

    Workspace& m_workspace;
    LogModel m_log;
    MessageBar* m_message;
    QWidget* m_form = nullptr;
    QLineEdit* m_data = nullptr;
    QSpinBox *m_steps = nullptr, *m_seed = nullptr;
    QDoubleSpinBox* m_rate = nullptr;
    CurvePlot *m_loss = nullptr, *m_tokens = nullptr, *m_norm = nullptr;
    QLabel *m_lossValue = nullptr, *m_tokensValue = nullptr, *m_normValue = nullptr;
    QLabel *m_facts = nullptr, *m_waits = nullptr;
    TimelineView* m_timeline = nullptr;
    QListView* m_logView = nullptr;
    QPushButton *m_pause = nullptr, *m_stopAfter = nullptr, *m_stop = nullptr, *m_start = nullptr;
    std::size_t m_shown = 0; // points on the curves
};

} // namespace stageloom
