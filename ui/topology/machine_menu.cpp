// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/machine_menu.h"

#include "ui/topology/link_look.h"
#include <QCoreApplication>
#include <QMenu>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MachineMenu)
};

void addPair(QMenu& menu, TopologyState& state, int a, int b)
{
    const Topology& machine = *state.topology();
    if (const Link* link = machine.linkBetween(a, b))
        menu.addAction(
            Words::tr("Unplug %1 – %2 (%3)")
                .arg(deviceLabel(machine.devices[static_cast<std::size_t>(a)]),
                    deviceLabel(machine.devices[static_cast<std::size_t>(b)]), linkText(*link)),
            QKeySequence(Qt::Key_Delete), &state, [&state, a, b] { state.unplug(a, b); });
}

void addDevice(QMenu& menu, TopologyState& state, int device)
{
    const Topology& machine = *state.topology();
    constexpr std::size_t kMost = 24; // more is for the matrix
    QMenu* links = menu.addMenu(Words::tr("Unplug from"));
    for (const Device& other : machine.devices) {
        const Link* link = machine.linkBetween(device, other.index);
        if (link == nullptr || links->actions().size() >= static_cast<qsizetype>(kMost))
            continue;
        links->addAction(deviceLabel(other) + QStringLiteral(" · ") + linkText(*link), &state,
            [&state, device, index = other.index] { state.unplug(device, index); });
    }
    links->setEnabled(!links->isEmpty());
    const QString name = deviceLabel(machine.devices[static_cast<std::size_t>(device)]);
    menu.addAction(Words::tr("Add another like %1").arg(name), QKeySequence(Qt::Key_Plus), &state,
        [&state, device] { state.addLike(device); });
    QAction* remove = menu.addAction(Words::tr("Remove %1").arg(name), QKeySequence(Qt::Key_Delete),
        &state, [&state, device] { state.remove(device); });
    remove->setEnabled(machine.devices.size() > 1);
}

} // namespace

QMenu* makeMachineMenu(TopologyState& state, const MachineSelection& what, QWidget* parent)
{
    if (!state.topology() || what.a < 0)
        return nullptr;
    auto* menu = new QMenu(parent);
    if (what.isPair())
        addPair(*menu, state, what.a, what.b);
    else
        addDevice(*menu, state, what.a);
    if (menu->isEmpty()) {
        delete menu;
        return nullptr;
    }
    return menu;
}

} // namespace stageloom
