// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/idle_causes.h"
#include <gtest/gtest.h>

using namespace stageloom;

TEST(IdleCauses, explainEveryGapOfAHandMadeTrace)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    const auto gaps = idleGaps(model, TraceSide::Plan);
    // GPU 0 waits for gradients in 2-4 and 6-7; GPU 1 fills in 0-1 and drains in 7-9.
    ASSERT_EQ(gaps.size(), 4U);
    EXPECT_EQ(gaps[0].cause, IdleCause::Imbalance);
    EXPECT_EQ(gaps[0].range, (TimeRange { 2, 4 }));
    EXPECT_EQ(gaps[1].range, (TimeRange { 6, 7 }));
    EXPECT_EQ(gaps[2].cause, IdleCause::Fill);
    EXPECT_EQ(gaps[3].cause, IdleCause::Drain);
    const auto shares = idleShares(model, gaps);
    double sum = 12.0 / 18; // busy: 2 × (2 × 1 + 2 × 2) of 2 × 9
    for (const double share : shares)
        sum += share;
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(IdleCauses, timeAfterTheInputIsMadeBelongsToTheLink)
{
    Trace t = test::twoStages();
    t.spans[2].start = 4.5; // its gradient is ready at 4
    TimelineModel model;
    model.setTrace(TraceSide::Run, t);
    const auto gaps = idleGaps(model, TraceSide::Run);
    ASSERT_GE(gaps.size(), 2U);
    EXPECT_EQ(gaps[1].cause, IdleCause::Link);
    EXPECT_EQ(gaps[1].range, (TimeRange { 4, 4.5 }));
}
