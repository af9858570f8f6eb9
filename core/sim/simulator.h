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
    // Whole.
    double backward = 2;
    // Its halves; < 0: half of it each.
    double backwardInput = -1, backwardWeight = -1;
    double recompute = 0;
    double update = 0;
    // Sum of the replicas' gradients, on the links: it starts when an ALLREDUCE hands in, and the
    // update waits for it; where the list has none, the worker stands for it before its update.
    double reduction = 0;
};

struct SimulationInput {
    // One a stage.
    std::vector<StageTimes> stages;
    // hops[s]: one way between stage s and s+1; empty: 0. Same worker: always 0.
    std::vector<double> hops;
    // Transfers hold both workers, and start when both are free. A worker that stands at one also
    // takes part in those with the same peer that follow, receives as soon as the peer stands at
    // them: batched isend/irecv, without which the facing transfers of 1F1B would lock.
    bool blockingHops = false;
    // For the memory curve; empty: none. Per stage, bytes: one microbatch in flight, and weights,
    // optimizer state, buffers.
    std::vector<double> stashBytes, fixedBytes;
};

// Event-driven, exact: every action starts when its worker is free and its inputs have arrived. A
// SEND goes on the link lane of its border and direction, one message after the other, and takes no
// time of the worker; a RECV stands until its message is there. In the trace a SEND's span is the
// message on the link and a RECV's the worker's wait; what takes no time leaves no span. Linear in
// the number of actions. A list whose stages hand over without transfers gets them first; one that
// cannot finish is an error that names what waits for what.
Result<Trace> simulate(const Schedule& schedule, const SimulationInput& input);

} // namespace stageloom
