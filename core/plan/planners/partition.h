// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/planners/stage_costs.h"
#include <optional>

namespace stageloom::planners {

struct Partition {
    std::vector<PlanStage> stages; // devices copied from the costs' plan
    double slowest = 0; // seconds a batch that the slowest stage is busy
    double excess = 0; // bytes over the memory of the worst stage; ≤ 0: fits
};

// Contiguous layers over stages with the smallest time of the slowest stage that fits in memory;
// none where no cut fits. Exact: dynamic programming over (stage, last layer), O(d·L²).
std::optional<Partition> fastestPartition(const StageCosts& costs, int layers);
// The cut given by each stage's first layer.
Partition partitionOf(const StageCosts& costs, int layers, const std::vector<int>& cut);
// The cut whose worst stage is the fewest bytes over its device: what to name when nothing fits.
Partition closestPartition(const StageCosts& costs, int layers);

} // namespace stageloom::planners
