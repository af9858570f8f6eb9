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
