// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/prediction.h"

namespace stageloom {

// Adds what a person can act on: stages that do not fit, and stages that hold the others up.
void adviseOnMemory(const Plan& plan, const Prediction& prediction, std::vector<PlanFinding>& out);
void adviseOnBalance(const Plan& plan, const Prediction& prediction, std::vector<PlanFinding>& out);
// "stage 0 needs 19.0 GiB, and GPU 0 has 14.6 of its 16.0 GiB for it: 4.4 GiB too much, most of it
// activations (11.2 GiB)"
std::string memoryRefusal(
    const Topology& topology, int stage, int device, const StageMemory& memory);
// What can help where even the planner's smallest plan of `plan`'s kind does not fit: its fullest
// stage needs `memory` of `room` bytes.
std::string smallestPlanHelp(const Plan& plan, const StageMemory& memory, double room);

} // namespace stageloom
