// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/prediction.h"

namespace stageloom {

// Adds what a person can act on: stages that do not fit, and stages that hold the others up.
void adviseOnMemory(const Plan& plan, const Prediction& prediction, std::vector<PlanFinding>& out);
void adviseOnBalance(const Plan& plan, const Model& model, std::vector<PlanFinding>& out);
// "stage 0 needs 19.0 GB of 16.0 GB on GPU 0: 3.0 GB too much, most of it activations (11.2 GB)"
std::string memoryRefusal(
    const Topology& topology, int stage, int device, const StageMemory& memory, double capacity);

} // namespace stageloom
