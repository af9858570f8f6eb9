// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/topology_state.h"

class QMenu;
class QWidget;

namespace stageloom {

// What can be done with a device or a pair; null where nothing can. Owned by `parent`.
QMenu* makeMachineMenu(TopologyState& state, const MachineSelection& what, QWidget* parent);

} // namespace stageloom
