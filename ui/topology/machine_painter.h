// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/topology_state.h"
#include "ui/topology/link_look.h"
#include "ui/topology/machine_layout.h"
#include "ui/topology/plan_on_machine.h"

class QPainter;

namespace stageloom {

// What a picture of a machine shows beyond the machine itself.
struct MachineMarks {
    MachineSelection selection;
    int hovered = -1; // device
    PlanOnMachine plan;
    LinkNumbers numbers = LinkNumbers::Traffic;
    std::vector<int> whatIf; // devices that a what-if row takes away, or whose link; dashed
    bool whatIfLink = false;
};

// Paints a machine where its layout says.
class MachinePainter {
public:
    MachinePainter(QPainter& painter, const Topology& topology, const MachineLayout& layout,
        const MachineMarks& marks)
        : m_painter(painter)
        , m_topology(topology)
        , m_layout(layout)
        , m_marks(marks)
    {
    }
    void paint();

private:
    void paintFrames();
    void paintNetwork();
    void paintSpokes();
    void paintLinks();
    void paintMissing();
    void paintHubs();
    void paintDevice(std::size_t index);
    void paintSmallDevice(const QRectF& box, const Device& device, int stage);
    void paintDeviceLoad(const QRectF& inner, const Device& device);
    void paintWhatIf();
    [[nodiscard]] QPen penOf(const Link& link) const;
    void paintChosenWays();
    bool paintLabel(const QPainterPath& way, const QString& text, bool force);
    bool putLabel(const QRectF& pill, const QString& text);
    [[nodiscard]] bool concerns(const Link& link) const; // the hovered or chosen device
    [[nodiscard]] QString hubText(const LinkHub& hub) const;

    QPainter& m_painter;
    const Topology& m_topology;
    const MachineLayout& m_layout;
    const MachineMarks& m_marks;
    std::vector<QRectF> m_labels; // taken room
};

} // namespace stageloom
