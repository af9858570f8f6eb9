// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/action.h"
#include <string>
#include <vector>

namespace stageloom {

// Which weight version a microbatch reads (2bw.md §1).
enum class VersionRule {
    Flush, // batch t reads W(t)
    DelayOne, // 2BW: batch t reads W(max(t-1, 0)), eq. of §3.1
    Stash, // PipeDream: one update a microbatch, a stage reads its newest version, backward the
           // stashed one
};

// Plain data: per worker an ordered list of actions. Made by generators, rewritten by passes.
struct Schedule {
    std::string name; // registry name: "2bw", "1f1b", …
    VersionRule versionRule = VersionRule::Flush;
    int stages = 0; // global stages (workers × chunks)
    int microbatches = 0; // a batch
    int batches = 0;
    int microbatchesPerUpdate = 0; // = microbatches, but 1 under PipeDream
    std::vector<std::vector<Action>> workers; // workers[w]: what device/thread w does, in order
    std::vector<int> workerOfStage; // stage -> worker

    [[nodiscard]] int depth() const { return static_cast<int>(workers.size()); }
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

} // namespace stageloom
