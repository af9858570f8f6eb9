// SPDX-License-Identifier: Apache-2.0
// llama, mistral, qwen2 and qwen3: rotary positions, RMS norms, a gated MLP, grouped queries.
#include "core/model/architecture.h"

namespace stageloom {

namespace {

// What tells these families apart: Hugging Face's config classes have other defaults, and read
// other keys.
struct LlamaVariant {
    // Where the file says nothing. 0: as many as heads, hidden / heads, none.
    std::int64_t kvHeads = 0, headDim = 0, window = 0;
    // 'sliding_window' means something; without a default only where 'use_sliding_window' says so.
    bool slides = true;
    bool qkNorm = false;
    bool qkvBias = false; // always
    bool biasKey = false, mlpBiasKey = false; // 'attention_bias' and 'mlp_bias' are read
};

std::int64_t defaultKvHeads(const LlamaVariant& variant, std::int64_t heads)
{
    // A default that cannot divide was not meant.
    return variant.kvHeads > 0 && heads % variant.kvHeads == 0 ? variant.kvHeads : heads;
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

Status readAttention(JsonFields& config, const LlamaVariant& variant, Architecture& made)
{
    TransformerShape& shape = made.shape;
    shape.kvHeads = defaultKvHeads(variant, shape.heads);
    if (!config.has("num_key_value_heads"))
        made.notes.push_back(shape.kvHeads == shape.heads
                ? "'num_key_value_heads' is not given: each attention head has its own keys and "
                  "values"
                : fmt::format(
                    "'num_key_value_heads' is not given: {}, the family's default", shape.kvHeads));
    config.integer("num_key_value_heads", shape.kvHeads, { 1, kMostHeads });
    config.integer("head_dim", shape.headDim, { 1, kMostHeadDim });
    if (!config.has("head_dim") && variant.headDim > 0) {
        shape.headDim = variant.headDim;
        made.notes.push_back(
            fmt::format("'head_dim' is not given: {}, the family's default", variant.headDim));
    }
    if (!config.status())
        return config.status();
    return checkHeads(config, shape, "hidden_size", "num_attention_heads");
}

Status readBiases(JsonFields& config, const LlamaVariant& variant, Architecture& made)
{
    made.qkvBias = variant.qkvBias;
    if (variant.biasKey) {
        config.flag("attention_bias", made.qkvBias);
        made.outputBias = made.qkvBias;
    }
    if (variant.mlpBiasKey)
        config.flag("mlp_bias", made.mlpBias);
    return config.status();
}

Status readWindow(JsonFields& config, const LlamaVariant& variant, Architecture& made)
{
    bool used = variant.window > 0;
    config.flag("use_sliding_window", used);
    if (!variant.slides || !used)
        return config.status();
    config.integer("sliding_window", made.slidingWindow, { 1, kMostPositions });
    if (variant.window > 0 && !config.mentions("sliding_window")) { // null says: none
        made.slidingWindow = variant.window;
        made.notes.push_back(
            fmt::format("'sliding_window' is not given: {}, the family's default", variant.window));
    }
    return config.status();
}

Result<Architecture> readVariant(JsonFields& config, const LlamaVariant& variant)
{
    Architecture made;
    made.gatedMlp = true;
    made.qkNorm = variant.qkNorm;
    if (const Status sizes = readLlamaSizes(config, made.shape); !sizes)
        return failure(sizes);
    for (const auto part : { readAttention, readBiases, readWindow })
        if (const Status done = part(config, variant, made); !done)
            return failure(done);
    made.shape.tiedHead = false;
    made.shape.normEps = 1e-6;
    made.shape.activation = "silu";
    if (const Status read = readCommon(config, made.shape, "rms_norm_eps", "hidden_act"); !read)
        return failure(read);
    return made;
}

} // namespace

Result<Architecture> readLlama(JsonFields& config)
{
    return readVariant(config, { .slides = false, .biasKey = true, .mlpBiasKey = true });
}

Result<Architecture> readMistral(JsonFields& config)
{
    return readVariant(config, { .kvHeads = 8, .window = 4096 });
}

Result<Architecture> readQwen2(JsonFields& config)
{
    return readVariant(config, { .kvHeads = 32, .qkvBias = true });
}

Result<Architecture> readQwen3(JsonFields& config)
{
    return readVariant(config, { .kvHeads = 32, .headDim = 128, .qkNorm = true, .biasKey = true });
}

} // namespace stageloom
