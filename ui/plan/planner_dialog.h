// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/planner_state.h"
#include <QDialog>

class QComboBox;
class QSpinBox;

namespace stageloom {

// Asks what the planner shall look for, filled in from the open plan.
class PlannerDialog : public QDialog {
    Q_OBJECT
public:
    explicit PlannerDialog(const Plan& plan, QWidget* parent = nullptr);
    [[nodiscard]] PlannerWish wish() const;

private:
    Plan m_plan;
    QSpinBox *m_batch, *m_size, *m_seq;
    QComboBox *m_dtype, *m_schedule, *m_width, *m_optimizer;
};

} // namespace stageloom
