// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/gpt2.h"

#include <cmath>
#include <fmt/format.h>

namespace stageloom::engine {

namespace {

enum Weight : std::size_t {
    Norm1,
    Norm1Bias,
    Qkv,
    QkvBias,
    Projection,
    ProjectionBias,
    Norm2,
    Norm2Bias,
    Up,
    UpBias,
    Down,
    DownBias,
};

// What the forward keeps, by place in the stash.
enum Kept : std::size_t {
    KInput,
    KMean1,
    KRstd1,
    KNorm1,
    KQkv,
    KAttention,
    KLogSumExp,
    KMiddle,
    KMean2,
    KRstd2,
    KNorm2,
    KUp,
    KActive,
    KCount,
};

// What the input half leaves for the weight half: each product's input and output gradient.
enum Left : std::size_t {
    LNorm1,
    LQuery,
    LKey,
    LValue,
    LAttention,
    LMiddleGrad,
    LNorm2,
    LUpGrad,
    LActive,
    LOutputGrad,
    LNorm1Weight,
    LNorm1Bias,
    LNorm2Weight,
    LNorm2Bias,
    LCount,
};

class Gpt2Block final : public Layer {
public:
    Gpt2Block(const Gpt2Shape& shape, std::int64_t index);
    at::Tensor forward(Tensors weights, const at::Tensor& input, Stash& stash,
        const MicrobatchData& data) const override;
    at::Tensor backwardInput(Tensors weights, const at::Tensor& gradOutput, Stash& stash,
        const MicrobatchData& data) const override;
    void backwardWeight(Tensors gradients, Stash& stash, const MicrobatchData& data) const override;

private:
    // The two halves of the block, each from the gradient of its sum to that of its input.
    at::Tensor backwardMlp(
        Tensors weights, const at::Tensor& gradOutput, Stash& kept, Stash& left) const;
    at::Tensor backwardAttention(Tensors weights, const at::Tensor& gradMiddle, std::int64_t batch,
        Stash& kept, Stash& left) const;

