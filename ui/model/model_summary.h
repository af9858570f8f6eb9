// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/model_state.h"
#include "ui/widgets/panel.h"

class QComboBox;
class QSpinBox;

namespace stageloom {

class FactRows;

// The whole model in a few numbers, and the length and number format they hold for.
class ModelSummary : public Panel {
    Q_OBJECT
public:
    explicit ModelSummary(ModelState& state, QWidget* parent = nullptr);

private:
    void showModel();
    void choose();

    ModelState& m_state;
    QSpinBox* m_length;
    QComboBox* m_format;
    FactRows* m_facts;
    QLabel* m_notes;
};

} // namespace stageloom
