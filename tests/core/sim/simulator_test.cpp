// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/registry.h"
#include "core/schedule/text_format.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace stageloom;

namespace {

ScheduleRequest request(const std::string& name, int d, int m, int n)
{
    ScheduleRequest asked;
    asked.name = name;
    asked.depth = d;
    asked.microbatches = m;
    asked.batches = n;
    return asked;
}

// An independent, slow evaluation: longest path by relaxation over the dependencies until nothing
// moves. Compute actions only, overlapped hops.
std::map<std::string, double> relaxedEnds(const Schedule& schedule, const SimulationInput& input)
{
    std::map<std::string, double> ends;
    const auto at = [&](int stage, const char* kind, int microbatch) {
        return ends[fmt::format("{}{}{}", stage, kind, microbatch)];
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& list : schedule.workers) {
            double clock = 0;
            for (const Action& action : list) {
                if (!isCompute(action.kind))
                    continue;
                const StageTimes& times = input.stages[std::size_t(action.stage)];
                const int s = action.stage, k = action.microbatch;
                double begin = clock, lasts = times.forward;
                if (action.kind == ActionKind::Forward) {
                    if (s > 0)
                        begin = std::max(begin, at(s - 1, "F", k) + input.hops[std::size_t(s - 1)]);
                } else {
                    lasts = times.backward;
                    if (s + 1 < schedule.stages)
                        begin = std::max(begin, at(s + 1, "B", k) + input.hops[std::size_t(s)]);
                }
                clock = begin + lasts;
                double& end = ends[toText(action)];
                moved = moved || end != clock;
                end = clock;
            }
        }
    }
    return ends;
}

} // namespace

TEST(Simulator, agreesWithALongestPathByRelaxationOnRandomTimesAndHops)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> time(0.2, 3);
    for (const char* name : { "2bw", "1f1b", "gpipe", "pipedream" })
        for (int round = 0; round < 10; ++round) {
            const int d = 2 + int(random() % 4), m = d + int(random() % 3);
            const Schedule schedule = makeSchedule(request(name, d, m, 3)).value();
            SimulationInput input;
            for (int s = 0; s < d; ++s) {
                input.stages.push_back({ .forward = time(random), .backward = time(random) });
                input.hops.push_back(time(random));
            }
            const Trace trace = simulate(schedule, input).value();
            const auto ends = relaxedEnds(schedule, input);
            for (const Span& span : trace.spans)
                if (isCompute(span.kind)) {
                    EXPECT_DOUBLE_EQ(span.end,
                        ends.at(fmt::format(
                            "{}{}{}", span.stage, kindName(span.kind), span.microbatch)));
                }
        }
}

TEST(Simulator, recomputeRunsRightBeforeTheBackwardAndIsBusyTime)
{
    ScheduleRequest asked = request("1f1b", 3, 3, 2);
    asked.recompute = { true, true, true };
    SimulationInput input;
    input.stages.assign(3, { .forward = 1, .backward = 2, .recompute = 1 });
    const Trace trace = simulate(makeSchedule(asked).value(), input).value();
    for (std::size_t i = 0; i + 1 < trace.spans.size(); ++i)
        if (trace.spans[i].kind == ActionKind::Recompute) {
            EXPECT_EQ(trace.spans[i + 1].kind, ActionKind::Backward);
            EXPECT_EQ(trace.spans[i + 1].microbatch, trace.spans[i].microbatch);
        }
    EXPECT_EQ(measure(trace).stages[0].busy, 2 * 3 * (1 + 1 + 2));
}

TEST(Simulator, blockingHopsHoldBothWorkersAndNeverMakeARunShorter)
{
    // One microbatch over two stages: F, hop, F, B, hop, B.
    const Schedule one = makeSchedule(request("1f1b", 2, 1, 1)).value();
    SimulationInput input;
    input.stages.assign(2, {});
    input.hops = { 0.5 };
    input.blockingHops = true;
    EXPECT_DOUBLE_EQ(simulate(one, input).value().makespan(), 2 * 3 + 2 * 0.5);
    for (int d = 2; d <= 5; ++d) {
        const Schedule schedule = makeSchedule(request("2bw", d, d + 1, 3)).value();
        input.stages.assign(std::size_t(d), {});
        input.hops.assign(std::size_t(d), 0.5);
        input.blockingHops = false;
        const double overlapped = simulate(schedule, input).value().makespan();
        input.blockingHops = true;
        EXPECT_GT(simulate(schedule, input).value().makespan(), overlapped) << d;
    }
}

TEST(Simulator, stagesOfOneWorkerHandOverWithoutAHop)
{
    const Schedule schedule = scheduleFromCsv("0F0,1F0,1B0,0B0\n", "one worker").value();
    SimulationInput input;
    input.stages.assign(2, {});
    input.hops = { 100 };
    EXPECT_EQ(simulate(schedule, input).value().makespan(), 6);
}

TEST(Simulator, halvesOfABackwardTakeTheirOwnTimes)
{
    const Schedule schedule = scheduleFromCsv("0F0,0I0,0W0\n", "halves").value();
    SimulationInput input;
    input.stages = { { .forward = 1, .backwardInput = 3, .backwardWeight = 5 } };
    EXPECT_EQ(simulate(schedule, input).value().makespan(), 9);
}

TEST(Simulator, aListThatLocksIsAnErrorThatNamesTheWorkerAndTheAction)
{
    const Schedule schedule = scheduleFromCsv("0F0,0B0,0F1,0B1\n1F1,1F0,1B0,1B1\n", "l").value();
    SimulationInput input;
    input.stages.assign(2, {});
    const auto trace = simulate(schedule, input);
    ASSERT_FALSE(trace);
    EXPECT_NE(trace.error().message.find("deadlock"), std::string::npos);
    EXPECT_NE(trace.error().message.find("0B0"), std::string::npos);
}

TEST(Simulator, memoryRisesWithEveryStashAndEndsWhereItBegan)
{
    SimulationInput input;
    input.stages.assign(3, {});
    input.stashBytes = { 10, 20, 30 };
    input.fixedBytes = { 1000, 2000, 3000 };
    const Trace trace = simulate(makeSchedule(request("2bw", 3, 4, 3)).value(), input).value();
    ASSERT_EQ(trace.memory.size(), 3u);
    for (std::size_t device = 0; device < 3; ++device) {
        double peak = 0;
        for (const auto& sample : trace.memory[device])
            peak = std::max(peak, sample.bytes);
        const double fixed = input.fixedBytes[device];
        EXPECT_EQ(peak, fixed + (3 - double(device)) * input.stashBytes[device]);
        EXPECT_EQ(trace.memory[device].front().bytes, fixed);
        EXPECT_EQ(trace.memory[device].back().bytes, fixed);
    }
}

TEST(Simulator, aWrongNumberOfTimesIsRefused)
{
    const Schedule schedule = makeSchedule(request("1f1b", 3, 3, 1)).value();
    SimulationInput input;
    input.stages.assign(2, {});
    EXPECT_FALSE(simulate(schedule, input));
    input.stages.assign(3, {});
    input.hops = { 1 };
    EXPECT_FALSE(simulate(schedule, input));
}
