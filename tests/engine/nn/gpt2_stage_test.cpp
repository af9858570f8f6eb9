// SPDX-License-Identifier: Apache-2.0
#include "engine/capabilities.h"
#include "engine/nn/gpt2_reference.h"

#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::engine;
using namespace stageloom::engine::test;

namespace {

struct Whole {
    std::unique_ptr<StageModule> stage;
    at::Tensor weights, gradients;
    double loss = 0;
};

Whole runWhole(const Model& model, const MicrobatchData& data, at::ScalarType dtype)
{
    Whole whole { buildStage(model, 0, int(model.layers.size()) - 1, dtype).value(), {}, {} };
    whole.weights = tinyWeights(*whole.stage, dtype);
    whole.gradients = at::zeros_like(whole.weights);
    StageStash stash;
    stash.data = data;
    const auto weights = whole.stage->views(whole.weights);
    whole.loss = whole.stage->forward(weights, {}, stash).item<double>();
    const auto input
        = whole.stage->backward(weights, whole.stage->views(whole.gradients), {}, stash);
    EXPECT_FALSE(input.defined()) << "the embedding has no input to hand a gradient to";
    return whole;
}

void expectAutogradAgrees(const Model& model, at::ScalarType dtype, double tolerance)
{
    const auto data = tinyData(model, 3, 1, 0.25);
    const auto whole = runWhole(model, data, dtype);
    const auto views = whole.stage->views(whole.weights.to(at::kDouble));
    const auto reference = referenceGpt2(model, byName(*whole.stage, views), data);
    EXPECT_NEAR(whole.loss, reference.loss, tolerance);
    const auto gradients = byName(*whole.stage, whole.stage->views(whole.gradients));
    ASSERT_EQ(gradients.size(), reference.gradients.size());
    for (const auto& [name, gradient] : gradients) {
        EXPECT_GT(gradient.abs().max().item<double>(), 1e-4) << name;
        EXPECT_LT(largestDifference(gradient, reference.gradients.at(name)), tolerance) << name;
    }
}

} // namespace

TEST(Gpt2Stage, lossAndEveryGradientEqualAutogradsInDouble)
{
    expectAutogradAgrees(tinyModel(), at::kDouble, 1e-12);
}

TEST(Gpt2Stage, lossAndEveryGradientEqualAutogradsInFloat)
{
    expectAutogradAgrees(tinyModel(), at::kFloat, 2e-6);
}

TEST(Gpt2Stage, anUntiedHeadWithExactGeluEqualsAutograd)
{
    expectAutogradAgrees(tinyModel({ .tied = false, .activation = "gelu" }), at::kDouble, 1e-12);
}

TEST(Gpt2Stage, scoresScaledByTheBlocksNumberEqualAutograd)
{
    TinyOptions options;
    options.config["scale_attn_by_inverse_layer_idx"] = true;
    expectAutogradAgrees(tinyModel(options), at::kDouble, 1e-12);
}

TEST(Gpt2Stage, gradientsOfMicrobatchesAddUpToTheWholeBatchs)
{
    const auto model = tinyModel();
    const auto batch = tinyData(model, 4, 3);
    const auto whole = runWhole(model, batch, at::kDouble);
    auto sum = at::zeros_like(whole.weights);
    for (int k = 0; k < 4; ++k) {
        StageStash stash;
        stash.data = { batch.tokens.narrow(0, k, 1), batch.targets.narrow(0, k, 1), 0.25 };
        const auto weights = whole.stage->views(whole.weights);
        whole.stage->forward(weights, {}, stash);
        whole.stage->backward(weights, whole.stage->views(sum), {}, stash);
    }
    EXPECT_LT(largestDifference(sum, whole.gradients), 1e-13);
}

TEST(Gpt2Stage, aFamilyThatDoesNotTrainIsNamedTogetherWithThoseThatDo)
{
    auto model = tinyModel();
    model.family = "untrained";
    const auto stage = buildStage(model, 0, 1);
    ASSERT_FALSE(stage);
    EXPECT_NE(stage.error().message.find("untrained"), std::string::npos);
    ASSERT_FALSE(trainedFamilies().empty());
    for (const TrainedFamily& family : trainedFamilies())
        EXPECT_NE(stage.error().message.find(family.name), std::string::npos) << family.name;
}

TEST(Gpt2Stage, everyActivationThatTheEngineNamesBuilds)
{
    ASSERT_FALSE(engineCapabilities().activations.empty());
    for (const std::string& activation : engineCapabilities().activations)
        EXPECT_TRUE(buildStage(tinyModel({ .activation = activation }), 0, 1)) << activation;
}

TEST(Gpt2Stage, whatCannotBeTrainedIsRefusedWithItsValue)
{
    auto model = tinyModel({ .activation = "relu6" });
    EXPECT_NE(buildStage(model, 0, 1).error().message.find("relu6"), std::string::npos);
    model = tinyModel();
    model.seq = 17;
    EXPECT_NE(buildStage(model, 0, 1).error().message.find("17"), std::string::npos);
    EXPECT_FALSE(buildStage(tinyModel(), 0, 1, at::kBFloat16));
    EXPECT_FALSE(buildStage(tinyModel(), 2, 1));
    EXPECT_FALSE(buildStage(tinyModel(), 0, 5));
}
