// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/passes/passes.h"

#include <algorithm>

namespace stageloom::passes {

namespace {

// The newest version of each stage as its list goes by; a backward reads what its forward read.
void stashedVersions(Schedule& schedule)
{
    const int total = schedule.microbatches * schedule.batches;
    std::vector<int> newest(std::size_t(schedule.stages), 0);
    std::vector<int> read(std::size_t(schedule.stages) * std::size_t(total), 0);
    for (auto& list : schedule.workers)
        for (Action& action : list) {
            const auto stage = std::size_t(action.stage);
            if (action.kind == ActionKind::Update) {
                action.version = ++newest[stage];
            } else if (isCompute(action.kind)) {
                int& seen = read[stage * std::size_t(total) + std::size_t(action.microbatch)];
                if (action.kind == ActionKind::Forward)
                    seen = newest[stage];
                action.version = seen;
            }
        }
}

} // namespace

void assignVersions(Schedule& schedule)
{
    if (schedule.versionRule == VersionRule::Stash) {
        stashedVersions(schedule);
        return;
    }
    const int delay = schedule.versionRule == VersionRule::DelayOne ? 1 : 0;
    for (auto& list : schedule.workers)
        for (Action& action : list) {
            const int batch = schedule.batchOf(action);
            if (action.kind == ActionKind::Update)
                action.version = batch + 1;
            else if (isCompute(action.kind))
                action.version = std::max(batch - delay, 0);
        }
}

} // namespace stageloom::passes
