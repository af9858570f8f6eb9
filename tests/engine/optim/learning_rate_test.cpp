// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/optimizer.h"

#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::engine;

namespace {

OptimizerSettings rate(RateShape shape, int warmup, int decay)
{
    OptimizerSettings settings;
    settings.learningRate = 2;
    settings.shape = shape;
    settings.warmupSteps = warmup;
    settings.decaySteps = decay;
    settings.finalFraction = 0.25;
    return settings;
}

} // namespace

TEST(LearningRate, warmUpRisesInEqualPartsToThePeak)
{
    for (const auto shape : { RateShape::Constant, RateShape::Linear, RateShape::Cosine }) {
        const auto settings = rate(shape, 4, 0);
        EXPECT_DOUBLE_EQ(learningRateAt(settings, 1, 20), 0.5);
        EXPECT_DOUBLE_EQ(learningRateAt(settings, 3, 20), 1.5);
        EXPECT_DOUBLE_EQ(learningRateAt(settings, 4, 20), 2);
    }
}

TEST(LearningRate, decayEndsAtItsLastStepAndStaysThere)
{
    for (const auto shape : { RateShape::Linear, RateShape::Cosine }) {
        EXPECT_DOUBLE_EQ(learningRateAt(rate(shape, 4, 0), 20, 20), 0.5);
        EXPECT_DOUBLE_EQ(learningRateAt(rate(shape, 4, 12), 12, 20), 0.5);
        EXPECT_DOUBLE_EQ(learningRateAt(rate(shape, 4, 12), 17, 20), 0.5);
        EXPECT_DOUBLE_EQ(learningRateAt(rate(shape, 0, 0), 1, 20), 2)
            << "the peak, without warm-up";
        EXPECT_DOUBLE_EQ(learningRateAt(rate(shape, 4, 12), 8, 20), 1.25) << "half way";
    }
    EXPECT_DOUBLE_EQ(learningRateAt(rate(RateShape::Linear, 4, 12), 6, 20), 1.625);
    EXPECT_NEAR(
        learningRateAt(rate(RateShape::Cosine, 4, 12), 6, 20), 0.5 + 1.5 * 0.853553390593, 1e-11);
    EXPECT_DOUBLE_EQ(learningRateAt(rate(RateShape::Constant, 0, 0), 20, 20), 2);
}

TEST(LearningRate, aRunShorterThanItsWarmUpNeverPassesThePeak)
{
    for (int step = 1; step <= 3; ++step)
        EXPECT_DOUBLE_EQ(learningRateAt(rate(RateShape::Cosine, 10, 0), step, 3), 0.2 * step);
}
