// SPDX-License-Identifier: Apache-2.0
#include "core/model/model.h"
#include "core/base/check.h"

namespace stageloom {

std::string toString(LayerKind kind)
{
    switch (kind) {
    case LayerKind::Embedding:
        return "embedding";
    case LayerKind::Block:
        return "block";
    case LayerKind::Norm:
        return "norm";
    case LayerKind::Head:
        return "head";
    }
    STAGELOOM_CHECK(false, "a layer kind without a name");
}

std::string toString(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Fp32:
        return "fp32";
    case Dtype::Bf16:
        return "bf16";
    case Dtype::Fp16:
        return "fp16";
    }
    STAGELOOM_CHECK(false, "a dtype without a name");
}

Result<Dtype> parseDtype(const std::string& text)
{
    for (const Dtype dtype : { Dtype::Fp32, Dtype::Bf16, Dtype::Fp16 })
        if (text == toString(dtype))
            return dtype;
    return fail(ErrorKind::Invalid, "'{}' is no dtype; choose fp32, bf16 or fp16", text);
}

int bytesOf(Dtype dtype)
{
    return dtype == Dtype::Fp32 ? 4 : 2;
}

namespace {

Json toJson(const Layer& layer)
{
    Json json { { "name", layer.name }, { "kind", toString(layer.kind) },
        { "parameters", layer.parameters }, { "active_parameters", layer.activeParameters },
        { "forward_flops", layer.forwardFlops }, { "output_bytes", layer.outputBytes },
        { "stash_bytes", layer.stashBytes } };
    json["tied_to"] = layer.tiedTo.empty() ? Json() : Json(layer.tiedTo);
    json["tied_parameters"] = layer.tiedParameters;
    return json;
}

Json toJson(const TransformerShape& shape)
{
    return { { "hidden", shape.hidden }, { "layers", shape.layers }, { "heads", shape.heads },
        { "kv_heads", shape.kvHeads }, { "head_dim", shape.headDim }, { "ffn", shape.ffn },
        { "vocab", shape.vocab },
        { "max_positions", shape.maxPositions > 0 ? Json(shape.maxPositions) : Json() },
        { "causal", shape.causal }, { "norm_eps", shape.normEps },
        { "activation", shape.activation } };
}

} // namespace

Json toJson(const Model& model)
{
    Json json { { "name", model.name }, { "family", model.family },
        { "parameters", model.parameters }, { "active_parameters", model.activeParameters },
        { "tied_head", model.tiedHead }, { "counted", model.counted }, { "seq", model.seq },
        { "dtype", toString(model.dtype) }, { "shape", toJson(model.shape) } };
    json["notes"] = model.notes;
    json["layers"] = Json::array();
    for (const Layer& layer : model.layers)
        json["layers"].push_back(toJson(layer));
    return json;
}

} // namespace stageloom
