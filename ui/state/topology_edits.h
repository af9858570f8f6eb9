// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// A machine with something changed by hand. `place[i]` is where old device i is now; -1: removed.
struct MachineEdit {
    Topology topology;
    std::vector<int> place;
};

// The pair goes over the host where a faster link is unplugged and the machine's PCIe is known;
// else nothing is said of the pair any more. Nothing changes where there is no such link.
MachineEdit withLinkUnplugged(const Topology& topology, int a, int b);
// Later devices move up by one; the last device stays.
MachineEdit withoutDevice(const Topology& topology, int index);
// One more of the same kind, beside `index`, as the last device. It is joined to its server's
// devices by the slowest kind of link there, to others as `index` is: a free slot is no more.
MachineEdit withDeviceLike(const Topology& topology, int index);

// The plan on the changed machine. A stage whose device is gone moves to a free one; without a
// free one its layers join the neighbour's, or every stage gives up one replica.
Plan withMachine(const Plan& plan, const MachineEdit& edit);
// The plan on another machine: stages take its devices in order, and join where there are too few.
Plan withOtherMachine(const Plan& plan, const Topology& machine);

bool sameMachine(const Topology& a, const Topology& b);

} // namespace stageloom
