// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/generators/generators.h"

#include <algorithm>

namespace stageloom::generators {

namespace {

// The endless 1F1B stream: warm-up once a run, an update after the last backward of every
// `perUpdate` microbatches, the drain once at the end. No stage waits for another at an update.
void stream(Schedule& schedule, int perUpdate)
{
    const int d = schedule.stages;
    const int total = schedule.microbatches * schedule.batches;
    for (int s = 0; s < d; ++s) {
        auto& list = schedule.workers[std::size_t(s)];
        list.reserve(std::size_t(total) * 2 + std::size_t(total / perUpdate));
        const int warm = std::min(d - 1 - s, total);
        for (int k = 0; k < total + warm; ++k) {
            if (k < total)
                list.push_back(forward(s, k));
            if (k < warm)
                continue;
            list.push_back(backward(s, k - warm));
            if ((k - warm + 1) % perUpdate == 0)
                list.push_back(update(s, (k - warm) / perUpdate));
        }
    }
}

} // namespace

// clang-format off
// PipeDream-2BW (2bw.md §1.7), d = m = 2, F and B one slot each:
//   stage 0:   F0 F1 .. B0 F2 B1 U F3 B2 …
//   stage 1:      F0 B0 F1 B1 U F2 B2 F3 …
// clang-format on
Schedule twoBw(int d, int m, int n)
{
    Schedule schedule = straight(d, m, n);
    stream(schedule, m);
    return schedule;
}

// PipeDream with weight stashing: the same stream, but every microbatch is a minibatch with an
// update of its own.
Schedule pipedream(int d, int m, int n)
{
    Schedule schedule = straight(d, m, n);
    schedule.microbatchesPerUpdate = 1;
    stream(schedule, 1);
    return schedule;
}

} // namespace stageloom::generators
