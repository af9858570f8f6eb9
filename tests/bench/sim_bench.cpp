// SPDX-License-Identifier: Apache-2.0
// Actions a second of the simulator and of the verifier, best of five runs over one long 2BW list.
#include "core/schedule/registry.h"
#include "core/schedule/verify.h"
#include "core/sim/simulator.h"
#include "tests/bench/bench_support.h"

using namespace stageloom;

namespace {

void reportRate(const char* name, std::size_t actions, double seconds)
{
    bench::report(
        name, fmt::format("{:.1f} M actions/s", double(actions) / seconds / 1e6), "5 M actions/s");
}

} // namespace

int main()
{
    bench::keepMemory();
    ScheduleRequest request;
    request.depth = 16;
    request.microbatches = 64;
    request.batches = 500;
    const Result<Schedule> schedule = makeSchedule(request);
    STAGELOOM_CHECK(schedule.has_value(), "a schedule of the bench is refused");
    SimulationInput input;
    input.stages.assign(16, {});
    input.hops.assign(15, 0.25);
    reportRate("simulator", schedule->actionCount(), bench::bestSeconds(5, [&] {
        STAGELOOM_CHECK(simulate(*schedule, input).has_value(), "the bench's list deadlocks");
    }));
    reportRate("verifier", schedule->actionCount(), bench::bestSeconds(5, [&] {
        STAGELOOM_CHECK(verifySchedule(*schedule).ok(), "the bench's list is not proven");
    }));
    return 0;
}
