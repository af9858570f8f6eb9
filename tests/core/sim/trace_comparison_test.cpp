// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace_comparison.h"

#include "core/schedule/registry.h"
#include "core/sim/simulator.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace stageloom;

namespace {

Trace simulated(double forward, double backward, int batches = 3)
{
    ScheduleRequest request;
    request.name = "2bw";
    request.depth = 2;
    request.microbatches = 4;
    request.batches = batches;
    SimulationInput input;
    StageTimes times;
    times.forward = forward;
    times.backward = backward;
    input.stages.assign(2, times);
    return simulate(makeSchedule(request).value(), input).value();
}

const KindDifference* kindOf(const TraceComparison& c, int stage, ActionKind kind)
{
    for (const KindDifference& k : c.kinds)
        if (k.stage == stage && k.kind == kind)
            return &k;
    return nullptr;
}

} // namespace

TEST(TraceComparison, aTraceDoesNotDifferFromItself)
{
    const Trace trace = simulated(1, 2);
    const TraceComparison same = compareTraces(trace, trace);
    EXPECT_EQ(same.spans.size(), trace.spans.size());
    EXPECT_EQ(same.baseOnly + same.otherOnly, 0u);
    for (const KindDifference& kind : same.kinds) {
        EXPECT_EQ(kind.meanDelta, 0);
        EXPECT_EQ(kind.worstDelta, 0);
    }
}

TEST(TraceComparison, theOrderOfTheSpansDoesNotCount)
{
    const Trace base = simulated(1, 2);
    Trace shuffled = base;
    std::shuffle(shuffled.spans.begin(), shuffled.spans.end(), std::mt19937(7));
    const TraceComparison found = compareTraces(base, shuffled);
    ASSERT_EQ(found.spans.size(), base.spans.size());
    for (const MatchedSpan& pair : found.spans)
        EXPECT_EQ(base.spans[pair.base], shuffled.spans[pair.other]);
}

TEST(TraceComparison, aSlowerBackwardShowsInItsKindAndStageOnly)
{
    const Trace base = simulated(1, 2);
    Trace other = base;
    // Backwards of stage 1 take 0.5 longer; the one of batch 2's last microbatch 3 longer.
    std::int32_t last = -1;
    for (const Span& span : base.spans)
        last = std::max(last, span.kind == ActionKind::Backward ? span.microbatch : -1);
    for (Span& span : other.spans)
        if (span.kind == ActionKind::Backward && span.stage == 1)
            span.end += span.microbatch == last ? 3 : 0.5;
    const TraceComparison found = compareTraces(base, other);
    const KindDifference* slow = kindOf(found, 1, ActionKind::Backward);
    ASSERT_NE(slow, nullptr);
    EXPECT_EQ(slow->matched, 12u);
    EXPECT_NEAR(slow->meanDelta, (11 * 0.5 + 3) / 12, 1e-12);
    EXPECT_NEAR(slow->otherMean - slow->baseMean, slow->meanDelta, 1e-12);
    EXPECT_NEAR(slow->worstDelta, 3, 1e-12);
    EXPECT_EQ(slow->worstMicrobatch, last);
    EXPECT_EQ(slow->worstBatch, 2);
    EXPECT_EQ(kindOf(found, 0, ActionKind::Backward)->meanDelta, 0);
    EXPECT_EQ(kindOf(found, 1, ActionKind::Forward)->meanDelta, 0);
}

TEST(TraceComparison, aRunThatStoppedEarlierIsComparedWhereBothHaveBatches)
{
    const Trace longer = simulated(1, 2, 4), shorter = simulated(1, 2, 2);
    const TraceComparison found = compareTraces(longer, shorter);
    EXPECT_EQ(found.firstBatch, 0);
    EXPECT_EQ(found.lastBatch, 1);
    EXPECT_EQ(found.otherOnly, 0u);
    EXPECT_EQ(found.baseOnly, std::size_t(2 * 2 * (2 * 4 + 1))); // 2 batches: F, B of 4, and U
    EXPECT_TRUE(compareTraces(longer, {}).kinds.empty());
}

TEST(TraceComparison, bothDirectionsOfATransferMeetInTimeOrder)
{
    Span there, back;
    there.kind = back.kind = ActionKind::Send;
    there.end = 1;
    back.start = 5;
    back.end = 7;
    Trace base, other;
    base.spans = { back, there };
    there.end = 1.5;
    other.spans = { there, back };
    const TraceComparison found = compareTraces(base, other);
    ASSERT_EQ(found.kinds.size(), 1u);
    EXPECT_DOUBLE_EQ(found.kinds[0].meanDelta, 0.25);
    EXPECT_DOUBLE_EQ(found.kinds[0].worstDelta, 0.5);
}

TEST(TraceComparison, batchesCutOutOfARunStartAtZeroAndKeepTheirDurations)
{
    const Trace whole = simulated(1, 2, 4);
    const Trace part = batchesOf(whole, 2, 3);
    ASSERT_FALSE(part.spans.empty());
    double first = 1e9;
    for (const Span& span : part.spans) {
        EXPECT_GE(span.batch, 2);
        first = std::min(first, span.start);
    }
    EXPECT_EQ(first, 0);
    for (const KindDifference& kind : compareTraces(whole, part).kinds)
        EXPECT_NEAR(kind.worstDelta, 0, 1e-12);
    EXPECT_EQ(part.devices, whole.devices);
    EXPECT_TRUE(batchesOf(whole, 9, 12).spans.empty());
}
