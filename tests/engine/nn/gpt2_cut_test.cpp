// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/gpt2_reference.h"

#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::engine;
using namespace stageloom::engine::test;

namespace {

enum class Way { Fused, Halves, Recompute };

struct Outcome {
    double loss = 0;
    std::map<std::string, at::Tensor> gradients;
};

// Runs two microbatches through stages that end before the layers of `cuts`.
Outcome runCut(const Model& model, const std::vector<int>& cuts, Way way, at::ScalarType dtype)
{
    std::vector<std::unique_ptr<StageModule>> stages;
    std::vector<at::Tensor> weights, gradients;
    for (std::size_t s = 0; s + 1 < cuts.size(); ++s) {
        stages.push_back(buildStage(model, cuts[s], cuts[s + 1] - 1, dtype).value());
        weights.push_back(tinyWeights(*stages[s], dtype));
        gradients.push_back(at::zeros_like(weights[s]));
    }
    Outcome outcome;
    for (int k = 0; k < 2; ++k) {
        std::vector<StageStash> stashes(stages.size());
        at::Tensor x;
        for (std::size_t s = 0; s < stages.size(); ++s) {
            stashes[s].data = tinyData(model, 2, 10 + k, 0.5);
            const auto views = stages[s]->views(weights[s]);
            x = way == Way::Recompute ? stages[s]->forwardDropping(views, x, stashes[s])
                                      : stages[s]->forward(views, x, stashes[s]);
        }
        outcome.loss += x.item<double>();
        at::Tensor gradient;
        for (std::size_t s = stages.size(); s-- > 0;) {
            const auto views = stages[s]->views(weights[s]);
            const auto into = stages[s]->views(gradients[s]);
            if (way == Way::Recompute)
                stages[s]->recompute(views, stashes[s]);
            if (way == Way::Halves)
                gradient = stages[s]->backwardInput(views, gradient, stashes[s]);
            else
                gradient = stages[s]->backward(views, into, gradient, stashes[s]);
        }
        if (way == Way::Halves)
            for (std::size_t s = 0; s < stages.size(); ++s)
                stages[s]->backwardWeight(stages[s]->views(gradients[s]), stashes[s]);
        for (const auto& stash : stashes)
            EXPECT_TRUE(stash.layers.empty() && !stash.input.defined());
    }
    for (std::size_t s = 0; s < stages.size(); ++s)
        outcome.gradients.merge(byName(*stages[s], stages[s]->views(gradients[s])));
    return outcome;
}

void expectSameBits(const Outcome& a, const Outcome& b)
{
    EXPECT_EQ(a.loss, b.loss);
    ASSERT_EQ(a.gradients.size(), b.gradients.size());
    for (const auto& [name, gradient] : a.gradients)
        EXPECT_TRUE(at::equal(gradient, b.gradients.at(name))) << name;
}

const std::vector<int> kOne { 0, 7 }, kTwo { 0, 3, 7 }, kFour { 0, 1, 3, 5, 7 };

} // namespace

TEST(Gpt2Cut, oneTwoAndFourStagesGiveTheSameBits)
{
    const auto model = tinyModel({ .blocks = 4, .tied = false });
    for (const auto dtype : { at::kFloat, at::kDouble }) {
        const auto one = runCut(model, kOne, Way::Fused, dtype);
        expectSameBits(one, runCut(model, kTwo, Way::Fused, dtype));
        expectSameBits(one, runCut(model, kFour, Way::Fused, dtype));
    }
}

TEST(Gpt2Cut, theTwoGradientsOfATiedMatrixSumToTheSharedOnes)
{
    const auto model = tinyModel({ .blocks = 4 });
    auto one = runCut(model, kOne, Way::Fused, at::kDouble);
    auto cut = runCut(model, kTwo, Way::Fused, at::kDouble);
    EXPECT_EQ(one.loss, cut.loss);
    ASSERT_FALSE(one.gradients.contains("lm_head.weight"));
    const auto copies = cut.gradients.at("wte.weight") + cut.gradients.at("lm_head.weight");
    EXPECT_LT(largestDifference(one.gradients.at("wte.weight"), copies), 1e-15);
    cut.gradients.erase("lm_head.weight");
    cut.gradients["wte.weight"] = one.gradients["wte.weight"];
    expectSameBits(one, cut);
}

TEST(Gpt2Cut, theTwoHalvesOfTheBackwardGiveTheWholesBits)
{
    const auto model = tinyModel({ .blocks = 4 });
    for (const auto& cuts : { kOne, kFour })
        expectSameBits(runCut(model, cuts, Way::Fused, at::kFloat),
            runCut(model, cuts, Way::Halves, at::kFloat));
}

TEST(Gpt2Cut, recomputeGivesTheSameBits)
{
    const auto model = tinyModel({ .blocks = 4 });
    for (const auto& cuts : { kOne, kFour })
        expectSameBits(runCut(model, cuts, Way::Fused, at::kFloat),
            runCut(model, cuts, Way::Recompute, at::kFloat));
}

TEST(Gpt2Cut, droppingAfterAForwardLeavesWhatRecomputeNeeds)
{
    const auto model = tinyModel({ .blocks = 1 });
    const auto stage = buildStage(model, 1, 1, at::kDouble).value();
    const auto weights = stage->views(tinyWeights(*stage, at::kDouble));
    const auto input = at::randn({ 2, 9, 12 }, at::kDouble);
    StageStash stash;
    const auto output = stage->forward(weights, input, stash);
    StageModule::dropForRecompute(stash);
    EXPECT_TRUE(stash.layers.empty());
    EXPECT_TRUE(at::equal(stage->recompute(weights, stash), output));
    EXPECT_EQ(stash.layers.size(), 1u);
}
