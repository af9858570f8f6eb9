// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/gpt2_reference.h"

#include <cmath>
#include <numbers>

namespace stageloom::engine::test {

Model tinyModel(const TinyOptions& options)
{
    Model model;
    model.family = "gpt2";
    model.name = "tiny";
    model.config = options.config;
    model.tiedHead = model.shape.tiedHead = options.tied;
    auto& s = model.shape;
    s.hidden = 12;
    s.layers = options.blocks;
    s.heads = s.kvHeads = 3;
    s.headDim = 4;
    s.ffn = 40;
    s.vocab = 29;
    s.maxPositions = 16;
    s.activation = options.activation;
    model.seq = 9;
    const auto add = [&](const std::string& name, LayerKind kind) {
        model.layers.emplace_back();
        model.layers.back().name = name;
        model.layers.back().kind = kind;
    };
    add("embedding", LayerKind::Embedding);
    for (int i = 0; i < options.blocks; ++i)
        add("block " + std::to_string(i), LayerKind::Block);
    add("norm", LayerKind::Norm);
    add("head", LayerKind::Head);
    return model;
}

MicrobatchData tinyData(const Model& model, int batch, int seed, double lossScale)
{
    const auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(seed));
    const auto ids = at::randint(
        0, model.shape.vocab, { batch, model.seq + 1 }, generator, at::TensorOptions(at::kLong));
    MicrobatchData data;
    data.tokens = ids.narrow(1, 0, model.seq).contiguous();
    data.targets = ids.narrow(1, 1, model.seq).contiguous();
    data.lossScale = lossScale;
    return data;
}

at::Tensor tinyWeights(const StageModule& stage, at::ScalarType dtype, std::uint64_t seed)
{
    auto flat = at::zeros({ stage.flatElements() }, dtype);
    initialize(stage, flat, seed);
    const auto views = stage.views(flat);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const auto& name = stage.slots()[i].spec.name;
        const auto key = std::hash<std::string>()(
            stage.slots()[i].spec.tiedTo.empty() ? name : stage.slots()[i].spec.tiedTo);
        const auto noise = at::empty(views[i].sizes(), at::kDouble)
                               .normal_(0, 0.2, at::detail::createCPUGenerator(key));
        at::Tensor(views[i]).add_(noise.to(dtype));
    }
    return flat;
}

namespace {

at::Tensor normalized(
    const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon)
{
    const auto centred = x - x.mean(-1, true);
    const auto variance = (centred * centred).mean(-1, true);
    return centred / (variance + epsilon).sqrt() * weight + bias;
}

at::Tensor gelu(const at::Tensor& x, const std::string& name)
{
    if (name == "gelu")
        return 0.5 * x * (1 + at::erf(x / std::numbers::sqrt2));
    const double factor = std::sqrt(2 / std::numbers::pi);
    return 0.5 * x * (1 + at::tanh(factor * (x + 0.044715 * x * x * x)));
}

at::Tensor attended(const Model& model, const at::Tensor& qkv, int block)
{
    const auto& s = model.shape;
    const auto parts = qkv.chunk(3, -1);
    std::vector<at::Tensor> heads;
    double scale = 1 / std::sqrt(static_cast<double>(s.headDim));
    if (model.config.value("scale_attn_by_inverse_layer_idx", false))
        scale /= block + 1;
    const auto later = at::ones({ qkv.size(1), qkv.size(1) }, at::kBool).triu(1);
    for (std::int64_t h = 0; h < s.heads; ++h) {
        const auto of
            = [&](int i) { return parts[std::size_t(i)].narrow(-1, h * s.headDim, s.headDim); };
        const auto scores = at::matmul(of(0), of(1).transpose(1, 2)) * scale;
        heads.push_back(at::matmul(at::softmax(scores.masked_fill(later, -INFINITY), -1), of(2)));
    }
    return at::cat(heads, -1);
}

} // namespace

Reference referenceGpt2(
    const Model& model, std::map<std::string, at::Tensor> weights, const MicrobatchData& data)
{
    for (auto& [name, weight] : weights)
        weight = weight.detach().clone().set_requires_grad(true);
    const auto w = [&](const std::string& name) { return weights.at(name); };
    const double epsilon = model.shape.normEps;
    auto x = w("wte.weight").index({ data.tokens })
        + w("wpe.weight").narrow(0, 0, data.tokens.size(1));
    for (int i = 0; i < model.shape.layers; ++i) {
        const auto p = "h." + std::to_string(i) + ".";
        const auto dense = [&](const at::Tensor& in, const std::string& name) {
            return at::matmul(in, w(p + name + ".weight")) + w(p + name + ".bias");
        };
        const auto n1 = normalized(x, w(p + "ln_1.weight"), w(p + "ln_1.bias"), epsilon);
        x = x + dense(attended(model, dense(n1, "attn.c_attn"), i), "attn.c_proj");
        const auto n2 = normalized(x, w(p + "ln_2.weight"), w(p + "ln_2.bias"), epsilon);
        x = x + dense(gelu(dense(n2, "mlp.c_fc"), model.shape.activation), "mlp.c_proj");
    }
    x = normalized(x, w("ln_f.weight"), w("ln_f.bias"), epsilon);
    const auto head = weights.contains("lm_head.weight") ? w("lm_head.weight") : w("wte.weight");
    const auto logits = at::matmul(x, head.t());
    const auto picked = logits.gather(2, data.targets.unsqueeze(2)).squeeze(2);
    const auto loss = (at::logsumexp(logits, 2) - picked).mean();
    std::vector<at::Tensor> leaves;
    for (const auto& [name, weight] : weights)
        leaves.push_back(weight);
    const auto gradients = torch::autograd::grad({ loss * data.lossScale }, leaves);
    Reference result;
    result.loss = loss.item<double>();
    std::size_t i = 0;
    for (const auto& [name, weight] : weights)
        result.gradients[name] = gradients[i++];
    return result;
}

std::map<std::string, at::Tensor> byName(
    const StageModule& stage, const std::vector<at::Tensor>& views)
{
    std::map<std::string, at::Tensor> result;
    for (std::size_t i = 0; i < views.size(); ++i)
        result[stage.slots()[i].spec.name] = views[i];
    return result;
}

double largestDifference(const at::Tensor& a, const at::Tensor& b)
{
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

} // namespace stageloom::engine::test
