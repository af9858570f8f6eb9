// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/registry.h"
#include "engine/exec/executor.h"

namespace stageloom::engine {

// What runs, apart from the model: a plan comes down to this.
struct RunShape {
    ScheduleRequest schedule; // batches = steps
    std::vector<std::pair<int, int>> layers; // of each stage, inclusive
    std::vector<Device> devices; // of each stage
    OptimizerSettings optimizer;
};

struct BuildOptions {
    std::int64_t steps = 1; // batches
    std::uint64_t seed = 1234; // of the initial weights
    int threadsPerStage = 1;
};

// The executor's input for a plan that this engine trains (checkRequest), without its data: action
// list, proof, stages with initial weights, optimizers.
Result<ExecutorInput> buildRun(
    const RunShape& shape, const Model& model, const BuildOptions& options);
Result<ExecutorInput> buildRun(const Plan& plan, const Model& model, const BuildOptions& options);

} // namespace stageloom::engine
