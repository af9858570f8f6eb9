// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/gpt2_reference.h"
#include "engine/optim/weight_versions.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::engine;
using namespace stageloom::engine::test;

namespace {

std::unique_ptr<StageModule> someStage()
{
    return buildStage(tinyModel({ .blocks = 1 }), 2, 2, at::kDouble)
        .value(); // the norm: 24 numbers
}

// Minimises ½λW² with batch t's gradient taken at W(max(t-1, 0)), the rule of 2BW, or at W(t) with
// one buffer. Returns the first weight after every update.
std::vector<double> descend(
    const OptimizerSettings& settings, int buffers, double curvature, int updates)
{
    const auto stage = someStage();
    WeightVersions versions(*stage, buffers, at::kDouble);
    versions.flat(0).fill_(1);
    const auto optimizer = makeOptimizer(settings, *stage, at::kDouble);
    std::vector<double> path;
    for (int t = 0; t < updates; ++t) {
        const int used = buffers == 1 ? t : std::max(t - 1, 0);
        auto gradient = versions.flat(used) * curvature;
        versions.update(*optimizer, gradient, { settings.learningRate, 1 });
        EXPECT_EQ(versions.newest(), t + 1);
        path.push_back(versions.flat(t + 1)[0].item<double>());
    }
    return path;
}

OptimizerSettings sgd(double rate, double momentum)
{
    return {
        .kind = OptimizerKind::Sgd, .learningRate = rate, .momentum = momentum, .weightDecay = 0
    };
}

} // namespace

TEST(WeightVersions, theWorkedExamplesOfOneStaleDescentComeOut)
{
    EXPECT_EQ(
        descend(sgd(0.5, 0), 2, 1, 5), (std::vector<double> { 0.5, 0, -0.25, -0.25, -0.125 }));
    EXPECT_EQ(descend(sgd(0.5, 0.5), 2, 1, 4), (std::vector<double> { 0.75, 0.375, 0, -0.28125 }));
}

TEST(WeightVersions, oneBufferIsPlainDescent)
{
    EXPECT_EQ(
        descend(sgd(0.5, 0), 1, 1, 5), (std::vector<double> { 0.5, 0.25, 0.125, 0.0625, 0.03125 }));
}

// Roots of z² - z + νλ = 0 lie inside the unit circle exactly for νλ < 1 (undelayed: νλ < 2).
TEST(WeightVersions, oneStaleDescentIsStableJustBelowItsBoundAndNotJustAbove)
{
    EXPECT_LT(std::abs(descend(sgd(0.1, 0), 2, 9.5, 1000).back()), 1e-6);
    EXPECT_GT(std::abs(descend(sgd(0.1, 0), 2, 10.5, 1000).back()), 1e6);
    EXPECT_LT(std::abs(descend(sgd(0.1, 0), 1, 10.5, 1000).back()), 1e-6);
}

TEST(WeightVersions, aNewVersionTakesTheBufferOfTheOldest)
{
    const auto stage = someStage();
    WeightVersions versions(*stage, 3, at::kDouble);
    const auto optimizer = makeOptimizer(sgd(1, 0), *stage, at::kDouble);
    auto gradient = at::zeros({ stage->flatElements() }, at::kDouble);
    const auto* first = versions.flat(0).data_ptr();
    for (int t = 0; t < 3; ++t)
        versions.update(*optimizer, gradient, { 1, 1 });
    EXPECT_FALSE(versions.alive(0));
    EXPECT_TRUE(versions.alive(1) && versions.alive(2) && versions.alive(3));
    EXPECT_FALSE(versions.alive(4) || versions.alive(-1));
    EXPECT_EQ(versions.flat(3).data_ptr(), first);
    EXPECT_EQ(versions.weights(3)[0].data_ptr(), first);
}

TEST(WeightVersions, decayActsOnTheVersionBeingUpdated)
{
    const auto model = tinyModel({ .blocks = 1, .tied = false });
    const auto stage = buildStage(model, 3, 3, at::kDouble).value(); // the head: one matrix
    WeightVersions versions(*stage, 2, at::kDouble);
    versions.flat(0).fill_(1);
    const auto optimizer
        = makeOptimizer({ .kind = OptimizerKind::AdamW, .weightDecay = 0.5 }, *stage, at::kDouble);
    auto gradient = at::zeros({ stage->flatElements() }, at::kDouble);
    for (int t = 0; t < 3;
         ++t) // without a gradient only the decay is left: W(t+1) = (1 - 0.1·0.5)·W(t)
        versions.update(*optimizer, gradient, { 0.1, 1 });
    EXPECT_NEAR(versions.weights(3)[0][0][0].item<double>(), 0.95 * 0.95 * 0.95, 1e-15);
}

TEST(WeightVersionsDeathTest, aDeadOrUnmadeVersionStopsTheProgram)
{
    const auto stage = someStage();
    WeightVersions versions(*stage, 2, at::kDouble);
    EXPECT_DEATH(static_cast<void>(versions.weights(1)), "dead or not made yet");
    const auto optimizer = makeOptimizer(sgd(1, 0), *stage, at::kDouble);
    auto gradient = at::zeros({ stage->flatElements() }, at::kDouble);
    versions.update(*optimizer, gradient, { 1, 1 });
    versions.update(*optimizer, gradient, { 1, 1 });
    EXPECT_DEATH(static_cast<void>(versions.flat(0)), "dead or not made yet");
}
