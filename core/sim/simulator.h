// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include "core/sim/trace.h"
#include <vector>

namespace stageloom {

// Time of each action kind on one stage, in one unit (seconds, or the caller's).
struct StageTimes {
    double forward = 1;
    double backward
        = 2; // whole; the halves are `backwardInput`/`backwardWeight`, default half each
    double backwardInput = -1, backwardWeight = -1; // < 0: half of `backward`
    double recompute = 0;
    double update = 0;
};

struct SimulationInput {
    std::vector<StageTimes> stages; // one a stage
    std::vector<double>
        hops; // hops[s]: one way between stage s and s+1; empty: 0. Same worker: always 0
    bool blockingHops = false; // true: the sending and receiving worker cannot compute meanwhile
    // For the memory curve; empty: none. Per stage, bytes.
    std::vector<double> stashBytes; // one microbatch in flight
    std::vector<double> fixedBytes; // weights, optimizer state, buffers
};

// Event-driven, exact: every action starts when its worker is free and its inputs have arrived.
// Linear in the number of actions. A list that cannot finish is an error that names what waits for
// what.
Result<Trace> simulate(const Schedule& schedule, const SimulationInput& input);

} // namespace stageloom
