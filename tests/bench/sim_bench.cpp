// SPDX-License-Identifier: Apache-2.0
// Actions a second of the simulator and of the verifier, best of five runs over one long 2BW list.
#include "core/base/check.h"
#include "core/schedule/registry.h"
#include "core/schedule/verify.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace stageloom;

namespace {

template <typename Work> double bestSeconds(const Work& work)
{
    double best = 1e9;
    for (int run = 0; run < 5; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

void report(const char* name, std::size_t actions, double seconds)
{
    fmt::print("{{\"bench\":\"{}\",\"actions\":{},\"actions_per_second\":{:.0f}}}\n", name, actions,
        double(actions) / seconds);
}

} // namespace

int main()
{
    ScheduleRequest request;
    request.depth = 16;
    request.microbatches = 64;
    request.batches = 500;
    const Result<Schedule> schedule = makeSchedule(request);
    STAGELOOM_CHECK(schedule.has_value(), "a schedule of the bench is refused");
    SimulationInput input;
    input.stages.assign(16, {});
    input.hops.assign(15, 0.25);
    report("simulator", schedule->actionCount(), bestSeconds([&] {
        STAGELOOM_CHECK(simulate(*schedule, input).has_value(), "the bench's list deadlocks");
    }));
    report("verify", schedule->actionCount(), bestSeconds([&] {
        STAGELOOM_CHECK(verifySchedule(*schedule).ok(), "the bench's list is not proven");
    }));
    return 0;
}
