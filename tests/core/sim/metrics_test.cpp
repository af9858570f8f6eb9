// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/registry.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace stageloom;

namespace {

Trace timed(const std::string& name, int d, int m, int n, StageTimes times = {})
{
    ScheduleRequest request;
    request.name = name;
    request.depth = d;
    request.microbatches = m;
    request.batches = n;
    SimulationInput input;
    input.stages.assign(std::size_t(d), times);
    return simulate(makeSchedule(request).value(), input).value();
}

} // namespace

TEST(Metrics, theWorkedExampleOfTheContractComesOut)
{
    const Trace trace = timed("2bw", 4, 4, 4);
    const TraceMetrics metrics = measure(trace);
    EXPECT_EQ(metrics.makespan, 57);
    EXPECT_NEAR(metrics.bubbleFraction, 9.0 / 57, 1e-12);
    EXPECT_EQ(metrics.periodPerBatch, 12);
    EXPECT_EQ(metrics.periodPerMicrobatch, 3);
    EXPECT_EQ(metrics.fill, 3); // three forwards before the last stage has one
    EXPECT_EQ(metrics.drain, 6); // three backwards after its last
    EXPECT_NEAR(metrics.steadyBubbleFraction.value(), 0, 1e-12);
    for (int s = 0; s < 4; ++s) {
        const StageMetrics& stage = metrics.stages[std::size_t(s)];
        EXPECT_EQ(stage.busy, 48);
        EXPECT_EQ(stage.idle, 9);
        EXPECT_EQ(stage.peakStash, 4 - s);
        EXPECT_EQ(stage.peakVersions, 2);
    }
}

TEST(Metrics, bubblesAndPeriodsAreTheClosedFormsOfEachSchedule)
{
    for (int d = 1; d <= 5; ++d)
        for (int m = d; m <= 2 * d + 1; ++m)
            for (const char* name : { "1f1b", "gpipe" }) {
                const TraceMetrics metrics = measure(timed(name, d, m, 5));
                EXPECT_NEAR(metrics.bubbleFraction, double(d - 1) / (m + d - 1), 1e-12);
                EXPECT_EQ(metrics.periodPerBatch, 3 * (m + d - 1));
                for (int s = 0; s < d; ++s) {
                    const StageMetrics& stage = metrics.stages[std::size_t(s)];
                    EXPECT_EQ(stage.peakVersions, 1);
                    EXPECT_EQ(stage.peakStash, name[0] == 'g' ? m : std::min(d - s, m));
                }
            }
}

TEST(Metrics, pipedreamKeepsAsManyVersionsAsStagesFollow)
{
    const TraceMetrics metrics = measure(timed("pipedream", 5, 5, 4));
    for (int s = 0; s < 5; ++s)
        EXPECT_EQ(metrics.stages[std::size_t(s)].peakVersions, 5 - s) << s;
}

TEST(Metrics, anUnevenMeasuredTraceGivesTheSameCountsAndAScaledPeriod)
{
    // A measured run: every time 1.7 times longer, an odd origin, starts a little late.
    Trace trace = timed("2bw", 4, 6, 8);
    const TraceMetrics exact = measure(trace);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> late(0, 0.01);
    for (Span& span : trace.spans) {
        span.start = span.start * 1.7 + late(random);
        span.end *= 1.7;
        span.end = std::max(span.end, span.start);
    }
    const TraceMetrics metrics = measure(trace);
    EXPECT_NEAR(metrics.periodPerBatch, 1.7 * exact.periodPerBatch, 1e-6);
    EXPECT_NEAR(metrics.bubbleFraction, exact.bubbleFraction, 0.01);
    for (std::size_t s = 0; s < 4; ++s) {
        EXPECT_EQ(metrics.stages[s].peakStash, exact.stages[s].peakStash);
        EXPECT_EQ(metrics.stages[s].peakVersions, 2);
    }
}

TEST(Metrics, aWindowCutsSpansAtItsEdges)
{
    Trace trace;
    trace.devices = trace.stages = trace.microbatches = 1;
    trace.spans.push_back({ .start = 0, .end = 4, .kind = ActionKind::Forward });
    trace.spans.push_back({ .start = 6, .end = 10, .kind = ActionKind::Backward });
    const TraceMetrics metrics = measure(trace, 3, 8);
    EXPECT_DOUBLE_EQ(metrics.makespan, 5);
    EXPECT_DOUBLE_EQ(metrics.stages[0].busy, 1 + 2);
    EXPECT_DOUBLE_EQ(metrics.bubbleFraction, 1 - 3.0 / 5);
}

TEST(Metrics, theSteadyWindowOfABalancedTwoBwRunHasNoBubble)
{
    const Trace trace = timed("2bw", 4, 4, 10);
    const Window window = steadyWindow(trace);
    EXPECT_EQ(window.batches, 7);
    EXPECT_DOUBLE_EQ(window.end - window.begin, 7 * 12);
    EXPECT_NEAR(measure(trace, window.begin, window.end).bubbleFraction, 0, 1e-12);
    const Window none = steadyWindow(timed("2bw", 4, 4, 3));
    EXPECT_EQ(none.begin, none.end);
}

