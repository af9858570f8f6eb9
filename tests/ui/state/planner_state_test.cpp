// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"
#include "ui/state/planner_state.h"

#include <QSignalSpy>

namespace stageloom {

namespace {

PlannerWish wish()
{
    return { smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }), 8, 1 };
}

} // namespace

TEST(PlannerState, answersWithRankedPlansAndTellsThatItIsBusy)
{
    PlannerState planner;
    QSignalSpy started(&planner, &PlannerState::started);
    QSignalSpy answered(&planner, &PlannerState::answered);
    planner.request(wish());
    EXPECT_TRUE(planner.isBusy());
    EXPECT_EQ(started.size(), 1);
    ASSERT_TRUE(waitFor([&] { return !answered.isEmpty(); }));
    EXPECT_FALSE(planner.isBusy());
    const auto& plans = planner.answer().plans;
    ASSERT_GE(plans.size(), 2U);
    for (std::size_t i = 1; i < plans.size(); ++i)
        EXPECT_GE(plans[i - 1].prediction.tokensPerSecond * (1 + 1e-9), // equal but for rounding
            plans[i].prediction.tokensPerSecond);
    EXPECT_FALSE(plans[0].why.empty());
}

TEST(PlannerState, saysNothingOnceItIsStopped)
{
    PlannerState planner;
    QSignalSpy answered(&planner, &PlannerState::answered);
    QSignalSpy cancelled(&planner, &PlannerState::cancelled);
    planner.request(wish());
    planner.cancel();
    EXPECT_EQ(cancelled.size(), 1);
    EXPECT_FALSE(planner.isBusy());
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_TRUE(answered.isEmpty());
    EXPECT_TRUE(planner.answer().plans.empty());
}

TEST(PlannerState, saysInASentenceWhatCannotBeRead)
{
    PlannerState planner;
    QSignalSpy failed(&planner, &PlannerState::failed);
    planner.requestByName(QStringLiteral("/absent/config.json"), QStringLiteral("cpu:2"), 8, 0, 1);
    ASSERT_TRUE(waitFor([&] { return !failed.isEmpty(); }));
    EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("/absent/config.json")));
}

TEST(PlannerState, aNewerWishOvertakesAnOlderOne)
{
    PlannerState planner;
    QSignalSpy answered(&planner, &PlannerState::answered);
    PlannerWish last = wish();
    last.batchSize = 4;
    planner.request(wish());
    planner.request(last);
    ASSERT_TRUE(waitFor([&] { return !answered.isEmpty(); }));
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_EQ(answered.size(), 1);
    for (const RankedPlan& found : planner.answer().plans)
        EXPECT_LE(found.plan.batchSize(), 4);
}

} // namespace stageloom
