// SPDX-License-Identifier: Apache-2.0
#include "core/model/architecture.h"

namespace stageloom {

namespace {

Status readGpt2Sizes(JsonFields& config, TransformerShape& shape)
{
    const auto count = [&](std::initializer_list<std::string_view> spellings, std::int64_t most,
                           std::int64_t& value) {
        config.integer(config.spelling(spellings), value, { 1, most }, Need::Required);
    };
    count({ "n_embd", "hidden_size" }, kMostHidden, shape.hidden);
    count({ "n_head", "num_attention_heads" }, kMostHeads, shape.heads);
    count({ "n_layer", "num_hidden_layers" }, kMostLayers, shape.layers);
    count(
        { "n_positions", "n_ctx", "max_position_embeddings" }, kMostPositions, shape.maxPositions);
    count({ "vocab_size" }, kMostVocab, shape.vocab);
    shape.ffn = 4 * shape.hidden;
    config.integer("n_inner", shape.ffn, { 1, kMostFfn });
    shape.kvHeads = shape.heads;
    return config.status();
}

} // namespace

Result<Architecture> readGpt2(JsonFields& config)
{
    Architecture made;
    if (const Status sizes = readGpt2Sizes(config, made.shape); !sizes)
        return failure(sizes);
    if (const Status heads = checkHeads(config, made.shape, "n_embd", "n_head"); !heads)
        return failure(heads);
    if (const Status alone = refuseCrossAttention(config); !alone)
        return failure(alone);
    made.shape.tiedHead = true;
    made.shape.normEps = 1e-5;
    made.shape.activation = "gelu_new";
    if (const Status read
        = readCommon(config, made.shape, "layer_norm_epsilon", "activation_function");
        !read)
        return failure(read);
    made.naming = WeightNaming::Gpt2;
    made.positionRows = made.shape.maxPositions;
    made.layerNorm = made.qkvBias = made.outputBias = made.mlpBias = true;
    return made;
}

} // namespace stageloom
