// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/plan/findings_model.h"
#include "ui/widgets/panel.h"
#include <functional>

class QListView;
class QPushButton;

namespace stageloom {

// The findings of validation, proof and prediction. A click names the place that is meant.
class ChecksPanel : public Panel {
    Q_OBJECT
public:
    explicit ChecksPanel(QWidget* parent = nullptr);
    // `notes`: what is known of the plan beside its prediction.
    void show(const Prediction* prediction, const QString& error,
        const std::vector<PlanFinding>& notes = {});
    // The nearest plan that works, one press away; empty: nothing is known.
    void offer(const QString& remedy, const std::function<void()>& doRemedy);

signals:
    void placeNamed(const QString& path); // a JSON pointer into the plan

private:
    FindingsModel m_model;
    QListView* m_list;
    QPushButton* m_remedy;
    std::function<void()> m_doRemedy;
};

} // namespace stageloom
