// SPDX-License-Identifier: Apache-2.0
#include "core/model/architecture.h"

namespace stageloom {

namespace {

Status readGpt2Sizes(const ConfigReader& config, TransformerShape& shape)
{
    const auto hidden = config.count({ "n_embd", "hidden_size" }, kMostHidden);
    if (!hidden)
        return failure(hidden);
    const auto heads = config.count({ "n_head", "num_attention_heads" }, kMostHeads);
    if (!heads)
        return failure(heads);
    const auto layers = config.count({ "n_layer", "num_hidden_layers" }, kMostLayers);
    if (!layers)
        return failure(layers);
    const auto positions
        = config.count({ "n_positions", "n_ctx", "max_position_embeddings" }, kMostPositions);
    if (!positions)
        return failure(positions);
    const auto vocab = config.count({ "vocab_size" }, kMostVocab);
    if (!vocab)
        return failure(vocab);
    const auto ffn = config.optionalCount({ "n_inner" }, kMostFfn);
    if (!ffn)
        return failure(ffn);
    shape.hidden = *hidden;
    shape.heads = shape.kvHeads = *heads;
    shape.layers = *layers;
    shape.maxPositions = *positions;
    shape.vocab = *vocab;
    shape.ffn = ffn->value_or(4 * *hidden);
    return {};
}

} // namespace

Result<Architecture> readGpt2(const ConfigReader& config)
{
    Architecture made;
    made.family = "gpt2";
    if (const Status sizes = readGpt2Sizes(config, made.shape); !sizes)
        return failure(sizes);
    if (const Status heads = checkHeads(config, made.shape, "n_embd", "n_head"); !heads)
        return failure(heads);
    if (const Status alone = refuseCrossAttention(config); !alone)
        return failure(alone);
    const auto tied = config.flag("tie_word_embeddings", true);
    if (!tied)
        return failure(tied);
    const auto eps = config.positive("layer_norm_epsilon", 1e-5);
    if (!eps)
        return failure(eps);
    auto activation = config.text("activation_function", "gelu_new");
    if (!activation)
        return failure(activation);
    made.shape.tiedHead = *tied;
    made.shape.normEps = *eps;
    made.shape.activation = std::move(*activation);
    made.positionRows = made.shape.maxPositions;
    made.layerNorm = made.qkvBias = made.outputBias = made.mlpBias = true;
    made.counted = *tied ? "language-model head, tied to the embedding" : "language-model head";
    return made;
}

} // namespace stageloom
