// SPDX-License-Identifier: GPL-3.0-or-later
// What commands print for people.
#include "app/commands/profile_text.h"
#include "app/commands/run_follow.h"
#include "app/commands/run_print.h"
#include "app/commands/run_progress.h"
#include "core/base/json.h"
#include "core/base/resources.h"
#include "core/plan/prediction.h"

#include <gmock/gmock.h>
#include <limits>

namespace stageloom {

using testing::HasSubstr;

TEST(ProgressText, saysTheTimeLeftAtThePaceSoFar)
{
    MetricPoint point;
    point.step = 25;
    point.time = 10;
    point.loss = 2.5;
    point.tokensPerSecond = 1234;
    EXPECT_THAT(progressText(point, 100), HasSubstr("30.0 s left")); // 75 steps at 0.4 s
    EXPECT_THAT(progressText(point, 100), HasSubstr("step 25/100"));
    EXPECT_EQ(progressText(point, 25).find("left"), std::string::npos);
}

TEST(ProgressText, theProfilersTooButNotFromItsFirstMoment)
{
    EXPECT_EQ(profileProgressText(0.02, 1), "measuring layers: 2 %");
    EXPECT_EQ(profileProgressText(0.25, 2), "measuring layers: 25 %, 6.00 s left");
    EXPECT_EQ(profileProgressText(1, 8), "measuring layers: 100 %");
}

TEST(ProgressText, aLossThatIsNoNumberIsNullInJson)
{
    MetricPoint point;
    point.step = 1;
    point.loss = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(stepLine(point), HasSubstr(R"("loss":null)"));
}

TEST(ProfileText, sharesAddUpOverForwardAndBackward)
{
    Profile profile;
    profile.microbatchSize = 2;
    profile.seq = 64;
    profile.layers = { { "first", 0.001, 0.001, 0.002 }, { "second", 0.003, 0.003, 0.006 } };
    const std::string text = profileText("tiny", profile);
    EXPECT_THAT(text, HasSubstr("25.0 %"));
    EXPECT_THAT(text, HasSubstr("75.0 %"));
    EXPECT_THAT(text, HasSubstr("4.00 ms")); // all forward
}

TEST(TextTable, countsCharactersAndNotBytes)
{
    const std::string text = textTable({ { "é", "x" }, { "ab", "y" } });
    EXPECT_EQ(text, "é   x\nab  y\n");
}

TEST(RunPrediction, standsBesideWhatWasMeasured)
{
    const Foreseen step { 0.1, 0.106 }, share { 0.05, 0.032 };
    EXPECT_EQ(secondsText(step), "106 ms (predicted 100 ms, +6.0 %)");
    EXPECT_EQ(bubbleText(share), "3.2 % (predicted 5.0 %, -1.8 points)");
    EXPECT_EQ(tokenRateText({ 1000, {} }), "– (predicted 1,000 tokens/s)");
    EXPECT_EQ(tokenRateText({ {}, 1000 }), "1,000 tokens/s");
    EXPECT_EQ(bubbleText({}), "–");

    RunPrediction all;
    all.stepSeconds = step;
    all.bubble = share;
    const Json document = toJson(all);
    EXPECT_NEAR(document["step_time"]["difference"].get<double>(), 0.06, 1e-9);
    EXPECT_NEAR(document["steady_bubble_fraction"]["difference"].get<double>(), -0.018, 1e-9)
        << "points, as in the text";
    EXPECT_TRUE(document["tokens_per_second"]["difference"].is_null());
}

// 8 samples of 32 tokens at 512 tokens a second take half a second.
TEST(RunPrediction, isMadeFromThePlanThatTheStoreKeeps)
{
    Plan plan;
    plan.modelSource = "preset:demo-gpt";
    plan.modelConfig = readJsonFile(findResource("presets/models/demo-gpt.json").value()).value();
    plan.topologySource = "cpu:2";
    plan.topology = readTopology("cpu:2").value();
    plan.seq = 32;
    plan.microbatchSize = 4;
    plan.microbatches = 2;
    plan.stages = { { 0, 3, { 0 }, false }, { 4, 6, { 1 }, false } };
    RunRow row;
    row.tokensPerSecond = 512;
    row.bubblePredicted = 0.1;
    const RunPrediction two = predictionOf(row, toJson(plan), Json());
    EXPECT_EQ(two.stepSeconds.measured, 0.5);
    const auto predicted = predict(plan);
    ASSERT_TRUE(predicted) << predicted.error().message;
    EXPECT_EQ(two.stepSeconds.predicted, predicted->stepTime);
    EXPECT_EQ(two.bubble.predicted, 0.1);

    // What the engine wrote down stands, whatever a newer program would say of the plan.
    const Json record { { "predicted",
        { { "step_seconds", 0.25 }, { "tokens_per_second", 1024 },
            { "process_memory_bytes", 0 } } } };
    const RunPrediction recorded = predictionOf(row, toJson(plan), record);
    EXPECT_EQ(recorded.stepSeconds.predicted, 0.25);
    EXPECT_EQ(recorded.stepSeconds.measured, 0.5);
    EXPECT_EQ(recorded.tokensPerSecond.predicted, 1024);
    EXPECT_FALSE(recorded.memory.predicted) << "not of one process";
    const Json broken { { "predicted", nullptr } };
    EXPECT_EQ(
        predictionOf(row, toJson(plan), broken).stepSeconds.predicted, two.stepSeconds.predicted);

    plan.stages = { { 0, 6, { 0 }, false } };
    EXPECT_FALSE(predictionOf(row, toJson(plan), Json()).bubble.predicted)
        << "one stage waits for nobody";
    EXPECT_EQ(predictionOf(row, Json(), Json()).tokensPerSecond.measured, 512)
        << "a plan that is not there";
}

TEST(FinalDocument, hasTheContractsKeysAndNullWhereNothingWasMeasured)
{
    RunRow row;
    row.id = RunId { 7 };
    row.steps = 3;
    row.finalLoss = 1.5;
    const Json document = finalDocument(row);
    EXPECT_EQ(document["run"], 7);
    EXPECT_EQ(document["final_loss"], 1.5);
    for (const char* key : { "validation_loss", "tokens_per_second", "peak_rss_bytes",
             "bubble_fraction_predicted", "bubble_fraction_measured" })
        EXPECT_TRUE(document.at(key).is_null()) << key;
}

} // namespace stageloom
