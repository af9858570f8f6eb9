// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_edits.h"

#include <gtest/gtest.h>

namespace stageloom {

namespace {

Plan planOf(const std::vector<std::pair<int, int>>& ranges, int devices)
{
    Plan plan;
    plan.topology = *readTopology("cpu:" + std::to_string(devices));
    for (const auto& [first, last] : ranges) {
        PlanStage stage;
        stage.firstLayer = first;
        stage.lastLayer = last;
        stage.devices = { plan.depth() };
        plan.stages.push_back(stage);
    }
    return plan;
}

TEST(PlanEdits, aBorderLeavesEachStageALayer)
{
    const Plan plan = planOf({ { 0, 3 }, { 4, 6 } }, 2);
    EXPECT_EQ(withBorder(plan, 0, 2).stages[1].firstLayer, 2);
    EXPECT_EQ(withBorder(plan, 0, 2).stages[0].lastLayer, 1);
    EXPECT_EQ(withBorder(plan, 0, -5).stages[1].firstLayer, 1);
    EXPECT_EQ(withBorder(plan, 0, 99).stages[1].firstLayer, 6);
    EXPECT_EQ(toJson(withBorder(plan, 1, 3)), toJson(plan)); // no such border
}

TEST(PlanEdits, aSplitTakesAFreeDevice)
{
    const Plan plan = planOf({ { 0, 3 }, { 4, 6 } }, 3);
    EXPECT_EQ(freeDevices(plan), std::vector<int> { 2 });
    const Plan split = withSplit(plan, 2);
    ASSERT_EQ(split.depth(), 3);
    EXPECT_EQ(split.stages[0].lastLayer, 1);
    EXPECT_EQ(split.stages[1].firstLayer, 2);
    EXPECT_EQ(split.stages[1].devices, std::vector<int> { 2 });
    EXPECT_TRUE(freeDevices(split).empty());
    EXPECT_EQ(toJson(withSplit(split, 5)), toJson(split)); // none is free
    EXPECT_EQ(toJson(withSplit(plan, 4)), toJson(plan)); // a border already
}

TEST(PlanEdits, aMergeJoinsLayersAndFreesTheRightDevice)
{
    const Plan merged = withMerged(planOf({ { 0, 3 }, { 4, 6 } }, 2), 0);
    ASSERT_EQ(merged.depth(), 1);
    EXPECT_EQ(merged.stages[0].lastLayer, 6);
    EXPECT_EQ(freeDevices(merged), std::vector<int> { 1 });
}

TEST(PlanEdits, aStageOnATakenDeviceSwaps)
{
    const Plan plan = planOf({ { 0, 3 }, { 4, 6 } }, 3);
    const Plan swapped = withStageOnDevice(plan, 0, 1);
    EXPECT_EQ(swapped.stages[0].devices, std::vector<int> { 1 });
    EXPECT_EQ(swapped.stages[1].devices, std::vector<int> { 0 });
    const Plan moved = withStageOnDevice(plan, 0, 2);
    EXPECT_EQ(moved.stages[0].devices, std::vector<int> { 2 });
    EXPECT_EQ(moved.stages[1].devices, std::vector<int> { 1 });
    EXPECT_EQ(toJson(withStageOnDevice(plan, 0, 9)), toJson(plan)); // no such device
}

} // namespace

} // namespace stageloom