TEST(Metrics, anEmptyTraceMeasuresNothing)
{
    const TraceMetrics metrics = measure(Trace {});
    EXPECT_EQ(metrics.makespan, 0);
    EXPECT_EQ(metrics.bubbleFraction, 0);
    EXPECT_TRUE(metrics.stages.empty());
}

// Whatever the schedule, a period is of a whole plan batch: what the last stage has done by the
// clock. PipeDream updates m times in it.
TEST(Metrics, periodsCountWholeBatchesInEverySchedule)
{
    for (const std::string& name : scheduleNames())
        for (int d = 1; d <= 5; ++d)
            for (const int m : { d, d + 2, 3 * d }) {
                const Trace trace = timed(name, d, m, 12);
                const TraceMetrics metrics = measure(trace);
                std::vector<double> ends;
                for (const Span& span : trace.spans)
                    if (span.stage == d - 1 && span.kind == ActionKind::Backward
                        && (span.microbatch + 1) % m == 0)
                        ends.push_back(span.end);
                ASSERT_EQ(ends.size(), 12u);
                EXPECT_DOUBLE_EQ(metrics.periodPerBatch, (ends[9] - ends[4]) / 5) << name;
                EXPECT_DOUBLE_EQ(metrics.periodPerMicrobatch, metrics.periodPerBatch / m) << name;
            }
    EXPECT_EQ(measure(timed("pipedream", 4, 4, 6)).periodPerBatch, 12);
    EXPECT_EQ(measure(timed("pipedream", 4, 4, 6)).periodPerMicrobatch, 3);
}

// A flush fills and drains in every batch, and that is its steady bubble; a stream does so once.
TEST(Metrics, theSteadyBubbleIsTheClosedFormAndFillingIsToldOnce)
{
    for (const std::string& name : scheduleNames())
        for (int d = 2; d <= 5; ++d)
            for (const int m : { d, 3 * d }) {
                const TraceMetrics metrics = measure(timed(name, d, m, 6));
                const double flush = findSchedule(name)->flushes ? double(d - 1) / (m + d - 1) : 0;
                EXPECT_NEAR(metrics.steadyBubbleFraction.value(), flush, 1e-12) << name;
                EXPECT_EQ(metrics.fill, d - 1) << name;
                EXPECT_EQ(metrics.drain, 2 * (d - 1)) << name;
            }
}

TEST(Metrics, oneStageWaitsForNobody)
{
    const TraceMetrics metrics = measure(timed("2bw", 1, 4, 6));
    EXPECT_FALSE(metrics.steadyBubbleFraction);
    EXPECT_EQ(metrics.fill, 0);
    EXPECT_EQ(metrics.drain, 0);
}

// Halves of backwards, and all stages on one lane: a batch has ended when its last W has.
TEST(Metrics, aSteadyWindowNeedsNeitherWholeBackwardsNorOneStageAWorker)
{
    ScheduleRequest request;
    request.depth = request.microbatches = 4;
    request.batches = 10;
    Schedule schedule = makeSchedule(request).value();
    for (auto& list : schedule.workers) {
        std::vector<Action> halves;
        for (Action action : list) {
            if (action.kind == ActionKind::Backward) {
                action.kind = ActionKind::BackwardInput;
                halves.push_back(action);
                action.kind = ActionKind::BackwardWeight;
            }
            halves.push_back(action);
        }
        list = std::move(halves);
    }
    SimulationInput input;
    input.stages.assign(4, {});
    const Trace trace = simulate(schedule, input).value();
    const Window window = steadyWindow(trace);
    EXPECT_EQ(window.batches, 7);
    EXPECT_DOUBLE_EQ(window.end - window.begin, 7 * 12);
    EXPECT_NEAR(measure(trace).steadyBubbleFraction.value(), 0, 1e-12);
    EXPECT_EQ(measure(trace).periodPerBatch, 12);
    Trace folded = trace;
    folded.devices = 1;
    for (Span& span : folded.spans)
        span.device = 0;
    EXPECT_EQ(steadyWindow(folded).batches, 7);
}

TEST(Metrics, aTraceThatContradictsItselfMeasuresNothing)
{
    for (const int number : { 0, 1, -5, 2'000'000'000 }) {
        Trace stages = timed("2bw", 3, 3, 3), devices = stages;
        stages.stages = number;
        devices.devices = number;
        for (const Trace& trace : { stages, devices }) {
            EXPECT_FALSE(trace.consistent()) << number;
            EXPECT_TRUE(measure(trace).stages.empty()) << number;
            EXPECT_TRUE(measure(trace, 1, 5).stages.empty()) << number;
        }
    }
    EXPECT_TRUE(timed("2bw", 3, 3, 3).consistent());
}
