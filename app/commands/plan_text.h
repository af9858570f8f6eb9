// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"

namespace stageloom {

// What `plan` prints for people: the ranking, why, the winner's timeline and memory, the notes.
std::string planText(const PlannerAnswer& answer, int columns);

} // namespace stageloom
