// SPDX-License-Identifier: Apache-2.0
// What the engine really holds against what the plan's memory model says it will.
#include "core/plan/memory_model.h"
#include "core/plan/plan_schedule.h"
#include "exec_support.h"
#include <set>

namespace stageloom::engine::test {
namespace {

Plan planOf(const Case& c)
{
    Plan plan;
    plan.schedule = c.schedule;
    plan.microbatches = c.microbatches;
    plan.microbatchSize = kSamples;
    plan.seq = kSeq;
    plan.optimizer = settingsOf(c);
    plan.stages.resize(static_cast<std::size_t>(c.depth));
    for (PlanStage& stage : plan.stages)
        stage.devices = { 0 };
    return plan;
}

double bytesOf(const std::vector<at::Tensor>& tensors)
{
    std::set<const void*> seen; // views share their storage
    double bytes = 0;
    for (const at::Tensor& tensor : tensors)
        if (tensor.defined() && seen.insert(tensor.storage().data()).second)
            bytes += double(tensor.storage().nbytes());
    return bytes;
}
}

TEST(Memory, buffersAParameterAreTheModelsForEveryScheduleAndOptimizer)
{
    for (const char* schedule : { "2bw", "1f1b", "gpipe" })
        for (const auto kind : { OptimizerKind::Sgd, OptimizerKind::AdamW })
            for (const double clip : { 0.0, 1.0 })
                for (const int m : { 3, 9 }) {
                    Case c;
                    c.schedule = schedule;
                    c.depth = 3;
                    c.microbatches = m;
                    c.optimizer = kind;
                    c.clip = clip;
                    const ExecutorInput input = inputOf(c);
                    const ParameterBytes bytes = parameterBytes(planOf(c));
                    const ListDemand list
                        = steadyDemand(scheduleRequest(planOf(c), tinyModel(false), 1)).value();
                    for (std::size_t s = 0; s < 3; ++s) {
                        const double modelled = bytes.total(stageDemand(list, int(s)));
                        const double held = 4.0
                            * (input.proof.peakVersions[s] + input.proof.accumulators[s]
                                + double(input.stages[s].optimizer->state().size()));
                        EXPECT_EQ(held, modelled)
                            << schedule << " clip " << clip << " m " << m << " stage " << s;
                    }
                }
}

TEST(Memory, aBlockKeepsTheBytesTheCostModelSays)
{
    const Model model = tinyModel(false);
    const auto stage = buildStage(model, 0, static_cast<int>(model.layers.size()) - 1);
    ASSERT_TRUE(stage);
    const at::NoGradGuard noGrad;
    const at::Tensor flat = at::zeros({ (*stage)->flatElements() });
    initialize(**stage, flat, 3);
    StageStash stash;
    stash.data = TokenSource(1, -1).make(0);
    (*stage)->forward((*stage)->views(flat), {}, stash);
    for (std::size_t i = 1; i <= kBlocks; ++i)
        EXPECT_EQ(bytesOf(stash.layers[i]), kSamples * model.layers[i].stashBytes) << i;
}

} // namespace stageloom::engine::test
