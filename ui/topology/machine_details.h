// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/topology_state.h"
#include "ui/widgets/panel.h"

class QPushButton;

namespace stageloom {

class FactRows;

// What is known of the chosen device or pair, else of the whole machine, and what can be done.
class MachineDetails : public Panel {
    Q_OBJECT
public:
    explicit MachineDetails(TopologyState& state, QWidget* parent = nullptr);

private:
    using Facts = QList<std::pair<QString, QString>>;
    void showSelection();
    [[nodiscard]] Facts machineFacts() const;
    [[nodiscard]] Facts deviceFacts(const Device& device) const;
    [[nodiscard]] Facts pairFacts(int a, int b) const;

    TopologyState& m_state;
    FactRows* m_facts;
    QLabel* m_text;
    QPushButton *m_unplug, *m_add, *m_remove;
};

} // namespace stageloom
