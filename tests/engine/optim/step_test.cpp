// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/gpt2_reference.h"
#include "engine/optim/grad_norm.h"
#include "engine/optim/optimizer.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::engine;
using namespace stageloom::engine::test;

namespace {

// The textbook rules, one number at a time, in double.
struct Scalar {
    double first = 0, second = 0;
    double step(const OptimizerSettings& o, double w, double g, bool matrix, int t, double rate)
    {
        if (matrix && o.kind == OptimizerKind::Adam)
            g += o.weightDecay * w; // L2, as in torch.optim.Adam
        const bool decays = matrix && o.kind != OptimizerKind::Adam;
        const double decayed = decays ? w - rate * o.weightDecay * w : w;
        if (o.kind == OptimizerKind::Sgd) {
            first = o.momentum * first + (1 - o.momentum) * g;
            return decayed - rate * first;
        }
        first = o.beta1 * first + (1 - o.beta1) * g;
        second = o.beta2 * second + (1 - o.beta2) * g * g;
        const double mean = first / (1 - std::pow(o.beta1, t));
        const double square = second / (1 - std::pow(o.beta2, t));
        return decayed - rate * mean / (std::sqrt(square) + o.epsilon);
    }
};

// Six updates, every other one into a second buffer, against the scalar rule at every element.
void expectTextbook(const OptimizerSettings& settings, at::ScalarType dtype, double tolerance)
{
    const auto model = tinyModel({ .blocks = 1 });
    const auto stage = buildStage(model, 0, 3, dtype).value();
    const auto optimizer = makeOptimizer(settings, *stage, dtype);
    std::array<at::Tensor, 2> buffers { tinyWeights(*stage, dtype),
        at::full({ stage->flatElements() }, 9, dtype) };
    auto expected = buffers[0].to(at::kDouble).clone();
    std::vector<Scalar> scalars(static_cast<std::size_t>(stage->flatElements()));
    for (int t = 1; t <= 6; ++t) {
        auto gradient = at::zeros({ stage->flatElements() }, dtype);
        for (auto& view : stage->views(gradient))
            view.normal_(0, 1, at::detail::createCPUGenerator(std::uint64_t(t)));
        const auto given = gradient.to(at::kDouble).clone();
        const UpdateInput input { 0.01 * t, 0.5 };
        const bool inPlace = t % 3 == 0;
        optimizer->step(buffers[inPlace ? 0 : 1], buffers[0], gradient, input);
        if (!inPlace)
            std::swap(buffers[0], buffers[1]);
        EXPECT_EQ(gradient.abs().max().item<double>(), 0);
        auto* w = expected.mutable_data_ptr<double>();
        for (const auto& slot : stage->slots())
            for (auto i = slot.offset; i < slot.offset + slot.spec.elements(); ++i)
                w[i] = scalars[std::size_t(i)].step(settings, w[i], 0.5 * given[i].item<double>(),
                    slot.spec.decay, t, input.learningRate);
    }
    for (const auto& slot : stage->slots())
        EXPECT_LT(largestDifference(buffers[0].narrow(0, slot.offset, slot.spec.elements()),
                      expected.narrow(0, slot.offset, slot.spec.elements())),
            tolerance)
            << slot.spec.name;
}

} // namespace

TEST(OptimizerStep, everyRuleEqualsItsTextbookInDouble)
{
    for (const auto kind : { OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW })
        expectTextbook({ .kind = kind }, at::kDouble, 1e-14);
    expectTextbook({ .kind = OptimizerKind::Sgd, .momentum = 0 }, at::kDouble, 1e-14);
    expectTextbook({ .kind = OptimizerKind::Adam, .weightDecay = 0 }, at::kDouble, 1e-14);
}

TEST(OptimizerStep, everyRuleEqualsItsTextbookInFloat)
{
    for (const auto kind : { OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW })
        expectTextbook({ .kind = kind }, at::kFloat, 2e-6);
}

TEST(OptimizerStep, stateIsOneSetAndNoneForPlainSgd)
{
    const auto stage = buildStage(tinyModel(), 1, 1).value();
    const auto count = [&](const OptimizerSettings& settings) {
        return makeOptimizer(settings, *stage)->state().size();
    };
    EXPECT_EQ(count({ .kind = OptimizerKind::Sgd, .momentum = 0 }), 0u);
    EXPECT_EQ(count({ .kind = OptimizerKind::Sgd }), 1u);
    EXPECT_EQ(count({ .kind = OptimizerKind::AdamW }), 2u);
}

TEST(GradNorm, isTheSumOfSquaresOfTheRange)
{
    for (const auto dtype : { at::kFloat, at::kDouble })
        for (const std::int64_t length : { 0, 1, 31, 32, 100, 5000 }) {
            const auto flat = at::randn({ 5003 }, dtype);
            const auto expected
                = flat.narrow(0, 2, length).to(at::kDouble).square().sum().item<double>();
            EXPECT_NEAR(squaredNorm(flat, 2, 2 + length), expected, 1e-11 * (1 + expected));
        }
}

TEST(GradNorm, aCopyOfATiedMatrixDoesNotCount)
{
    const auto model = tinyModel({ .blocks = 1 });
    const auto stage = buildStage(model, 2, 3).value(); // norm and head
    auto flat = at::zeros({ stage->flatElements() });
    for (auto& view : stage->views(flat))
        view.fill_(2);
    EXPECT_EQ(squaredNormOfOwned(*stage, flat), 2 * 12 * 4);
}

TEST(GradNorm, clippingBringsTheNormDownToTheBoundAndNeverUp)
{
    EXPECT_DOUBLE_EQ(clipFactor(16, 1), 0.25);
    EXPECT_EQ(clipFactor(0.5, 1), 1);
    EXPECT_EQ(clipFactor(16, 0), 1);
}
