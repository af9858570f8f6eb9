// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/action.h"
#include <string>
#include <vector>

namespace stageloom {

// Which weight version a microbatch reads (2bw.md §1).
enum class VersionRule {
    // Batch t reads W(t).
    Flush,
    // 2BW: batch t reads W(max(t-1, 0)), eq. of §3.1.
    DelayOne,
    // PipeDream: one update a microbatch; a forward reads its stage's newest version, the backward
    // the stashed one.
    Stash,
};

// Plain data: per worker an ordered list of actions. Made by generators, rewritten by passes.
struct Schedule {
    // Its row in the table of schedules; a file's rows are "csv".
    std::string name;
    VersionRule versionRule = VersionRule::Flush;
    // Global stages (workers × chunks).
    int stages = 0;
    // A batch of the plan.
    int microbatches = 0;
    int batches = 0;
    // = microbatches, but 1 under PipeDream, whose every microbatch has an update of its own.
    int microbatchesPerUpdate = 0;
    // workers[w]: what device or thread w does, in order.
    std::vector<std::vector<Action>> workers;
    // stage -> worker
    std::vector<int> workerOfStage;

    [[nodiscard]] int depth() const { return static_cast<int>(workers.size()); }
    [[nodiscard]] std::size_t microbatchCount() const
    {
        return std::size_t(microbatches) * std::size_t(batches);
    }
    // Of one stage, in the whole run.
    [[nodiscard]] std::size_t updateCount() const
    {
        return microbatchesPerUpdate > 0 ? microbatchCount() / std::size_t(microbatchesPerUpdate)
                                         : 0;
    }
    // Index of the update that the action belongs to: what U and ALLREDUCE count in. A batch of the
    // plan, but a microbatch under PipeDream; see planBatchOf.
    [[nodiscard]] int batchOf(const Action& a) const
    {
        return carriesMicrobatch(a.kind) ? a.microbatch / microbatchesPerUpdate : a.microbatch;
    }
    [[nodiscard]] std::size_t actionCount() const
    {
        std::size_t n = 0;
        for (const auto& list : workers)
            n += list.size();
        return n;
    }
};

// Batch of the plan (m microbatches) that an action belongs to; under PipeDream it holds m updates.
inline std::int64_t planBatchOf(const Schedule& schedule, const Action& action)
{
    const std::int64_t perUpdate = schedule.microbatchesPerUpdate;
    return carriesMicrobatch(action.kind) ? action.microbatch / schedule.microbatches
                                          : action.microbatch * perUpdate / schedule.microbatches;
}

// Whether this update is the last of its batch of the plan.
inline bool endsBatch(const Schedule& schedule, const Action& action)
{
    return action.kind == ActionKind::Update
        && (std::int64_t(action.microbatch) + 1) * schedule.microbatchesPerUpdate
            % schedule.microbatches
        == 0;
}

} // namespace stageloom
