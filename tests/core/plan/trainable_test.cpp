// SPDX-License-Identifier: Apache-2.0
#include "capabilities_fixture.h"
#include "core/plan/train_request.h"
#include "plan_fixture.h"

#include <gmock/gmock.h>

namespace stageloom::test {

namespace {

using testing::HasSubstr;

Plan cpuPlan()
{
    Plan plan = smallPlan();
    for (Device& device : plan.topology.devices)
        device.kind = DeviceKind::CpuWorker;
    return plan;
}

std::vector<PlanFinding> findingsOf(const Plan& plan)
{
    const auto model = planModel(plan);
    EXPECT_TRUE(model) << (model ? "" : model.error().message);
    return trainable(plan, *model, someEngine());
}

// The one refusal of a plan that differs from a trainable one by `edit`.
template <typename Edit> PlanFinding refusal(Edit edit)
{
    Plan plan = cpuPlan();
    edit(plan);
    const auto findings = findingsOf(plan);
    EXPECT_EQ(findings.size(), 1u);
    if (findings.empty())
        return {};
    EXPECT_EQ(findings[0].severity, PlanFinding::Severity::Error) << findings[0].message;
    return findings[0];
}

Status checked(const TrainRequest& request, int cores = 4)
{
    return checkRequest(request, planModel(request.plan).value(), someEngine(), cores);
}

} // namespace

TEST(Trainable, aPlanWithinTheEnginesMeansHasNoFinding)
{
    EXPECT_TRUE(findingsOf(cpuPlan()).empty());
}

TEST(Trainable, whatIsBeyondTheEngineIsNamedWithItsPlaceAndWhatHelps)
{
    const PlanFinding gpu = refusal([](Plan& p) { p.topology.devices[1].kind = DeviceKind::Gpu; });
    EXPECT_EQ(gpu.path, "/topology/devices/1");
    EXPECT_THAT(gpu.message, HasSubstr("STAGELOOM_CUDA"));
    const PlanFinding dtype = refusal([](Plan& p) { p.dtype = Dtype::Bf16; });
    EXPECT_EQ(dtype.path, "/dtype");
    EXPECT_THAT(dtype.message, HasSubstr("--dtype fp32"));
    const PlanFinding schedule = refusal([](Plan& p) { p.schedule = "gpipe"; });
    EXPECT_EQ(schedule.path, "/schedule");
    EXPECT_THAT(schedule.message, HasSubstr("it runs 2bw or 1f1b"));
    const PlanFinding kind = refusal([](Plan& p) { p.optimizer.kind = OptimizerKind::Adam; });
    EXPECT_EQ(kind.path, "/optimizer/kind");
    const PlanFinding wide = refusal([](Plan& p) {
        p.topology.devices.resize(4, p.topology.devices[0]);
        p.stages[0].devices = { 0, 1 };
        p.stages[1].devices = { 2, 3 };
    });
    EXPECT_EQ(wide.path, "/stages/0/devices");
    EXPECT_THAT(wide.message, HasSubstr("width 2"));
    const PlanFinding codec = refusal([](Plan& p) { p.compression = "topk"; });
    EXPECT_EQ(codec.path, "/compression");
}

TEST(Trainable, theModelDecidesToo)
{
    const PlanFinding family = refusal([](Plan& p) {
        p.modelConfig = { { "model_type", "llama" }, { "hidden_size", 32 },
            { "num_hidden_layers", 4 }, { "num_attention_heads", 4 }, { "num_key_value_heads", 4 },
            { "intermediate_size", 64 }, { "vocab_size", 50 }, { "max_position_embeddings", 16 },
            { "rms_norm_eps", 1e-5 }, { "hidden_act", "silu" } };
    });
    EXPECT_EQ(family.path, "/model/config/model_type");
    EXPECT_THAT(family.message, HasSubstr("'llama'"));
    const PlanFinding activation
        = refusal([](Plan& p) { p.modelConfig["activation_function"] = "relu"; });
    EXPECT_EQ(activation.path, "/model/config/activation_function");
    EXPECT_THAT(activation.message, HasSubstr("gelu or gelu_new"));
    const PlanFinding bytes = refusal([](Plan& p) { p.modelConfig["vocab_size"] = 39; });
    EXPECT_EQ(bytes.path, "/model/config/vocab_size");
    EXPECT_THAT(bytes.message, HasSubstr("vocab_size to 40"));
}

TEST(Trainable, aRequestIsRefusedForThreadsStepsAndAnUnsoundPlan)
{
    TrainRequest request;
    request.plan = cpuPlan();
    EXPECT_TRUE(checked(request));
    request.threadsPerStage = 5;
    EXPECT_THAT(checked(request).error().message, HasSubstr("5 threads"));
    EXPECT_TRUE(checked(request, 5)) << "as many as there are cores";
    request.threadsPerStage = 1;
    request.steps = 1'000'000;
    EXPECT_THAT(checked(request).error().message, HasSubstr("1,000,000 steps"));
    request.steps = 10;
    request.plan.microbatches = 1; // 2bw of two stages needs two
    EXPECT_THAT(checked(request).error().message, HasSubstr("/microbatches"));
}

TEST(Capabilities, readBackAsTheyWereWritten)
{
    const auto back = capabilitiesFromJson(toJson(someEngine()), "capabilities");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, someEngine());
    Json broken = toJson(someEngine());
    broken["dtypes"] = "fp32";
    const auto refused = capabilitiesFromJson(broken, "capabilities");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("dtypes"));
}

} // namespace stageloom::test
