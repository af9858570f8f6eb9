// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include <functional>

namespace stageloom::engine {

struct ProfilerOptions {
    int threadsPerStage = 1;
    int warmup = 2; // passes that are not counted
    int passes = 12; // as a rule
    double secondsLeast = 2; // small models go on until then: each pass is short and noisy
    double secondsWanted = 8; // passes end here, but not before three
    std::function<void(double)> progress; // fraction done, after every layer
};

// Times the layers of a plan's model for its microbatch size, with the functions that train. One
// pass goes forward and back through the whole model, so that caches are as cold as in a run; as
// many threads as the plan has stages (and the machine has cores) do so side by side, because they
// share the memory's bandwidth in a run, too. Medians.
Result<Profile> profileLayers(const Plan& plan, const Model& model, const ProfilerOptions& options);

} // namespace stageloom::engine
