// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include <vector>

namespace stageloom::engine {

// What the executor has to set up for a list, counted from the list itself.
struct ListFacts {
    std::vector<int> accumulators; // per stage: gradient accumulators in use at once (2 where
                                   // updates are deferred)
    std::vector<bool> recompute; // per stage: forwards drop their stash
    bool reduces = false; // updates wait for every stage's part
};

ListFacts factsOf(const Schedule& schedule);

// Batch (of m microbatches) that an action belongs to; under PipeDream one batch holds m updates.
inline std::int64_t planBatchOf(const Schedule& schedule, const Action& action)
{
    const std::int64_t perUpdate = schedule.microbatchesPerUpdate;
    return carriesMicrobatch(action.kind) ? action.microbatch / schedule.microbatches
                                          : action.microbatch * perUpdate / schedule.microbatches;
}
// Whether this update is the last of its batch.
inline bool endsBatch(const Schedule& schedule, const Action& action)
{
    return action.kind == ActionKind::Update
        && (std::int64_t(action.microbatch) + 1) * schedule.microbatchesPerUpdate
            % schedule.microbatches
        == 0;
}

// Evaluation happens on each worker right after its last update of a batch. That cannot deadlock
// iff no action before this point, on any worker, needs one that comes after it on another: the
// points of all batches are checked.
Status evaluationPointsClosed(const Schedule& schedule);

} // namespace stageloom::engine
