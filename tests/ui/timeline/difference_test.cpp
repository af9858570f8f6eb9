// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sim/trace_comparison.h"
#include "trace_fixture.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/timeline_difference.h"
#include "ui/timeline/timeline_model.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace stageloom;

// The timeline finds one pair at a time, core all of them at once: they are the same pairs.
TEST(TimelineDifference, pairsOperationsAsCoreDoes)
{
    for (const bool moved : { false, true }) {
        const Trace plan = test::longPipeline(3, 64, 1);
        Trace run = test::longPipeline(3, 64, 2);
        std::shuffle(run.spans.begin(), run.spans.end(), std::mt19937(4));
        Span update = test::span(ActionKind::Update, 0, 0, 9, 10); // not planned
        run.spans.push_back(update);
        TimelineModel model;
        model.setTrace(TraceSide::Plan, moved ? movedTo(plan, 310, 77) : plan);
        model.setTrace(TraceSide::Run, moved ? movedTo(run, 310, 80) : run);
        const Trace &base = model.trace(TraceSide::Plan), &other = model.trace(TraceSide::Run);
        TimelineDifference drawn(TraceSide::Run, TraceSide::Plan);
        int turns = 0;
        while (!drawn.extend(model, 100))
            ++turns;
        EXPECT_EQ(turns, 3); // 385 operations, a hundred a turn
        const TraceComparison plain = compareTraces(base, other);
        EXPECT_EQ(drawn.matched(), plain.spans.size());
        std::vector<double> longer(other.spans.size(), std::nan("")), sizes;
        for (const MatchedSpan& pair : plain.spans) {
            const Span &b = base.spans[pair.base], &o = other.spans[pair.other];
            longer[pair.other] = (o.end - o.start) - (b.end - b.start);
            sizes.push_back(std::fabs(longer[pair.other]));
            const auto of = drawn.of(model, { TraceSide::Run, pair.other });
            ASSERT_TRUE(of);
            EXPECT_EQ(of->base, pair.base);
            EXPECT_DOUBLE_EQ(of->longer, longer[pair.other]);
            EXPECT_DOUBLE_EQ(of->late, o.end - b.end);
        }
        EXPECT_FALSE(drawn.of(
            model, { TraceSide::Run, static_cast<std::uint32_t>(other.spans.size() - 1) }));
        std::ranges::sort(sizes);
        EXPECT_NEAR(drawn.usual(), sizes[sizes.size() / 2], 0.1 * sizes[sizes.size() / 2]);
        // From afar: the extremes of any stretch of a lane.
        for (int device = 0; device < 3; ++device) {
            const SpanIndex& lane = model.compute(TraceSide::Run, device);
            for (std::size_t from = 0; from + 40 < lane.size(); from += 13) {
                MinMax walked;
                for (std::size_t i = from; i < from + 40; ++i)
                    if (const double one = longer[lane.reference(i)]; !std::isnan(one))
                        walked.add(one);
                EXPECT_DOUBLE_EQ(drawn.longer(device, from, from + 40).low, walked.low);
                EXPECT_DOUBLE_EQ(drawn.longer(device, from, from + 40).high, walked.high);
            }
        }
    }
}

TEST(TimelineDifference, onlyWhatIsFarBeyondTheUsualIsAnOutlier)
{
    const Trace plan = test::twoStages();
    Trace run = plan;
    for (Span& s : run.spans)
        s.end += 0.01;
    run.spans[7].end += 1.5; // B2 of stage 1
    TimelineModel model;
    model.setTrace(TraceSide::Plan, plan);
    model.setTrace(TraceSide::Run, run);
    TimelineDifference drawn(TraceSide::Run, TraceSide::Plan);
    ASSERT_TRUE(drawn.extend(model, 100));
    for (std::uint32_t i = 0; i < run.spans.size(); ++i)
        EXPECT_EQ(drawn.outlier(model, { TraceSide::Run, i }), i == 7);
}

// Plan A has batches of 8 microbatches, plan B of 4: microbatch 2 of batch 3 is 26 and 14.
TEST(TimelineDifference, twoPlansMeetByMicrobatchWithinTheBatch)
{
    Trace b = test::longPipeline(2, 16, 1);
    b.microbatches = 4;
    for (Span& s : b.spans)
        s.batch = s.microbatch / 4;
    TimelineModel model;
    model.setTrace(TraceSide::Plan, b);
    model.setTrace(TraceSide::Pinned, test::longPipeline(2, 24, 2)); // batches of 8
    std::size_t matched = 0, alone = 0;
    for (std::uint32_t i = 0; i < b.spans.size(); ++i) {
        const Span& s = b.spans[i];
        const auto partner = model.partner({ TraceSide::Plan, i }, TraceSide::Pinned);
        EXPECT_EQ(partner.has_value(), s.batch < 3); // A has three batches
        (partner ? matched : alone) += 1;
        if (!partner)
            continue;
        const Span& p = model.span(partner->span);
        EXPECT_EQ(p.batch, s.batch);
        EXPECT_EQ(p.microbatch % 8, s.microbatch % 4);
        EXPECT_EQ(p.stage, s.stage);
        EXPECT_EQ(p.kind, s.kind);
        const auto back = model.partner(partner->span, TraceSide::Plan);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->span, (SpanRef { TraceSide::Plan, i }));
    }
    EXPECT_EQ(matched, 48U);
    EXPECT_EQ(alone, 16U);
    // A's fifth microbatch of a batch is not there in B.
    const auto fifth = model.side(TraceSide::Pinned)
                           .table()
                           .find(model.trace(TraceSide::Pinned).spans, 0, ActionKind::Forward, 4);
    ASSERT_FALSE(fifth.empty());
    EXPECT_FALSE(model.partner({ TraceSide::Pinned, fifth.front() }, TraceSide::Plan));
}

TEST(TimelineDifference, beyondItsBatchesThePlanRepeatsItself)
{
    const Trace plan = test::longPipeline(2, 24, 1); // batches 0 … 2 of 8
    const Trace run = moved(plan, 100, 1000); // 100 … 102
    TimelineModel model;
    model.setTrace(TraceSide::Plan, plan);
    model.setTrace(TraceSide::Run, run);
    for (std::size_t i = 0; i < run.spans.size(); ++i) {
        const auto partner
            = model.partner({ TraceSide::Run, static_cast<std::uint32_t>(i) }, TraceSide::Plan);
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
        const auto partner
            = model.partner({ TraceSide::Run, static_cast<std::uint32_t>(i) }, TraceSide::Plan);
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
