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
// moves. Messages of a border and direction leave in the order in which they are made, each when
// the one before has arrived.
std::map<std::string, double> relaxedEnds(const Schedule& schedule, const SimulationInput& input)
{
    std::map<std::string, double> ends;
    const auto at = [&](int stage, const char* kind, int microbatch) {
        return ends[fmt::format("{}{}{}", stage, kind, microbatch)];
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& list : schedule.workers) {
            double clock = 0, up = 0, down = 0; // links: when the last message has arrived
            for (const Action& action : list) {
                if (!isCompute(action.kind))
                    continue;
                const StageTimes& times = input.stages[std::size_t(action.stage)];
                const int s = action.stage, k = action.microbatch;
                double begin = clock, lasts = times.forward;
                if (action.kind == ActionKind::Forward) {
                    if (s > 0)
                        begin = std::max(begin, at(s, "gotF", k));
                } else {
                    lasts = times.backward;
                    if (s + 1 < schedule.stages)
                        begin = std::max(begin, at(s, "gotB", k));
                }
                clock = begin + lasts;
                double& end = ends[toText(action)];
                moved = moved || end != clock;
                end = clock;
                if (action.kind == ActionKind::Forward && s + 1 < schedule.stages)
                    ends[fmt::format("{}gotF{}", s + 1, k)] = up
                        = std::max(up, clock) + input.hops[std::size_t(s)];
                if (action.kind == ActionKind::Backward && s > 0)
                    ends[fmt::format("{}gotB{}", s - 1, k)] = down
                        = std::max(down, clock) + input.hops[std::size_t(s - 1)];
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
    for (const std::string& name : scheduleNames())
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
    std::vector<Span> spans = trace.spans;
    std::erase_if(spans, [](const Span& span) { return isTransfer(span.kind); });
    for (std::size_t i = 0; i + 1 < spans.size(); ++i)
        if (spans[i].kind == ActionKind::Recompute) {
            EXPECT_EQ(spans[i + 1].kind, ActionKind::Backward);
            EXPECT_EQ(spans[i + 1].microbatch, spans[i].microbatch);
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
        const double blocking = simulate(schedule, input).value().makespan();
        // Two stages exchange at moments at which both would wait anyway.
        EXPECT_GE(blocking, overlapped) << d;
        if (d > 2) {
            EXPECT_GT(blocking, overlapped) << d;
        }
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
    EXPECT_NE(trace.error().message.find("0RECV_B0"), std::string::npos);
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

// Published makespans of 1F1B on 16 stages, F 5, B 10, m 64, by hop: overlapped and blocking.
TEST(Simulator, hopsCostWhatThePublishedTableSays)
{
    struct Row {
        double hop, overlapped, blocking;
    };
    const Schedule schedule = makeSchedule(request("1f1b", 16, 64, 1)).value();
    for (const Row& row : { Row { 0, 1185, 1185 }, Row { 2, 1481, 1495 }, Row { 5, 1925, 1960 },
             Row { 10, 2665, 2740 } }) {
        SimulationInput input;
        input.stages.assign(16, { .forward = 5, .backward = 10 });
        input.hops.assign(15, row.hop);
        EXPECT_EQ(simulate(schedule, input).value().makespan(), row.overlapped) << row.hop;
        input.blockingHops = true;
        EXPECT_EQ(simulate(schedule, input).value().makespan(), row.blocking) << row.hop;
    }
}

// Three stages, four microbatches, F 1, B 2, hops of 1 beside the compute: published as 26.
TEST(Simulator, aFixedOrderWithHopsIsThePublishedOne)
{
    SimulationInput input;
    input.stages.assign(3, {});
    input.hops.assign(2, 1);
    const Schedule schedule = makeSchedule(request("1f1b", 3, 4, 1)).value();
    EXPECT_EQ(simulate(schedule, input).value().makespan(), 26);
}

TEST(Simulator, blockingTransfersNeverLockAndHoldBothSides)
{
    for (const std::string& name : scheduleNames())
        for (int d = 2; d <= 5; ++d)
            for (const bool crossStage : { false, true })
                for (const bool recompute : { false, true }) {
                    ScheduleRequest asked = request(name, d, d + 1, 3);
                    asked.crossStageUpdate = crossStage;
                    asked.recompute.assign(std::size_t(d), recompute);
                    SimulationInput input;
                    input.stages.assign(std::size_t(d), { .recompute = 1, .update = 0.25 });
                    input.hops.assign(std::size_t(d), 0.5);
                    input.blockingHops = true;
                    const auto made = simulate(makeSchedule(asked).value(), input);
                    ASSERT_TRUE(made) << name << " " << made.error().message;
                    // The sender computes nothing while its message goes.
                    for (const Span& send : made->spans)
                        for (const Span& span : made->spans)
                            if (send.kind == ActionKind::Send && isCompute(span.kind)
                                && span.device == send.device) {
                                EXPECT_TRUE(span.end <= send.start || span.start >= send.end);
                            }
                }
}

TEST(Simulator, messagesOfALaneGoOneAfterTheOtherAndAWaitEndsWithItsMessage)
{
    SimulationInput input;
    input.stages.assign(4, {});
    input.hops = { 1.5, 0.5, 4 };
    const Trace trace = simulate(makeSchedule(request("2bw", 4, 5, 3)).value(), input).value();
    std::map<std::pair<int, bool>, double> lane; // (stage, gradient): end of the last message
    std::map<std::pair<int, int>, int> sends; // (stage, microbatch)
    std::size_t waits = 0;
    for (const Span& span : trace.spans) {
        if (span.kind == ActionKind::Recv) {
            ++waits;
            EXPECT_GT(span.end, span.start);
        }
        if (span.kind != ActionKind::Send)
            continue;
        // A stage's first message of a microbatch is its activation; the last stage has none.
        const bool gradient = span.stage == 3 || sends[{ span.stage, span.microbatch }]++ > 0;
        double& free = lane[{ span.stage, gradient }];
        EXPECT_GE(span.start, free);
        free = span.end;
        const int border = gradient ? span.stage - 1 : span.stage;
        EXPECT_DOUBLE_EQ(span.end - span.start, input.hops[std::size_t(border)]);
    }
    EXPECT_GT(waits, 0u);
}

// 2bw with updates that cross stages hides the sum behind the next batch's compute; without such a
// list the worker stands for it.
TEST(Simulator, aReductionIsASpanOfItsOwnThatItsUpdateWaitsFor)
{
    for (const bool crossStage : { false, true }) {
        ScheduleRequest asked = request("2bw", 3, 4, 4);
        asked.crossStageUpdate = crossStage;
        SimulationInput input;
        input.stages.assign(3, { .update = 0.5, .reduction = 2 });
        const Trace trace = simulate(makeSchedule(asked).value(), input).value();
        std::map<std::pair<int, int>, Span> sums;
        for (const Span& span : trace.spans)
            if (span.kind == ActionKind::AllReduce)
                sums[{ span.stage, span.microbatch }] = span;
        EXPECT_EQ(sums.size(), 3u * 4u);
        for (const Span& span : trace.spans)
            if (span.kind == ActionKind::Update) {
                const Span& sum = sums[{ span.stage, span.microbatch }];
                EXPECT_DOUBLE_EQ(sum.end - sum.start, 2);
                EXPECT_GE(span.start, sum.end);
                EXPECT_DOUBLE_EQ(span.end - span.start, 0.5);
            }
        input.stages.assign(3, {});
        const Trace without = simulate(makeSchedule(asked).value(), input).value();
        for (const Span& span : without.spans)
            EXPECT_NE(span.kind, ActionKind::AllReduce) << "it takes no time";
    }
}
