// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include <string>

namespace stageloom {

// Why devices idle in a trace's steady state and whom they wait for, a line each; empty where there
// is one stage or nothing to tell. `indent` columns stand before the label, which is `width` wide.
std::string idleText(const Trace& trace, int indent, int width);

} // namespace stageloom
