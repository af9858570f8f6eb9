// SPDX-License-Identifier: Apache-2.0
// A layer's parameters, FLOPs and bytes: the sums over its operators, which operators.cpp counts.
#include "core/model/architecture.h"
#include "core/model/operators.h"

namespace stageloom {

namespace {

Layer layerOf(const Architecture& a, LayerKind kind, std::int64_t seq, Dtype dtype)
{
    Layer layer;
    layer.name = toString(kind);
    layer.kind = kind;
    for (const Operator& part : operatorsOf(a, kind, seq, dtype)) {
        layer.parameters += part.parameters;
        layer.tiedParameters += part.tiedParameters;
        layer.forwardFlops += part.forwardFlops;
        layer.stashBytes += part.stashBytes;
        layer.outputBytes = part.outputBytes; // the last one's goes on
    }
    layer.activeParameters = layer.parameters; // no family here routes tokens to experts
    if (layer.tiedParameters > 0)
        layer.tiedTo = toString(LayerKind::Embedding);
    return layer;
}

} // namespace

std::vector<Layer> layersOf(const Architecture& a, std::int64_t seq, Dtype dtype)
{
    std::vector<Layer> layers { layerOf(a, LayerKind::Embedding, seq, dtype) };
    Layer block = layerOf(a, LayerKind::Block, seq, dtype);
    for (std::int64_t i = 0; i < a.shape.layers; ++i) {
        block.name = fmt::format("block {}", i);
        layers.push_back(block);
    }
    if (a.finalNorm)
        layers.push_back(layerOf(a, LayerKind::Norm, seq, dtype));
    layers.push_back(layerOf(a, LayerKind::Head, seq, dtype));
    return layers;
}

} // namespace stageloom
