// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// Bytes that a step (a batch) of a plan moves between two devices, both ways together; a < b.
struct PairTraffic {
    int a = 0, b = 0;
    double activations = 0; // activations on and their gradients back, of all microbatches
    double reductions = 0; // weight gradients of replicas
    double hop = 0; // seconds of the longest transfer of one microbatch, one way
    [[nodiscard]] double bytes() const { return activations + reductions; }
};

// Of each pair that the plan uses, once, in order.
std::vector<PairTraffic> planTraffic(const Plan& plan, const Model& model);

} // namespace stageloom
