// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include <QWidget>

class QComboBox;
class QSpinBox;

namespace stageloom {

// Schedule, microbatch size and count of a plan.
class PlanControls : public QWidget {
    Q_OBJECT
public:
    explicit PlanControls(QWidget* parent = nullptr);
    void show(const Plan& plan);
    void focusFor(const QString& key); // the field of a key of the plan, where there is one

signals:
    void scheduleChosen(const QString& name);
    void microbatchSizeChosen(int samples);
    void microbatchesChosen(int count);

private:
    QComboBox* m_schedule;
    QSpinBox *m_size, *m_count;
};

} // namespace stageloom
