// SPDX-License-Identifier: Apache-2.0
// Bytes a step between devices, by hand.
#include "core/plan/cost_model.h"
#include "core/plan/traffic.h"
#include "tests/core/plan/plan_fixture.h"

#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::test;

namespace {

Plan trafficPlan(std::vector<PlanStage> stages, int devices)
{
    Plan plan;
    plan.topology = handTopology(devices, 0);
    plan.stages = std::move(stages);
    plan.microbatchSize = 3;
    plan.microbatches = 5;
    return plan;
}

} // namespace

TEST(PlanTraffic, isWhatBordersHandOverBothWays)
{
    const Model model = handModel(3); // a sample's output is 100 bytes after each layer
    const Plan plan = trafficPlan({ { 0, 1, { 2 } }, { 2, 3, { 0 } }, { 4, 4, { 1 } } }, 3);
    const auto traffic = planTraffic(plan, model);
    ASSERT_EQ(traffic.size(), 2u);
    EXPECT_EQ(traffic[0].a, 0);
    EXPECT_EQ(traffic[0].b, 1);
    EXPECT_EQ(traffic[1].a, 0);
    EXPECT_EQ(traffic[1].b, 2);
    for (const PairTraffic& pair : traffic) {
        EXPECT_DOUBLE_EQ(pair.activations, 2 * 100 * 3 * 5);
        EXPECT_DOUBLE_EQ(pair.reductions, 0);
    }
    EXPECT_DOUBLE_EQ(traffic[1].hop, hopTimes(plan, model)[0]);
}

TEST(PlanTraffic, aRingCarriesGradientsBetweenReplicas)
{
    const Model model = handModel(1); // 1000 + 2000 + 900 parameters
    const auto three = planTraffic(trafficPlan({ { 0, 2, { 0, 1, 2 } } }, 3), model);
    ASSERT_EQ(three.size(), 3u);
    for (const PairTraffic& pair : three)
        EXPECT_DOUBLE_EQ(pair.bytes(), 2 * 2.0 / 3 * 3900 * 4);
    const auto two = planTraffic(trafficPlan({ { 0, 2, { 1, 0 } } }, 2), model);
    ASSERT_EQ(two.size(), 1u);
    EXPECT_DOUBLE_EQ(two[0].reductions, 2 * (2 * 1.0 / 2 * 3900 * 4)); // there and back
}

TEST(PlanTraffic, isNoneOnOneDevice)
{
    EXPECT_TRUE(planTraffic(trafficPlan({ { 0, 4, { 0 } } }, 1), handModel(3)).empty());
}
