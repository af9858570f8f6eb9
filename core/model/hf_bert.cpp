// SPDX-License-Identifier: Apache-2.0
// BERT: an encoder with learned positions and segments, norms after each sub-layer, no final norm.
#include "core/model/architecture.h"

namespace stageloom {

namespace {

Status readBertSizes(JsonFields& config, Architecture& made)
{
    TransformerShape& shape = made.shape;
    const struct {
        const char* key;
        std::int64_t most;
        std::int64_t& value;
    } sizes[] = {
        { "hidden_size", kMostHidden, shape.hidden },
        { "num_attention_heads", kMostHeads, shape.heads },
        { "num_hidden_layers", kMostLayers, shape.layers },
        { "intermediate_size", kMostFfn, shape.ffn },
        { "vocab_size", kMostVocab, shape.vocab },
        { "max_position_embeddings", kMostPositions, shape.maxPositions },
    };
    for (const auto& size : sizes)
        config.integer(size.key, size.value, { 1, size.most }, Need::Required);
    if (!config.has("type_vocab_size"))
        made.notes.push_back("'type_vocab_size' is not given: 2, the family's default");
    made.typeRows = 2;
    config.integer("type_vocab_size", made.typeRows, { 1, kMostVocab });
    if (!config.status())
        return config.status();
    shape.kvHeads = shape.heads;
    made.positionRows = shape.maxPositions;
    return checkHeads(config, shape, "hidden_size", "num_attention_heads");
}

void chooseHead(JsonFields& config, Architecture& made)
{
    const std::vector<std::string> classes = config.words("architectures");
    const std::string named = classes.empty() ? "BertModel" : classes.front();
    if (named == "BertForMaskedLM" || named == "BertLMHeadModel") {
        made.head = HeadKind::MaskedLanguageModel;
        made.counted = "masked-language-model head (" + named + "), no pooler";
    } else if (named == "BertForPreTraining") {
        made.head = HeadKind::Pretraining;
        made.counted = "masked-language-model and next-sentence heads (" + named + "), with pooler";
    } else {
        made.head = HeadKind::Pooler;
        made.counted = "pooler (BertModel), no task head";
        if (named != "BertModel")
            made.notes.push_back(
                "the head of '" + named + "' is not counted: BertModel with its pooler is shown");
    }
}

} // namespace

Result<Architecture> readBert(JsonFields& config)
{
    Architecture made;
    if (const Status sizes = readBertSizes(config, made); !sizes)
        return failure(sizes);
    bool decoder = false;
    config.flag("is_decoder", decoder);
    if (const Status alone = refuseCrossAttention(config); !alone)
        return failure(alone);
    made.shape.normEps = 1e-12;
    made.shape.activation = "gelu";
    made.shape.tiedHead = true;
    if (const Status read = readCommon(config, made.shape, "layer_norm_eps", "hidden_act"); !read)
        return failure(read);
    chooseHead(config, made);
    if (!config.status())
        return failure(config.status());
    made.shape.causal = decoder;
    made.shape.tiedHead = made.shape.tiedHead && made.head != HeadKind::Pooler;
    made.embeddingNorm = made.layerNorm = true;
    made.qkvBias = made.outputBias = made.mlpBias = true;
    made.naming = WeightNaming::Bert;
    made.finalNorm = false;
    return made;
}

} // namespace stageloom
