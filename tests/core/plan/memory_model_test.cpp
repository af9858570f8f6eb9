// SPDX-License-Identifier: Apache-2.0
#include "core/plan/memory_model.h"
#include "core/plan/plan_fixture.h"
#include "core/plan/plan_schedule.h"

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
    const StageMemory m = stageMemory(plan, model, 0).value();
    return (m.weights + m.gradients + m.optimizer) / (1000 + 2000 + 2010);
}

// 2bw.md §4 and §7.21: one extra version; and the second accumulator, since a batch that is not
// finite is left out on all stages together, so that every update waits for the others' parts.
TEST(MemoryModel, stateBytesAParameterFollowThePaper)
{
    constexpr double kSecondAccumulator = 4;
    for (const double clip : { 0.0, 1.0 }) {
        EXPECT_DOUBLE_EQ(bytesPerParameter("1f1b", Dtype::Bf16, OptimizerKind::Adam, clip), 20);
        EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Bf16, OptimizerKind::Adam, clip),
            22 + kSecondAccumulator);
        EXPECT_DOUBLE_EQ(bytesPerParameter("1f1b", Dtype::Fp32, OptimizerKind::AdamW, clip), 16);
        EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Fp32, OptimizerKind::AdamW, clip),
            20 + kSecondAccumulator);
        EXPECT_DOUBLE_EQ(bytesPerParameter("2bw", Dtype::Fp32, OptimizerKind::Sgd, clip),
            16 + kSecondAccumulator);
    }
}

// The closed forms of 2bw.md §1 and §2, against what is counted from a short list and from a long
// one: microbatches in flight, versions, accumulators.
struct ClosedForm {
    int inFlight, versions, accumulators;
};

// None: nobody has written one down for this schedule.
std::optional<ClosedForm> closedForm(const std::string& name, int d, int m, int stage, bool cross)
{
    const int ahead = d - stage;
    if (name == "gpipe")
        return ClosedForm { m, 1, 1 };
    if (name == "1f1b")
        return ClosedForm { std::min(ahead, m), 1, 1 };
    if (name == "pipedream")
        return ClosedForm { ahead, ahead, 1 };
    if (name != "2bw")
        return std::nullopt;
    // Deferred to where it is needed, the last stage's update finds nothing of the old version.
    const bool lastHoldsOne = cross && stage + 1 == d;
    return ClosedForm { ahead, lastHoldsOne ? 1 : 2, cross ? 2 : 1 };
}

TEST(MemoryModel, whatIsChargedIsWhatTheListHoldsAndTheClosedFormsSay)
{
    int compared = 0;
    for (const std::string& name : scheduleNames())
        for (int d = 1; d <= 6; ++d)
            for (int m : { 1, d - 1, d, d + 1, 2 * d, 3 * d + 1 })
                for (bool cross : { false, true }) {
                    ScheduleRequest request;
                    request.name = name;
                    request.depth = d;
                    request.microbatches = m;
                    request.batches = 20;
                    request.crossStageUpdate
                        = cross && d > 1 && findSchedule(name)->versionRule != VersionRule::Stash;
                    if (m < findSchedule(name)->leastMicrobatches(d) || m < 1)
                        continue;
                    const auto proof = verifySchedule(makeSchedule(request).value());
                    ASSERT_TRUE(proof.ok());
                    const ListDemand list = steadyDemand(request).value();
                    for (int s = 0; s < d; ++s) {
                        const auto text = fmt::format("{} d {} m {} stage {}{}", name, d, m, s,
                            request.crossStageUpdate ? " cross" : "");
                        const StageDemand counted = stageDemand(list, s);
                        if (const auto form = closedForm(name, d, m, s, request.crossStageUpdate)) {
                            ++compared;
                            EXPECT_EQ(counted.inFlight, form->inFlight) << text;
                            EXPECT_EQ(counted.versions, form->versions) << text;
                            EXPECT_EQ(counted.accumulators, form->accumulators) << text;
                        }
                        EXPECT_EQ(counted.inFlight, proof.peakStash[std::size_t(s)]) << text;
                        EXPECT_EQ(counted.versions, proof.peakVersions[std::size_t(s)]) << text;
                        EXPECT_EQ(counted.accumulators, proof.accumulators[std::size_t(s)]) << text;
                    }
                }
    EXPECT_GT(compared, 500);
}

double activations(const char* schedule, int m, int stage, bool recompute = false)
{
    Plan plan = test::smallPlan();
    plan.schedule = schedule;
    plan.microbatches = m;
    plan.stages[std::size_t(stage)].recompute = recompute;
    return stageMemory(plan, test::handModel(5), stage).value().activations;
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
    plan.schedule = "pipedream";
    EXPECT_TRUE(crossStageUpdate(plan, model));
    EXPECT_FALSE(crossStageUpdate(plan, test::handModel(5)));
}

// All stages leave out a batch that is not finite, or none does.
TEST(MemoryModel, updatesOfWholeBatchesCrossStagesWithoutClippingToo)
{
    Plan plan = test::smallPlan();
    plan.optimizer.clipNorm = 0;
    for (const char* schedule : { "2bw", "1f1b", "gpipe" }) {
        plan.schedule = schedule;
        EXPECT_TRUE(crossStageUpdate(plan, test::handModel(5))) << schedule;
        Plan alone = plan;
        alone.stages.resize(1);
        EXPECT_FALSE(crossStageUpdate(alone, test::handModel(5))) << schedule;
    }
}

} // namespace
} // namespace stageloom
