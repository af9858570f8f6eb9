// SPDX-License-Identifier: Apache-2.0
#include "core/plan/two_bw_closed_form.h"

#include <gtest/gtest.h>

namespace stageloom::planners {
namespace {

// The hand-checkable vectors of 2bw.md §3.5.
ClosedForm paperForm(double memory)
{
    ClosedForm f;
    f.blocks = 8;
    f.workers = f.gpusPerServer = 4;
    f.batch = 32;
    f.memory = memory;
    f.weightBytes = 800e6;
    f.totalPerSample = 400e6;
    f.inputPerSample = 10e6;
    f.boundaryPerSample = 15e6;
    f.depthBandwidth = 10e9;
    f.widthHigh = 100e9;
    f.widthLow = 10e9;
    f.microbatchSizes = { 1, 2, 4, 8 };
    f.blockTime = [](int b) {
        return b == 1 ? 3.0e-3 : b == 2 ? 5.2e-3 : b == 4 ? 9.6e-3 : 18.4e-3;
    };
    return f;
}

struct Row {
    int w, d;
    Execution execution;
    int b;
    double memory, milliseconds, rate;
};

TEST(ClosedForm, reproducesThePapersTable)
{
    using enum Execution;
    const Row rows[] { { 1, 4, NoPipeline, 2, 420, 65.6, 30.5 },
        { 1, 4, NoPipeline, 4, 640, 124.8, 32.1 }, { 1, 4, Pipeline, 1, 840, 9.0, 111.1 },
        { 1, 4, Pipeline, 2, 1280, 16.4, 122.0 }, { 1, 4, PipelineRecompute, 1, 540, 11.0, 90.9 },
        { 1, 4, PipelineRecompute, 2, 680, 19.867, 100.7 },
        { 1, 4, PipelineRecompute, 4, 960, 37.6, 106.4 }, { 2, 2, NoPipeline, 2, 820, 53.6, 74.6 },
        { 2, 2, Pipeline, 1, 1220, 15.0, 133.3 }, { 2, 2, PipelineRecompute, 1, 1020, 19.0, 105.3 },
        { 4, 1, NoPipeline, 1, 1210, 24.0, 166.7 } };
    for (const Row& row : rows) {
        const auto got = score(paperForm(1e12), row.w, row.d, row.b, row.execution);
        EXPECT_NEAR(got.memory / 1e6, row.memory, 1e-6);
        EXPECT_NEAR(got.time * 1e3, row.milliseconds, 5e-4);
        EXPECT_NEAR(got.rate, row.rate, 0.05);
    }
}

TEST(ClosedForm, choosesAsThePaperAtEveryMemory)
{
    using enum Execution;
    const std::pair<double, Row> choices[] { { 1.3e9, { 4, 1, NoPipeline, 1, 0, 0, 166.7 } },
        { 1.0e9, { 1, 4, Pipeline, 1, 0, 0, 111.1 } },
        { 0.8e9, { 1, 4, PipelineRecompute, 2, 0, 0, 100.7 } },
        { 0.6e9, { 1, 4, PipelineRecompute, 1, 0, 0, 90.9 } },
        { 0.5e9, { 1, 4, NoPipeline, 2, 0, 0, 30.5 } } };
    for (const auto& [memory, row] : choices) {
        const auto got = choose(paperForm(memory));
        ASSERT_TRUE(got);
        EXPECT_EQ(got->width, row.w) << memory;
        EXPECT_EQ(got->depth, row.d) << memory;
        EXPECT_EQ(got->microbatchSize, row.b) << memory;
        EXPECT_EQ(got->execution, row.execution) << memory;
        EXPECT_NEAR(got->rate, row.rate, 0.05) << memory;
    }
    EXPECT_FALSE(choose(paperForm(1e6)));
}

// 2bw.md §3.4.
TEST(Planner2020, reproducesItsVectorsAndTakesTheSmallestWidthOfATie)
{
    const Planner2020 eight { 24, 8, 16e9, 0.010, 5e7, 2e7, 2e6 };
    ASSERT_TRUE(choose2020(eight));
    EXPECT_EQ(choose2020(eight)->width, 1);
    EXPECT_DOUBLE_EQ(choose2020(eight)->cost, 0.03);
    const double memories[] { 3.12e9, 4.32e9, 6.72e9, 1.152e10 };
    for (int i = 0; i < 4; ++i) {
        EXPECT_DOUBLE_EQ(cost2020(eight, 1 << i, 8 >> i), 0.03);
        EXPECT_DOUBLE_EQ(memory2020(eight, 8 >> i), memories[i]);
    }
    const auto sixteen = choose2020({ 24, 16, 4e9, 0.010, 5e7, 2e7, 2e6 });
    ASSERT_TRUE(sixteen);
    EXPECT_EQ(sixteen->depth, 16);
    EXPECT_DOUBLE_EQ(sixteen->cost, 0.01);
    const auto impossible = choose2020({ 6, 8, 16e9, 0.010, 5e7, 2e7, 2e6 });
    ASSERT_TRUE(impossible);
    EXPECT_EQ(impossible->depth, 8);
    EXPECT_DOUBLE_EQ(impossible->cost, 0.004);
}

} // namespace
} // namespace stageloom::planners
