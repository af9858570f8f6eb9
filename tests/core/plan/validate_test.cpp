// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cost_model.h"
#include "core/plan/plan_fixture.h"
#include "core/plan/prediction.h"

#include <functional>
#include <gtest/gtest.h>

namespace stageloom {
namespace {

using test::smallPlan;

TEST(ValidatePlan, aSoundPlanHasNoError)
{
    for (const PlanFinding& finding : validatePlan(smallPlan()))
        EXPECT_NE(finding.severity, PlanFinding::Severity::Error) << finding.message;
}

struct Broken {
    const char* name;
    std::function<void(Plan&)> breaks;
    const char* path;
};

class EveryMistake : public ::testing::TestWithParam<Broken> { };

TEST_P(EveryMistake, isFoundAtItsPlace)
{
    Plan plan = smallPlan();
    GetParam().breaks(plan);
    bool found = false;
    for (const PlanFinding& finding : validatePlan(plan))
        found |= finding.path == GetParam().path && finding.severity == PlanFinding::Severity::Error
            && !finding.message.empty();
    EXPECT_TRUE(found) << GetParam().path;
}

const Broken kMistakes[] {
    { "gap", [](Plan& p) { p.stages[1].firstLayer = 4; }, "/stages/1/first_layer" },
    { "overlap", [](Plan& p) { p.stages[1].firstLayer = 2; }, "/stages/1/first_layer" },
    { "notFromZero", [](Plan& p) { p.stages[0].firstLayer = 1; }, "/stages/0/first_layer" },
    { "empty", [](Plan& p) { p.stages[1].lastLayer = 2; }, "/stages/1/last_layer" },
    { "beyond", [](Plan& p) { p.stages[1].lastLayer = 7; }, "/stages/1/last_layer" },
    { "short", [](Plan& p) { p.stages[1].lastLayer = 5; }, "/stages/1/last_layer" },
    { "noStages", [](Plan& p) { p.stages.clear(); }, "/stages" },
    { "noDevice", [](Plan& p) { p.stages[0].devices.clear(); }, "/stages/0/devices" },
    { "unknownDevice", [](Plan& p) { p.stages[1].devices = { 9 }; }, "/stages/1/devices/0" },
    { "twice", [](Plan& p) { p.stages[1].devices = { 0 }; }, "/stages/1/devices/0" },
    { "uneven",
        [](Plan& p) {
            p.stages[1].devices = { 1, 0 };
        },
        "/stages/1/devices" },
    { "tooFewMicrobatches", [](Plan& p) { p.microbatches = 1; }, "/microbatches" },
    { "noMicrobatch", [](Plan& p) { p.microbatches = 0; }, "/microbatches" },
    { "noSample", [](Plan& p) { p.microbatchSize = 0; }, "/microbatch_size" },
    { "unknownSchedule", [](Plan& p) { p.schedule = "2wb"; }, "/schedule" },
    { "laterSchedule", [](Plan& p) { p.schedule = "zb-v"; }, "/schedule" },
    { "compression", [](Plan& p) { p.compression = "powersgd"; }, "/compression" },
    { "rate", [](Plan& p) { p.optimizer.learningRate = -1; }, "/optimizer/learning_rate" },
    { "beta", [](Plan& p) { p.optimizer.beta2 = 1; }, "/optimizer/beta2" },
    { "decayInWarmup",
        [](Plan& p) {
            p.optimizer.warmupSteps = 20;
            p.optimizer.decaySteps = 20;
        },
        "/optimizer/decay_steps" },
    { "profile", [](Plan& p) { p.profile.emplace().layers.resize(3); }, "/profile/layers" },
    { "noDevices", [](Plan& p) { p.topology.devices.clear(); }, "/topology" },
    { "config", [](Plan& p) { p.modelConfig = Json::object(); }, "/model/config" },
};

INSTANTIATE_TEST_SUITE_P(Plan, EveryMistake, ::testing::ValuesIn(kMistakes),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(ValidatePlan, allFindingsAreGivenNotJustTheFirst)
{
    Plan plan = smallPlan();
    plan.schedule = "2wb";
    plan.stages[1].firstLayer = 4;
    plan.stages[1].devices = { 0 };
    int errors = 0;
    for (const PlanFinding& finding : validatePlan(plan))
        errors += finding.severity == PlanFinding::Severity::Error;
    EXPECT_EQ(errors, 3);
}

bool anyAt(const Plan& plan, const std::string& path, PlanFinding::Severity severity)
{
    for (const PlanFinding& finding : validatePlan(plan))
        if (finding.path == path && finding.severity == severity)
            return true;
    return false;
}

TEST(ValidatePlan, decayMayEndAfterTheWarmUpOrWithTheRun)
{
    Plan plan = smallPlan();
    plan.optimizer.warmupSteps = 20;
    for (const int steps : { 0, 21 }) {
        plan.optimizer.decaySteps = steps;
        EXPECT_FALSE(anyAt(plan, "/optimizer/decay_steps", PlanFinding::Severity::Error)) << steps;
    }
    plan.optimizer.decaySteps = 5;
    plan.optimizer.shape = RateShape::Constant; // decays not at all
    EXPECT_FALSE(anyAt(plan, "/optimizer/decay_steps", PlanFinding::Severity::Error));
}

TEST(ValidatePlan, notesOfTheModelAreShown)
{
    Plan plan = smallPlan();
    EXPECT_FALSE(anyAt(plan, "/model/config", PlanFinding::Severity::Note));
    plan.modelConfig["resid_pdrop"] = 0.1;
    EXPECT_TRUE(anyAt(plan, "/model/config", PlanFinding::Severity::Note));
}

// Every layer takes 1 s where the profile counts.
Profile oneSecondLayers(const Model& model, const char* kind, const char* name = "")
{
    Profile profile;
    profile.deviceKind = kind;
    profile.deviceName = name;
    profile.hop = 0.25;
    profile.updatePerParameter = 0.5;
    for (const Layer& layer : model.layers)
        profile.layers.push_back({ layer.name, 1, 1, 1 });
    return profile;
}

TEST(ProfileOfAnotherDevice, isNotUsedAndFoundSo)
{
    Plan plan = smallPlan(); // two GPUs
    const auto model = planModel(plan);
    ASSERT_TRUE(model);
    for (Device& device : plan.topology.devices)
        device.name = "this GPU";
    struct Case {
        const char *kind, *name;
        bool used;
    };
    for (const Case& c :
        { Case { "gpu", "", true }, Case { "gpu", "this GPU", true }, Case { "", "", true },
            Case { "cpu-worker", "", false }, Case { "gpu", "another GPU", false } }) {
        plan.profile = oneSecondLayers(*model, c.kind, c.name);
        EXPECT_EQ(layerTimes(plan, *model, 0)[0].forward == 1, c.used) << c.kind << c.name;
        EXPECT_EQ(transferTime(plan, 0, 1, 1e3) == 0.25, c.used);
        EXPECT_EQ(updateTime(plan, 4, 0) == 2, c.used);
        EXPECT_EQ(anyAt(plan, "/profile/device_kind", PlanFinding::Severity::Warning), !c.used);
        const auto prediction = predict(plan, *model, 2);
        ASSERT_TRUE(prediction) << prediction.error().message;
        EXPECT_EQ(prediction->measuredTimes, c.used);
    }
}

TEST(ValidatePlan, fewMicrobatchesNameTheSmallestBatch)
{
    Plan plan = smallPlan();
    plan.microbatches = 1;
    const auto findings = validatePlan(plan);
    ASSERT_FALSE(findings.empty());
    EXPECT_NE(findings[0].message.find("2·1·2 = 4 samples"), std::string::npos);
}

// What is planned is what is simulated and what is told: a batch's tokens come out in a batch's
// time, whatever the schedule and the shape.
TEST(Predict, periodTimesRateIsABatchsTokensForEverySchedule)
{
    for (const std::string& name : scheduleNames())
        for (const int m : { 2, 3, 8 })
            for (const int b : { 1, 4 })
                for (const double clip : { 0.0, 1.0 }) {
                    Plan plan = smallPlan();
                    plan.schedule = name;
                    plan.microbatches = m;
                    plan.microbatchSize = b;
                    plan.optimizer.clipNorm = clip;
                    const Prediction p = predict(plan, 6).value();
                    const auto text = fmt::format("{} m {} b {} clip {}", name, m, b, clip);
                    const double tokens = double(m) * b * 16;
                    EXPECT_NEAR(p.stepTime * p.tokensPerSecond, tokens, 1e-9 * tokens) << text;
                    const auto trace = simulate(p.schedule, p.simulation);
                    ASSERT_TRUE(trace) << text;
                    EXPECT_EQ(measure(*trace).periodPerBatch, p.stepTime) << text;
                    // By the clock: the last stage's own batches in the middle of the run.
                    std::vector<double> ends;
                    for (const Span& span : trace->spans)
                        if (span.stage == 1 && span.kind == ActionKind::Backward
                            && (span.microbatch + 1) % m == 0)
                            ends.push_back(span.end);
                    EXPECT_NEAR((ends[4] - ends[1]) / 3, p.stepTime, 0.02 * p.stepTime) << text;
                    EXPECT_TRUE(p.proof.ok()) << text;
                    EXPECT_TRUE(p.metrics.steadyBubbleFraction.has_value()) << text;
                }
}

TEST(Predict, theTraceNamesThePlansDevices)
{
    Plan plan = smallPlan();
    std::swap(plan.stages[0].devices, plan.stages[1].devices);
    EXPECT_EQ(predict(plan).value().trace.planDevices, (std::vector<int> { 1, 0 }));
}

} // namespace
} // namespace stageloom
