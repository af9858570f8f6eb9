// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/meters.h"

#include <cmath>
#include <gtest/gtest.h>

using stageloom::engine::RateMeter;

// Three batches in one second: the second and the third were in the pipeline together and end one
// microsecond apart.
TEST(RateMeter, batchesThatEndTogetherMakeNoImpossibleRate)
{
    RateMeter meter(256);
    meter.add(0.6);
    EXPECT_DOUBLE_EQ(meter.mean(), 256 / 0.6);
    meter.add(0.999999);
    meter.add(1.0);
    EXPECT_DOUBLE_EQ(meter.mean(), 3 * 256 / 1.0);
    EXPECT_DOUBLE_EQ(meter.recent(), 3 * 256 / 1.0);
}

TEST(RateMeter, aLongRunLeavesTheFillingOut)
{
    RateMeter meter(100);
    // The first batch takes ten seconds, all others one.
    for (int batch = 0; batch < 1000; ++batch)
        meter.add(10 + batch);
    EXPECT_DOUBLE_EQ(meter.mean(), 100);
    EXPECT_DOUBLE_EQ(meter.recent(), 100);
}

// Whatever the number of steps, a rate is never above the tokens over the time they really took
// by more than what the filling costs.
TEST(RateMeter, pairsThatEndTogetherShiftTheRateOfNoLengthOfRun)
{
    for (int batches = 1; batches <= 60; ++batches) {
        RateMeter meter(100);
        double end = 0;
        for (int batch = 0; batch < batches; ++batch)
            meter.add(end = 2.0 * (batch / 2 + 1) + (batch % 2) * 1e-6); // a pair every two seconds
        const double real = 100.0 * batches / end;
        EXPECT_GE(meter.mean(), 0.7 * real) << batches;
        EXPECT_LE(meter.mean(), 1.3 * real) << batches;
        EXPECT_LE(meter.recent(), 110) << batches;
    }
}

TEST(RateMeter, withoutTimeThereIsNoRate)
{
    RateMeter meter(100);
    meter.add(0);
    EXPECT_TRUE(std::isnan(meter.mean()));
    EXPECT_TRUE(std::isnan(meter.recent()));
}
