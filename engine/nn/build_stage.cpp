// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/build_stage.h"

#include "core/base/text.h"

#include "engine/capabilities.h"
#include "engine/nn/gpt2.h"

#include <algorithm>
#include <cmath>

namespace stageloom::engine {

namespace {

// A switch of the config; written as null or as another type it counts as its default.
bool flag(const Json& config, const char* key, bool fallback)
{
    const auto it = config.is_object() ? config.find(key) : config.end();
    return it != config.end() && it->is_boolean() ? it->get<bool>() : fallback;
}

double scoreScale(const Model& model, std::int64_t block)
{
    double scale = 1;
    if (flag(model.config, "scale_attn_weights", true))
        scale /= std::sqrt(static_cast<double>(model.shape.headDim));
    if (flag(model.config, "scale_attn_by_inverse_layer_idx", false))
        scale /= static_cast<double>(block + 1);
    return scale;
}

double initStd(const Model& model)
{
    const auto& config = model.config;
    const auto it = config.is_object() ? config.find("initializer_range") : config.end();
    return it != config.end() && it->is_number() ? it->get<double>() : 0.02;
}

Status checkTrains(const Model& model, int first, int last, at::ScalarType dtype)
{
    if (const Status built = buildable(model, engineCapabilities()); !built)
        return built;
    if (dtype != at::kFloat && dtype != at::kDouble)
        return fail(ErrorKind::Unsupported,
            "Training runs in fp32 or fp64, not in {}; choose fp32.", at::toString(dtype));
    if (first < 0 || last < first || last >= static_cast<int>(model.layers.size()))
        return fail(ErrorKind::Invalid,
            "A stage of layers {} to {} does not fit model '{}', which has {} layers.", first, last,
            model.name, model.layers.size());
    return {};
}

Gpt2Shape gpt2Shape(const Model& model)
{
    const auto& s = model.shape;
    Gpt2Shape shape;
    shape.hidden = s.hidden;
    shape.ffn = s.ffn;
    shape.layers = s.layers;
    shape.vocab = s.vocab;
    shape.positions = s.maxPositions;
    shape.attention = { s.heads, s.headDim, 1 };
    shape.activation = *activationOf(s.activation);
    shape.normEpsilon = s.normEps;
    shape.initStd = initStd(model);
    shape.tiedHead = model.tiedHead;
    return shape;
}

// FNV-1a over the name, then mixed with the seed (splitmix64's finish), so that neighbouring seeds
// share nothing.
std::uint64_t streamOf(std::uint64_t seed, const std::string& name)
{
    std::uint64_t hash = fnv1a(name);
    hash += (seed + 1) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

} // namespace

Result<std::unique_ptr<StageModule>> buildStage(
    const Model& model, int firstLayer, int lastLayer, at::ScalarType dtype)
{
    if (auto status = checkTrains(model, firstLayer, lastLayer, dtype); !status)
        return failure(status);
    auto shape = gpt2Shape(model);
    std::vector<std::unique_ptr<Layer>> layers;
    const auto isBlock = [](const auto& layer) { return layer.kind == LayerKind::Block; };
    std::int64_t block
        = std::count_if(model.layers.begin(), model.layers.begin() + firstLayer, isBlock);
    for (int i = firstLayer; i <= lastLayer; ++i) {
        const auto& layer = model.layers[static_cast<std::size_t>(i)];
        switch (layer.kind) {
        case LayerKind::Embedding:
            layers.push_back(makeGpt2Embedding(shape));
            break;
        case LayerKind::Block:
            shape.attention.scale = scoreScale(model, block);
            layers.push_back(makeGpt2Block(shape, block++));
            break;
        case LayerKind::Norm:
            layers.push_back(makeGpt2Norm(shape));
            break;
        case LayerKind::Head:
            layers.push_back(makeGpt2Head(shape));
            break;
        }
    }
    return std::make_unique<StageModule>(std::move(layers));
}

void initialize(const StageModule& stage, const at::Tensor& flat, std::uint64_t seed)
{
    const BelowAutograd guard;
    flat.zero_();
    const auto views = stage.views(flat);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const auto& spec = stage.slots()[i].spec;
        switch (spec.init) {
        case Init::Zeros:
            break;
        case Init::Ones:
            views[i].fill_(1);
            break;
        case Init::Normal: {
            const auto& owner = spec.tiedTo.empty() ? spec.name : spec.tiedTo;
            at::Tensor(views[i]).normal_(
                0, spec.std, at::detail::createCPUGenerator(streamOf(seed, owner)));
        }
        }
    }
}

} // namespace stageloom::engine
