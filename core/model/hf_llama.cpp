// SPDX-License-Identifier: Apache-2.0
// llama, mistral, qwen2 and qwen3: rotary positions, RMS norms, a gated MLP, grouped queries.
#include "core/model/architecture.h"

namespace stageloom {

namespace {

// What Hugging Face's config classes take where a file says nothing.
constexpr std::int64_t kMistralKvHeads = 8, kQwenKvHeads = 32, kMistralWindow = 4096,
                       kQwen3HeadDim = 128;

std::int64_t defaultKvHeads(const std::string& family, std::int64_t heads)
{
    const std::int64_t stated = family == "mistral" ? kMistralKvHeads
        : family == "llama"                         ? heads
                                                    : kQwenKvHeads;
    return heads % stated == 0 ? stated : heads; // a default that cannot divide was not meant
}

Status readLlamaSizes(const ConfigReader& config, TransformerShape& shape)
{
    const auto hidden = config.count({ "hidden_size" }, kMostHidden);
    if (!hidden)
        return failure(hidden);
    const auto heads = config.count({ "num_attention_heads" }, kMostHeads);
    if (!heads)
        return failure(heads);
    const auto layers = config.count({ "num_hidden_layers" }, kMostLayers);
    if (!layers)
        return failure(layers);
    const auto ffn = config.count({ "intermediate_size" }, kMostFfn);
    if (!ffn)
        return failure(ffn);
    const auto vocab = config.count({ "vocab_size" }, kMostVocab);
    if (!vocab)
        return failure(vocab);
    const auto positions = config.optionalCount({ "max_position_embeddings" }, kMostPositions);
    if (!positions)
        return failure(positions);
    shape.hidden = *hidden;
    shape.heads = *heads;
    shape.layers = *layers;
    shape.ffn = *ffn;
    shape.vocab = *vocab;
    shape.maxPositions = positions->value_or(0);
    return {};
}

Status readAttention(const ConfigReader& config, Architecture& made)
{
    TransformerShape& shape = made.shape;
    const auto kv = config.optionalCount({ "num_key_value_heads" }, kMostHeads);
    if (!kv)
        return failure(kv);
    shape.kvHeads = kv->value_or(defaultKvHeads(made.family, shape.heads));
    if (!*kv)
        made.notes.push_back(shape.kvHeads == shape.heads
                ? "'num_key_value_heads' is not given: each attention head has its own keys and "
                  "values"
                : fmt::format(
                    "'num_key_value_heads' is not given: {}, the family's default", shape.kvHeads));
    const auto headDim = config.optionalCount({ "head_dim" }, kMostHeadDim);
    if (!headDim)
        return failure(headDim);
    shape.headDim = headDim->value_or(0);
    if (!*headDim && made.family == "qwen3") {
        shape.headDim = kQwen3HeadDim;
        made.notes.push_back(
            fmt::format("'head_dim' is not given: {}, the family's default", kQwen3HeadDim));
    }
    return checkHeads(config, shape, "hidden_size", "num_attention_heads");
}

// qwen2 always has biases on q, k and v; the others say so with a key.
Status readBiases(const ConfigReader& config, Architecture& made)
{
    if (made.family == "qwen2") {
        made.qkvBias = true;
        return {};
    }
    if (made.family == "mistral")
        return {};
    const auto attention = config.flag("attention_bias", false);
    if (!attention)
        return failure(attention);
    made.qkvBias = made.outputBias = *attention;
    if (made.family != "llama")
        return {};
    const auto mlp = config.flag("mlp_bias", false);
    if (!mlp)
        return failure(mlp);
    made.mlpBias = *mlp;
    return {};
}

Status readWindow(const ConfigReader& config, Architecture& made)
{
    const auto used = config.flag("use_sliding_window", made.family == "mistral");
    if (!used)
        return failure(used);
    if (made.family == "llama" || !*used)
        return {};
    const auto window = config.optionalCount({ "sliding_window" }, kMostPositions);
    if (!window)
        return failure(window);
    made.slidingWindow = window->value_or(0);
    if (made.family == "mistral" && !config.mentions("sliding_window")) {
        made.slidingWindow = kMistralWindow;
        made.notes.push_back(
            fmt::format("'sliding_window' is not given: {}, the family's default", kMistralWindow));
    }
    return {};
}

} // namespace

Result<Architecture> readLlamaLike(const ConfigReader& config, const std::string& family)
{
    Architecture made;
    made.family = family;
    made.gatedMlp = true;
    made.qkNorm = family == "qwen3";
    if (const Status sizes = readLlamaSizes(config, made.shape); !sizes)
        return failure(sizes);
    for (const auto part : { readAttention, readBiases, readWindow })
        if (const Status done = part(config, made); !done)
            return failure(done);
    const auto tied = config.flag("tie_word_embeddings", false);
    if (!tied)
        return failure(tied);
    const auto eps = config.positive("rms_norm_eps", 1e-6);
    if (!eps)
        return failure(eps);
    auto activation = config.text("hidden_act", "silu");
    if (!activation)
        return failure(activation);
    made.shape.tiedHead = *tied;
    made.shape.normEps = *eps;
    made.shape.activation = std::move(*activation);
    made.counted = *tied ? "language-model head, tied to the embedding" : "language-model head";
    return made;
}

} // namespace stageloom
