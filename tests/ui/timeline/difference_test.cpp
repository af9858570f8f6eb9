// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/range_statistics.h"
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
