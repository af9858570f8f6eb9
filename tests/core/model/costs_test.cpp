// SPDX-License-Identifier: Apache-2.0
// FLOPs against a count of multiply-adds made by loops, and the published 6·N rule; bytes by hand.
#include "tests/core/model/model_fixtures.h"

using namespace stageloom;
using namespace stageloom::test;

namespace {

// One weight of a matrix product is used once a token: 2 FLOP for each.
double matrixFlops(std::int64_t weights, std::int64_t tokens)
{
    double flops = 0;
    for (std::int64_t t = 0; t < tokens; ++t)
        flops += 2 * double(weights);
    return flops;
}

// Multiply-adds of scores and values when each query sees the keys up to itself, counted pair by
// pair; the diagonal counts half, as "half of the square" does.
double causalFlops(std::int64_t tokens, std::int64_t width, std::int64_t window)
{
    double pairs = 0;
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = 0; key <= query; ++key)
            if (query - key < window)
                pairs += key == query ? 0.5 : 1.0;
    return 2 * 2 * pairs * double(width);
}

} // namespace

TEST(ModelCosts, gpt2BlockFlopsAreItsMultiplyAdds)
{
    const auto model = made(smallGpt2(), 16);
    ASSERT_TRUE(model);
    EXPECT_DOUBLE_EQ(
        model->layers[1].forwardFlops, matrixFlops(12 * 24 * 24, 16) + causalFlops(16, 24, 16));
    EXPECT_DOUBLE_EQ(model->layers.back().forwardFlops, matrixFlops(100 * 24, 16));
    EXPECT_EQ(model->layers[0].forwardFlops, 0);
}

TEST(ModelCosts, groupedQueriesAndHeadSizeCount)
{
    const auto model = made(smallLlama("qwen3"), 16);
    ASSERT_TRUE(model);
    const std::int64_t weights = 24 * 40 * 2 + 24 * 20 * 2 + 3 * 24 * 40;
    EXPECT_DOUBLE_EQ(
        model->layers[1].forwardFlops, matrixFlops(weights, 16) + causalFlops(16, 40, 16));
}

TEST(ModelCosts, slidingWindowBoundsAttention)
{
    const auto model = made(with(smallLlama("mistral"), "sliding_window", 8), 32);
    ASSERT_TRUE(model);
    const std::int64_t weights = 24 * 40 * 2 + 24 * 20 * 2 + 3 * 24 * 40;
    // Up to half a key a query: where a window's edge falls.
    const double edge = 2 * 2 * 0.5 * 32 * 40;
    EXPECT_NEAR(
        model->layers[1].forwardFlops, matrixFlops(weights, 32) + causalFlops(32, 40, 8), edge);
}

TEST(ModelCosts, anEncoderAttendsTheWholeSquare)
{
    const auto model = made(smallBert("BertForMaskedLM"), 16);
    ASSERT_TRUE(model);
    const double attention
        = model->layers[1].forwardFlops - matrixFlops(4 * 24 * 24 + 2 * 24 * 40, 16);
    EXPECT_DOUBLE_EQ(attention, 2.0 * 2 * 16 * 16 * 24);
}

TEST(ModelCosts, aModelTakesAboutTwoFlopsAParameterAndToken)
{
    const auto model = readModel("preset:gpt2-xl", ModelOptions { 128, Dtype::Fp32 });
    ASSERT_TRUE(model);
    double flops = 0;
    for (const Layer& layer : model->layers)
        flops += layer.forwardFlops;
    EXPECT_NEAR(flops / (2.0 * double(model->parameters) * 128), 1.0, 0.01);
}

TEST(ModelCosts, gpt2BlockKeepsSixteenHiddenAndItsStatistics)
{
    const auto model = made(smallGpt2(), 16, Dtype::Bf16);
    ASSERT_TRUE(model);
    // input, norm, q, k, v, attention, residual, norm, 4 before and 4 after the activation
    const double values = 16 * 24 * 2, statistics = (2 + 2 + 4) * 4;
    EXPECT_DOUBLE_EQ(model->layers[1].stashBytes, 16 * (values + statistics));
    EXPECT_DOUBLE_EQ(model->layers[1].outputBytes, 16 * 24 * 2);
    EXPECT_DOUBLE_EQ(model->layers[0].stashBytes, 16 * 8);
    EXPECT_DOUBLE_EQ(model->layers.back().stashBytes, 16 * (24 + 100) * 2);
}

TEST(ModelCosts, bytesFollowTheDtypeAndTheLength)
{
    const auto full = made(smallLlama(), 32, Dtype::Fp32);
    const auto half = made(smallLlama(), 32, Dtype::Fp16);
    const auto shorter = made(smallLlama(), 16, Dtype::Fp32);
    for (std::size_t i = 0; i < full->layers.size(); ++i) {
        EXPECT_DOUBLE_EQ(full->layers[i].outputBytes, 2 * half->layers[i].outputBytes);
        EXPECT_DOUBLE_EQ(full->layers[i].stashBytes, 2 * shorter->layers[i].stashBytes);
    }
}