    Gpt2Shape m_shape;
};

Gpt2Block::Gpt2Block(const Gpt2Shape& shape, std::int64_t index)
    : m_shape(shape)
{
    m_name = fmt::format("block {}", index);
    const auto h = shape.hidden, w = shape.attention.width(), f = shape.ffn;
    // The sums of 2L branches keep the variance of one (GPT-2's scaled residual init).
    const double residual = shape.initStd / std::sqrt(2.0 * static_cast<double>(shape.layers));
    const auto matrix = [&](const char* name, std::int64_t in, std::int64_t out, double std) {
        m_parameters.push_back({ fmt::format("h.{}.{}.weight", index, name), { in, out },
            Init::Normal, std, true, "" });
        m_parameters.push_back({ fmt::format("h.{}.{}.bias", index, name), { out } });
    };
    const auto norm = [&](const char* name) {
        m_parameters.push_back({ fmt::format("h.{}.{}.weight", index, name), { h }, Init::Ones });
        m_parameters.push_back({ fmt::format("h.{}.{}.bias", index, name), { h } });
    };
    norm("ln_1");
    matrix("attn.c_attn", h, 3 * w, shape.initStd);
    matrix("attn.c_proj", w, h, residual);
    norm("ln_2");
    matrix("mlp.c_fc", h, f, shape.initStd);
    matrix("mlp.c_proj", f, h, residual);
}

at::Tensor Gpt2Block::forward(
    Tensors weights, const at::Tensor& input, Stash& stash, const MicrobatchData&) const
{
    const BelowAutograd guard;
    const auto x = rowsOf(input);
    const auto norm1 = layerNorm(x, weights[Norm1], weights[Norm1Bias], m_shape.normEpsilon);
    const auto qkv = linear(norm1.output, weights[Qkv], weights[QkvBias]);
    const auto attended = attention(qkv, input.size(0), m_shape.attention);
    auto middle = linear(attended.output, weights[Projection], weights[ProjectionBias]);
    middle.add_(x);
    const auto norm2 = layerNorm(middle, weights[Norm2], weights[Norm2Bias], m_shape.normEpsilon);
    const auto up = linear(norm2.output, weights[Up], weights[UpBias]);
    const auto active = activate(up, m_shape.activation);
    auto output = linear(active, weights[Down], weights[DownBias]);
    output.add_(middle);
    stash = { x, norm1.mean, norm1.rstd, norm1.output, qkv, attended.output, attended.logSumExp,
        middle, norm2.mean, norm2.rstd, norm2.output, up, active };
    return output.view_as(input);
}

at::Tensor Gpt2Block::backwardMlp(
    Tensors weights, const at::Tensor& gradOutput, Stash& kept, Stash& left) const
{
    left[LOutputGrad] = gradOutput;
    left[LActive] = take(kept, KActive);
    left[LNorm2] = take(kept, KNorm2);
    left[LUpGrad] = activateBackward(
        linearBackwardInput(gradOutput, weights[Down]), take(kept, KUp), m_shape.activation);
    auto norm
        = layerNormBackward(linearBackwardInput(left[LUpGrad], weights[Up]), take(kept, KMiddle),
            take(kept, KMean2), take(kept, KRstd2), weights[Norm2], weights[Norm2Bias]);
    left[LNorm2Weight] = std::move(norm.weight);
    left[LNorm2Bias] = std::move(norm.bias);
    return norm.input.add_(gradOutput);
}

at::Tensor Gpt2Block::backwardAttention(Tensors weights, const at::Tensor& gradMiddle,
    std::int64_t batch, Stash& kept, Stash& left) const
{
    left[LMiddleGrad] = gradMiddle;
    const AttentionForward forward { take(kept, KAttention), take(kept, KLogSumExp) };
    auto parts = attentionBackward(linearBackwardInput(gradMiddle, weights[Projection]),
        take(kept, KQkv), forward, batch, m_shape.attention);
    left[LAttention] = forward.output;
    left[LNorm1] = take(kept, KNorm1);
    left[LQuery] = std::move(parts.query);
    left[LKey] = std::move(parts.key);
    left[LValue] = std::move(parts.value);
    // Three products into one sum instead of laying the three gradients side by side.
    const auto transposed = weights[Qkv].t().chunk(3, 0);
    auto gradNorm = at::mm(left[LQuery], transposed[0]);
    gradNorm.addmm_(left[LKey], transposed[1]).addmm_(left[LValue], transposed[2]);
    auto norm = layerNormBackward(gradNorm, take(kept, KInput), take(kept, KMean1),
        take(kept, KRstd1), weights[Norm1], weights[Norm1Bias]);
    left[LNorm1Weight] = std::move(norm.weight);
    left[LNorm1Bias] = std::move(norm.bias);
    return norm.input.add_(gradMiddle);
}

at::Tensor Gpt2Block::backwardInput(
    Tensors weights, const at::Tensor& gradOutput, Stash& stash, const MicrobatchData&) const
{
    const BelowAutograd guard;
    Stash left(LCount);
    const auto gradMiddle = backwardMlp(weights, rowsOf(gradOutput), stash, left);
    auto gradInput = backwardAttention(weights, gradMiddle, gradOutput.size(0), stash, left);
    stash = std::move(left);
    return gradInput.view_as(gradOutput);
}

void Gpt2Block::backwardWeight(Tensors gradients, Stash& stash, const MicrobatchData&) const
{
    const BelowAutograd guard;
    linearBackwardWeight(
        gradients[Down], gradients[DownBias], take(stash, LActive), take(stash, LOutputGrad));
    linearBackwardWeight(
        gradients[Up], gradients[UpBias], take(stash, LNorm2), take(stash, LUpGrad));
    linearBackwardWeight(gradients[Projection], gradients[ProjectionBias], take(stash, LAttention),
        take(stash, LMiddleGrad));
    const auto norm1 = take(stash, LNorm1);
    const auto weightParts = gradients[Qkv].chunk(3, 1);
    const auto biasParts = gradients[QkvBias].chunk(3, 0);
    for (std::size_t i = 0; i < 3; ++i)
        linearBackwardWeight(weightParts[i], biasParts[i], norm1, take(stash, LQuery + i));
    for (const auto& [to, from] : { std::pair { Norm1, LNorm1Weight }, { Norm1Bias, LNorm1Bias },
             { Norm2, LNorm2Weight }, { Norm2Bias, LNorm2Bias } })
        at::Tensor(gradients[to]).add_(stash[from]);
    stash.clear();
}

} // namespace

std::unique_ptr<Layer> makeGpt2Block(const Gpt2Shape& shape, std::int64_t index)
{
    return std::make_unique<Gpt2Block>(shape, index);
}

} // namespace stageloom::engine
