// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/registry.h"

namespace stageloom {

// What a list asks of each of its stages, counted from the list itself: the one source of in-flight
// microbatches, weight versions and gradient buffers for memory model, planner, prediction and
// engine. Vectors are per stage.
struct ListDemand {
    // Microbatches whose forward is done and whose backward is not, at most.
    std::vector<int> peakStash;
    // Weight versions alive at once, at most; 0 for a list without versions (an order alone, as CSV
    // files have it). An update may reuse the buffer of a version that nobody reads any more.
    std::vector<int> peakVersions;
    // Gradient accumulators in use at once: updates that wait for other stages leave theirs full
    // while the next batch's fills.
    std::vector<int> accumulators;
    // Where peakStash and peakVersions are first reached: position in the worker's list, -1 never.
    std::vector<int> stashPeakAt, versionPeakAt;
    // Forwards drop their stash, a Recompute brings it back.
    std::vector<bool> recompute;
    // Updates wait for every stage's part.
    bool reduces = false;
};

// Linear in the list. Actions outside the schedule's stages or microbatches are passed over.
ListDemand demandOf(const Schedule& schedule);

// Of what the request makes when it runs on and on, whatever its number of batches: counted from a
// list of as many as fill the pipeline. Remembered by schedule, depth, microbatches and
// crossStageUpdate; any thread.
Result<ListDemand> steadyDemand(const ScheduleRequest& request);

} // namespace stageloom
