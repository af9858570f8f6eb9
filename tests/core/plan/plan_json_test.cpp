// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_fixture.h"
#include "core/plan/train_request.h"

#include <gtest/gtest.h>

namespace stageloom {
namespace {

using test::smallPlan;

TEST(PlanJson, whatIsWrittenIsReadBackExactly)
{
    Plan plan = smallPlan();
    plan.stages[1].recompute = true;
    plan.optimizer.kind = OptimizerKind::Sgd;
    plan.optimizer.learningRate = 0.1 + 0.2;
    const auto read = planFromJson(toJson(plan), "a.plan.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(toJson(*read).dump(), toJson(plan).dump());
    EXPECT_EQ(read->stages, plan.stages);
    EXPECT_EQ(read->optimizer, plan.optimizer);
    EXPECT_TRUE(read->notes.empty());
}

TEST(PlanJson, unknownKeysAreKeptAsNotes)
{
    Json json = toJson(smallPlan());
    json["stages"][1]["colour"] = "blue";
    const auto read = planFromJson(json, "a.plan.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->notes, std::vector<std::string> { "/stages/1/colour" });
}

TEST(PlanJson, aWrongValueIsNamedWithFilePlaceAndRemedy)
{
    Json json = toJson(smallPlan());
    json["stages"][1]["first_layer"] = "three";
    const auto read = planFromJson(json, "a.plan.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message,
        "a.plan.json: /stages/1/first_layer is \"three\": write a whole number");
}

TEST(PlanJson, aMissingPartIsNamed)
{
    Json json = toJson(smallPlan());
    json.erase("microbatches");
    const auto read = planFromJson(json, "a.plan.json");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("/microbatches is missing"), std::string::npos);
}

TEST(PlanJson, aPlanWithoutALengthGetsItsModels)
{
    Json json = toJson(smallPlan());
    json.erase("seq");
    const auto read = planFromJson(json, "a.plan.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->seq, 16);
    json["model"]["config"]["n_head"] = 5; // unreadable: opens, and says so as a finding
    const auto broken = planFromJson(json, "a.plan.json");
    ASSERT_TRUE(broken) << broken.error().message;
    ASSERT_FALSE(validatePlan(*broken).empty());
    EXPECT_EQ(validatePlan(*broken)[0].path, "/model/config");
}

TEST(PlanJson, anotherSchemaIsRefused)
{
    Json json = toJson(smallPlan());
    json["schema"] = 2;
    EXPECT_FALSE(planFromJson(json, "a.plan.json"));
}

TEST(PlanHash, countsWhatRunsAndNotItsName)
{
    const Plan plan = smallPlan();
    Plan renamed = plan, deeper = plan, reordered = plan;
    renamed.name = "another";
    renamed.topology.title = "another";
    deeper.stages[0].lastLayer = 3;
    deeper.stages[1].firstLayer = 4;
    reordered.modelConfig = Json::object();
    for (auto it = plan.modelConfig.rbegin(); it != plan.modelConfig.rend(); ++it)
        reordered.modelConfig[it.key()] = it.value();
    EXPECT_EQ(planHash(plan), planHash(renamed));
    EXPECT_EQ(planHash(plan), planHash(reordered));
    EXPECT_NE(planHash(plan), planHash(deeper));
    EXPECT_EQ(planHash(plan).size(), 16u);
}

TEST(TrainRequestJson, whatIsWrittenIsReadBack)
{
    TrainRequest request;
    request.plan = smallPlan();
    request.dataPath = "text.txt";
    request.steps = 7;
    request.seed = 18446744073709551615ull;
    request.name = "a run";
    const auto read = trainRequestFromJson(toJson(request), "request.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(toJson(*read).dump(), toJson(request).dump());
    EXPECT_EQ(read->seed, request.seed);
}

} // namespace
} // namespace stageloom
