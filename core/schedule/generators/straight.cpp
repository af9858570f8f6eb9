// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/generators/generators.h"

#include <numeric>

namespace stageloom::generators {

Schedule straight(int d, int m, int n)
{
    Schedule schedule;
    schedule.stages = d;
    schedule.microbatches = m;
    schedule.batches = n;
    schedule.microbatchesPerUpdate = m;
    schedule.workers.resize(std::size_t(d));
    schedule.workerOfStage.resize(std::size_t(d));
    std::iota(schedule.workerOfStage.begin(), schedule.workerOfStage.end(), 0);
    return schedule;
}

Action forward(int stage, int microbatch)
{
    return { .stage = stage, .microbatch = microbatch, .kind = ActionKind::Forward };
}

Action backward(int stage, int microbatch)
{
    return { .stage = stage, .microbatch = microbatch, .kind = ActionKind::Backward };
}

Action update(int stage, int batch)
{
    return { .stage = stage, .microbatch = batch, .kind = ActionKind::Update };
}

} // namespace stageloom::generators
