// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/scatter_rows.h"
#include "engine/nn/gpt2.h"

namespace stageloom::engine {

namespace {

class Gpt2Embedding final : public Layer {
public:
    explicit Gpt2Embedding(const Gpt2Shape& shape)
    {
        m_name = "embedding";
        m_parameters = { { "wte.weight", { shape.vocab, shape.hidden }, Init::Normal, shape.initStd,
                             true, "" },
            { "wpe.weight", { shape.positions, shape.hidden }, Init::Normal, shape.initStd, true,
                "" } };
    }

    at::Tensor forward(
        Tensors weights, const at::Tensor&, Stash& stash, const MicrobatchData& data) const override
    {
        const BelowAutograd guard;
        stash.clear();
        return at::embedding(weights[0], data.tokens)
            .add_(weights[1].narrow(0, 0, data.tokens.size(1)));
    }

    at::Tensor backwardInput(
        Tensors, const at::Tensor& gradOutput, Stash& stash, const MicrobatchData&) const override
    {
        stash = { gradOutput };
        return {};
    }

    void backwardWeight(Tensors gradients, Stash& stash, const MicrobatchData& data) const override
    {
        const BelowAutograd guard;
        const auto gradient = take(stash, 0).contiguous();
        const auto tokens = data.tokens.contiguous();
        const auto add = [&](auto* table) {
            using T = std::remove_pointer_t<decltype(table)>;
            addRows(table, tokens.const_data_ptr<std::int64_t>(), gradient.const_data_ptr<T>(),
                tokens.numel(), gradient.size(-1));
        };
        if (gradient.scalar_type() == at::kDouble)
            add(gradients[0].mutable_data_ptr<double>());
        else
            add(gradients[0].mutable_data_ptr<float>());
        auto positions = gradients[1].narrow(0, 0, tokens.size(1));
        for (std::int64_t sample = 0; sample < tokens.size(0); ++sample)
            positions.add_(gradient[sample]);
        stash.clear();
    }
};

class Gpt2Norm final : public Layer {
public:
    explicit Gpt2Norm(const Gpt2Shape& shape)
        : m_epsilon(shape.normEpsilon)
    {
        m_name = "norm";
        m_parameters = { { "ln_f.weight", { shape.hidden }, Init::Ones },
            { "ln_f.bias", { shape.hidden } } };
    }

    at::Tensor forward(Tensors weights, const at::Tensor& input, Stash& stash,
        const MicrobatchData&) const override
    {
        const BelowAutograd guard;
        auto x = rowsOf(input);
        auto norm = layerNorm(x, weights[0], weights[1], m_epsilon);
        stash = { std::move(x), std::move(norm.mean), std::move(norm.rstd) };
        return norm.output.view_as(input);
    }

    at::Tensor backwardInput(Tensors weights, const at::Tensor& gradOutput, Stash& stash,
        const MicrobatchData&) const override
    {
        const BelowAutograd guard;
        auto norm = layerNormBackward(
            rowsOf(gradOutput), stash[0], stash[1], stash[2], weights[0], weights[1]);
        stash = { std::move(norm.weight), std::move(norm.bias) };
        return norm.input.view_as(gradOutput);
    }

    void backwardWeight(Tensors gradients, Stash& stash, const MicrobatchData&) const override
    {
        const BelowAutograd guard;
        at::Tensor(gradients[0]).add_(stash[0]);
        at::Tensor(gradients[1]).add_(stash[1]);
        stash.clear();
    }

private:
    double m_epsilon;
};

// logits = x·Wᵀ, loss = mean over rows of -log softmax(logits)[target]. One [rows, vocab] tensor
// holds logits, then log-probabilities, then the gradient softmax - onehot; its factor
// lossScale/rows goes into the products.
class Gpt2Head final : public Layer {
public:
    explicit Gpt2Head(const Gpt2Shape& shape)
    {
        m_name = "head";
        m_parameters = { { "lm_head.weight", { shape.vocab, shape.hidden }, Init::Normal,
            shape.initStd, true, shape.tiedHead ? "wte.weight" : "" } };
    }

    at::Tensor forward(Tensors weights, const at::Tensor& input, Stash& stash,
        const MicrobatchData& data) const override
    {
        const BelowAutograd guard;
        auto x = rowsOf(input);
        auto logits = at::mm(x, weights[0].t());
        at::_log_softmax_out(logits, logits, 1, false);
        auto loss = logits.gather(1, column(data)).mean().neg_();
        stash = { std::move(x), std::move(logits) };
        return loss;
    }

    at::Tensor backwardInput(
        Tensors weights, const at::Tensor&, Stash& stash, const MicrobatchData& data) const override
    {
        const BelowAutograd guard;
        auto& gradient = stash[1].exp_();
        const auto target = column(data);
        gradient.scatter_add_(1, target, at::full(target.sizes(), -1, gradient.options()));
        return at::addmm(stash[0], gradient, weights[0], 0, factor(data))
            .view({ data.targets.size(0), data.targets.size(1), -1 });
    }

    void backwardWeight(Tensors gradients, Stash& stash, const MicrobatchData& data) const override
    {
        const BelowAutograd guard;
        at::Tensor(gradients[0]).addmm_(stash[1].t(), stash[0], 1, factor(data));
        stash.clear();
    }

private:
    static at::Tensor column(const MicrobatchData& data) { return data.targets.reshape({ -1, 1 }); }
    static double factor(const MicrobatchData& data)
    {
        return data.lossScale / static_cast<double>(data.targets.numel());
    }
};

} // namespace

std::unique_ptr<Layer> makeGpt2Embedding(const Gpt2Shape& shape)
{
    return std::make_unique<Gpt2Embedding>(shape);
}

std::unique_ptr<Layer> makeGpt2Norm(const Gpt2Shape& shape)
{
    return std::make_unique<Gpt2Norm>(shape);
}

std::unique_ptr<Layer> makeGpt2Head(const Gpt2Shape& shape)
{
    return std::make_unique<Gpt2Head>(shape);
}

} // namespace stageloom::engine
