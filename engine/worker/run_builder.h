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
    OptimizerSettings optimizer;
};

struct BuildOptions {
    std::int64_t steps = 1; // batches
    std::uint64_t seed = 1234; // of the initial weights
    int threadsPerStage = 1;
};

// The executor's input for a plan, without its data: action list, proof, stages with initial
// weights, optimizers. Plans that this engine cannot run are refused, with a sentence that says
// what helps, before anything is built.
Result<ExecutorInput> buildRun(
    const RunShape& shape, const Model& model, const BuildOptions& options);
Result<ExecutorInput> buildRun(const Plan& plan, const Model& model, const BuildOptions& options);

} // namespace stageloom::engine
