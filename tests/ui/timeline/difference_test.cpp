// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/timeline_difference.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/trace_difference.h"
#include <gtest/gtest.h>

using namespace stageloom;

TEST(TraceDifference, alignsByNameWhateverTheOrder)
{
    const Trace plan = test::twoStages();
    Trace run = plan;
    std::reverse(run.spans.begin(), run.spans.end());
    for (Span& s : run.spans)
        s.end += 0.01;
    run.spans[3].end += 1.5; // the last span of stage 1: B2
    const TraceDifference d = compare(plan, run);
    ASSERT_EQ(d.matched, run.spans.size());
    for (std::size_t i = 0; i < run.spans.size(); ++i) {
        const Span& wanted = plan.spans[d.spans[i]->plan];
        EXPECT_EQ(wanted.microbatch, run.spans[i].microbatch);
        EXPECT_EQ(wanted.stage, run.spans[i].stage);
        EXPECT_EQ(wanted.kind, run.spans[i].kind);
        EXPECT_NEAR(d.spans[i]->longer, i == 3 ? 1.51 : 0.01, 1e-12);
        EXPECT_EQ(d.outlier(i, plan), i == 3);
    }
    EXPECT_NEAR(d.largest, 1.51, 1e-12);
}

TEST(TraceDifference, spansThatAreNotPlannedHaveNoPartner)
{
    const Trace plan = test::twoStages();
    Trace run = plan;
    run.spans.push_back(test::span(ActionKind::Update, 0, 0, 9, 10));
    run.spans[0].batch = 4;
    const TraceDifference d = compare(plan, run);
    EXPECT_EQ(d.matched, run.spans.size() - 2);
    EXPECT_FALSE(d.spans.back());
    EXPECT_FALSE(d.spans.front());
}

TEST(TraceDifference, aMovedPlanMeetsALaterBatch)
{
    Trace run = test::twoStages();
    for (Span& s : run.spans) {
        s.batch = 310;
        s.microbatch += 310 * run.microbatches;
        s.start += 77;
        s.end += 77;
    }
    const TraceDifference d = compare(movedTo(test::twoStages(), 310, 77), run);
    EXPECT_EQ(d.matched, run.spans.size());
    EXPECT_DOUBLE_EQ(d.largest, 0);
}

// The drawing's difference against the plain alignment of two traces.
TEST(TimelineDifference, saysWhatThePlainAlignmentSays)
{
    const Trace plan = test::longPipeline(3, 64, 1), run = test::longPipeline(3, 64, 2);
    TimelineModel model;
    model.setTrace(TraceSide::Plan, plan);
    model.setTrace(TraceSide::Run, run);
    TimelineDifference drawn;
    int turns = 0;
    while (!drawn.extend(model, 100))
        ++turns;
    EXPECT_EQ(turns, 3); // 384 spans, a hundred a turn
    const TraceDifference plain = compare(plan, run);
    EXPECT_EQ(drawn.matched(), plain.matched);
    EXPECT_NEAR(drawn.usual(), plain.usual, 0.1 * plain.usual);
    for (std::size_t i = 0; i < run.spans.size(); ++i) {
        const SpanRef ref { TraceSide::Run, static_cast<std::uint32_t>(i) };
        const auto of = drawn.of(model, ref);
        ASSERT_TRUE(of && plain.spans[i]);
        EXPECT_EQ(of->plan, plain.spans[i]->plan);
        EXPECT_DOUBLE_EQ(of->longer, plain.spans[i]->longer);
        EXPECT_DOUBLE_EQ(of->late, plain.spans[i]->late);
    }
    // From afar: the extremes of any stretch of a lane.
    for (int device = 0; device < 3; ++device) {
        const SpanIndex& lane = model.compute(TraceSide::Run, device);
        for (std::size_t from = 0; from + 40 < lane.size(); from += 13) {
            MinMax walked;
            for (std::size_t i = from; i < from + 40; ++i)
                walked.add(plain.spans[lane.reference(i)]->longer);
            EXPECT_DOUBLE_EQ(drawn.longer(device, from, from + 40).low, walked.low);
            EXPECT_DOUBLE_EQ(drawn.longer(device, from, from + 40).high, walked.high);
        }
    }
}

TEST(TimelineDifference, beyondItsBatchesThePlanRepeatsItself)
{
    const Trace plan = test::longPipeline(2, 24, 1); // batches 0 … 2 of 8
    const Trace run = moved(plan, 100, 1000); // 100 … 102
    TimelineModel model;
    model.setTrace(TraceSide::Plan, plan);
    model.setTrace(TraceSide::Run, run);
    for (std::size_t i = 0; i < run.spans.size(); ++i) {
        const auto partner = model.planned({ TraceSide::Run, static_cast<std::uint32_t>(i) });
        ASSERT_TRUE(partner);
        EXPECT_FALSE(partner->exact);
        const Span &s = run.spans[i], &p = model.span(partner->span);
        EXPECT_EQ(p.batch, s.batch % 3);
        EXPECT_EQ(p.microbatch % 8, s.microbatch % 8);
        EXPECT_EQ(p.stage, s.stage);
        EXPECT_EQ(p.kind, s.kind);
    }
    // On one clock: 34 times its length later; its first batch where the run's is, as if batches
    // had come before it.
    const TimelineSide &planned = model.side(TraceSide::Plan),
                       &measured = model.side(TraceSide::Run);
    const auto aligned = alignedWith(planned, measured, measured.lastBatch());
    ASSERT_TRUE(aligned);
    const TimelineSide there(*aligned);
    EXPECT_EQ(there.firstBatch(), 102);
    EXPECT_EQ(there.lastBatch(), 104);
    const double period = *planned.batchStart(2, 8) - *planned.batchStart(1, 8);
    EXPECT_NEAR(*there.batchStart(103, 8), *measured.batchStart(102, 8) + period, 1e-9);
    // What a span is held against does not depend on how far the plan has moved.
    model.setTrace(TraceSide::Plan, *aligned);
    for (std::size_t i = 0; i < run.spans.size(); i += 5) {
        const auto partner = model.planned({ TraceSide::Run, static_cast<std::uint32_t>(i) });
        ASSERT_TRUE(partner);
        EXPECT_EQ(partner->exact, run.spans[i].batch == 102);
        EXPECT_EQ((model.span(partner->span).batch - 102) % 3, run.spans[i].batch % 3);
    }
}

TEST(TimelineDifference, aRunAmongThePlansBatchesLeavesThePlanInPlace)
{
    const TimelineSide plan(test::longPipeline(2, 24));
    EXPECT_FALSE(alignedWith(plan, plan, plan.lastBatch()));
}

TEST(RangeStatistics, countsTheInsideOfARange)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    // 1.5 … 5: GPU 0 has F2 for 0.5 and B1 for 1; GPU 1 has F1 for 0.5, B1 for 2, F2 for 1.
    const RangeStatistics s = statistics(model, TraceSide::Plan, { 1.5, 5 });
    EXPECT_EQ(s.kinds.at(ActionKind::Forward).count, 3U);
    EXPECT_DOUBLE_EQ(s.kinds.at(ActionKind::Forward).total, 2);
    EXPECT_EQ(s.kinds.at(ActionKind::Backward).count, 2U);
    EXPECT_DOUBLE_EQ(s.kinds.at(ActionKind::Backward).mean(), 1.5);
    EXPECT_DOUBLE_EQ(s.busyShare, 5.0 / 7);
}
