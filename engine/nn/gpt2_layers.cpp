// SPDX-License-Identifier: Apache-2.0
// What a GPT-2's config.json decides about its layers.
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

} // namespace

std::unique_ptr<Layer> makeGpt2Layer(const Model& model, int index)
{
    Gpt2Shape shape = gpt2Shape(model);
    const auto layer = model.layers.begin() + index;
    switch (layer->kind) {
    case LayerKind::Embedding:
        return makeGpt2Embedding(shape);
    case LayerKind::Block: {
        const std::int64_t block = std::count_if(model.layers.begin(), layer,
            [](const auto& one) { return one.kind == LayerKind::Block; });
        shape.attention.scale = scoreScale(model, block);
        return makeGpt2Block(shape, block);
    }
    case LayerKind::Norm:
        return makeGpt2Norm(shape);
    case LayerKind::Head:
        return makeGpt2Head(shape);
    }
    return {};
}

} // namespace stageloom::engine
