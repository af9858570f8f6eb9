// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/widgets/panel.h"
#include <memory>

namespace stageloom {

// The numbers of the plan in hand, coloured by how they stand against the saved plan's.
class SummaryPanel : public Panel {
    Q_OBJECT
public:
    explicit SummaryPanel(QWidget* parent = nullptr);
    void show(const std::shared_ptr<const Prediction>& now,
        const std::shared_ptr<const Prediction>& saved);

private:
    ElidedLabel* addRow(const QString& name, const QString& tip);
    ElidedLabel *m_step, *m_rate, *m_bubble, *m_memory, *m_staleness, *m_source;
};

} // namespace stageloom
