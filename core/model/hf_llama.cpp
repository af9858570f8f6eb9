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

Status readLlamaSizes(JsonFields& config, TransformerShape& shape)
{
    const auto count = [&](std::string_view key, std::int64_t most, std::int64_t& value) {
        config.integer(key, value, { 1, most }, Need::Required);
    };
    count("hidden_size", kMostHidden, shape.hidden);
    count("num_attention_heads", kMostHeads, shape.heads);
    count("num_hidden_layers", kMostLayers, shape.layers);
    count("intermediate_size", kMostFfn, shape.ffn);
    count("vocab_size", kMostVocab, shape.vocab);
    config.integer("max_position_embeddings", shape.maxPositions, { 1, kMostPositions });
    return config.status();
}

Status readAttention(JsonFields& config, Architecture& made)
{
    TransformerShape& shape = made.shape;
    shape.kvHeads = defaultKvHeads(made.family, shape.heads);
    if (!config.has("num_key_value_heads"))
        made.notes.push_back(shape.kvHeads == shape.heads
                ? "'num_key_value_heads' is not given: each attention head has its own keys and "
                  "values"
                : fmt::format(
                    "'num_key_value_heads' is not given: {}, the family's default", shape.kvHeads));
    config.integer("num_key_value_heads", shape.kvHeads, { 1, kMostHeads });
    config.integer("head_dim", shape.headDim, { 1, kMostHeadDim });
    if (!config.has("head_dim") && made.family == "qwen3") {
        shape.headDim = kQwen3HeadDim;
        made.notes.push_back(
            fmt::format("'head_dim' is not given: {}, the family's default", kQwen3HeadDim));
    }
    if (!config.status())
        return config.status();
    return checkHeads(config, shape, "hidden_size", "num_attention_heads");
}

// qwen2 always has biases on q, k and v; the others say so with a key.
Status readBiases(JsonFields& config, Architecture& made)
{
    if (made.family == "qwen2")
        made.qkvBias = true;
    if (made.family == "qwen2" || made.family == "mistral")
        return {};
    config.flag("attention_bias", made.qkvBias);
    made.outputBias = made.qkvBias;
    if (made.family == "llama")
        config.flag("mlp_bias", made.mlpBias);
    return config.status();
}

Status readWindow(JsonFields& config, Architecture& made)
{
    bool used = made.family == "mistral";
    config.flag("use_sliding_window", used);
    if (made.family == "llama" || !used)
        return config.status();
    config.integer("sliding_window", made.slidingWindow, { 1, kMostPositions });
    if (made.family == "mistral" && !config.mentions("sliding_window")) { // null says: none
        made.slidingWindow = kMistralWindow;
        made.notes.push_back(
            fmt::format("'sliding_window' is not given: {}, the family's default", kMistralWindow));
    }
    return config.status();
}

} // namespace

Result<Architecture> readLlamaLike(JsonFields& config, const std::string& family)
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
    made.shape.tiedHead = false;
    made.shape.normEps = 1e-6;
    made.shape.activation = "silu";
    if (const Status read = readCommon(config, made.shape, "rms_norm_eps", "hidden_act"); !read)
        return failure(read);
    return made;
}

} // namespace stageloom
