// SPDX-License-Identifier: Apache-2.0
#include "core/plan/memory_model.h"
#include "core/plan/plan_fixture.h"

#include "core/schedule/registry.h"
#include "core/schedule/verify.h"
#include <gtest/gtest.h>

namespace stageloom {
namespace {

double bytesPerParameter(const char* schedule, Dtype dtype, OptimizerKind kind, double clip)
{
    Plan plan = test::smallPlan();
    plan.schedule = schedule;
    plan.dtype = dtype;
    plan.optimizer.kind = kind;
    plan.optimizer.clipNorm = clip;
    const Model model = test::handModel(5);
    const StageMemory m = stageMemory(plan, model, 0);
    return (m.weights + m.gradients + m.optimizer) / (1000 + 2000 + 2010);
}

// 2bw.md §4 and §7.21: the difference is exactly one extra version.
TEST(MemoryModel, stateBytesAParameterFollowThePaper)
{
    EXPECT_DOUBLE_EQ(bytesPerParameter("1f1b", Dtype::Bf16, OptimizerKind::Adam, 0), 20);
    EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Bf16, OptimizerKind::Adam, 0), 22);
    EXPECT_DOUBLE_EQ(bytesPerParameter("1f1b", Dtype::Fp32, OptimizerKind::AdamW, 0), 16);
    EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Fp32, OptimizerKind::AdamW, 0), 20);
    EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Fp32, OptimizerKind::Sgd, 0), 16);
}

TEST(MemoryModel, updatesThatCrossStagesNeedASecondAccumulator)
{
    EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Fp32, OptimizerKind::AdamW, 1), 24);
    EXPECT_DOUBLE_EQ(bytesPerParameter("1f1b", Dtype::Fp32, OptimizerKind::AdamW, 1), 16);
}

// What is charged is what the list holds: the versions are counted from it by the verifier.
TEST(MemoryModel, versionsAreThoseOfTheList)
{
    for (const char* name : { "gpipe", "1f1b", "pipedream", "2bw" })
        for (int d = 1; d <= 5; ++d)
            for (int m : { d, d + 1, 2 * d, 3 * d + 1 })
                for (bool cross : { false, true }) {
                    ScheduleRequest request;
                    request.name = name;
                    request.depth = d;
                    request.microbatches = m;
                    request.batches = 5;
                    request.crossStageUpdate = cross && d > 1 && request.name != "pipedream";
                    const auto schedule = makeSchedule(request);
                    ASSERT_TRUE(schedule) << schedule.error().message;
                    const auto proof = verifySchedule(*schedule);
                    ASSERT_TRUE(proof.ok());
                    Plan plan = test::smallPlan();
                    plan.schedule = name;
                    plan.microbatches = m;
                    plan.stages.resize(std::size_t(d));
                    const MemoryRule rule = memoryRule(plan, request.crossStageUpdate);
                    for (int s = 0; s < d; ++s)
                        EXPECT_EQ(rule.versionsAt(s), proof.peakVersions[std::size_t(s)])
                            << name << " d " << d << " m " << m << " stage " << s
                            << (request.crossStageUpdate ? " cross" : "");
                }
}

double activations(const char* schedule, int m, int stage, bool recompute = false)
{
    Plan plan = test::smallPlan();
    plan.schedule = schedule;
    plan.microbatches = m;
    plan.stages[std::size_t(stage)].recompute = recompute;
    return stageMemory(plan, test::handModel(5), stage).activations;
}

// §7.22: constant in m under 2bw and flush, linear under GPipe.
TEST(MemoryModel, activationsCountTheMicrobatchesInFlight)
{
    const double one = 2 * (50 + 700 + 730); // b = 2 samples of layers 0 to 2
    EXPECT_DOUBLE_EQ(activations("2bw", 4, 0), 2 * one);
    EXPECT_DOUBLE_EQ(activations("2bw", 64, 0), 2 * one);
    EXPECT_DOUBLE_EQ(activations("1f1b", 64, 0), 2 * one);
    EXPECT_DOUBLE_EQ(activations("1f1b", 1, 0), one);
    EXPECT_DOUBLE_EQ(activations("gpipe", 64, 0), 64 * one);
}

TEST(MemoryModel, recomputeKeepsInputsAndOneLiveStash)
{
    const double live = 2 * (760 + 790 + 700 + 500); // layers 3 to 6 of stage 1, which holds one
    EXPECT_DOUBLE_EQ(activations("gpipe", 8, 1, true), live + 8 * 2 * 100);
}

TEST(MemoryModel, aTiedHeadOnAnotherStageHoldsItsOwnCopy)
{
    const Model model = test::handModel(5, true);
    EXPECT_DOUBLE_EQ(stageLoad(model, 6, 6).parameters, 900);
    EXPECT_DOUBLE_EQ(stageLoad(model, 0, 6).parameters, 1000 + 5 * 2000 + 100);
    Plan plan = test::smallPlan();
    plan.optimizer.clipNorm = 0;
    EXPECT_TRUE(crossStageUpdate(plan, model));
    EXPECT_FALSE(crossStageUpdate(plan, test::handModel(5)));
}

} // namespace
} // namespace stageloom
