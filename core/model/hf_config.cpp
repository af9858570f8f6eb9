// SPDX-License-Identifier: Apache-2.0
// From a Hugging Face config.json to a Model: which family, its reader, its layers.
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/architecture.h"

#include <algorithm>

namespace stageloom {

namespace {

// Above this a config's own maximum is rarely the length somebody trains with.
constexpr std::int64_t kLongSequence = 8192;

bool isOneOf(const std::string& word, std::initializer_list<const char*> list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

// Why a family is not read, as the end of a sentence.
std::string reasonAgainst(const std::string& family, const Json& config)
{
    const auto encoderDecoder = config.find("is_encoder_decoder");
    if ((encoderDecoder != config.end() && *encoderDecoder == true)
        || isOneOf(
            family, { "t5", "mt5", "umt5", "bart", "mbart", "marian", "pegasus", "whisper" }))
        return "encoder-decoder models are not planned";
    if (config.contains("vision_config"))
        return "models with a vision tower are not read";
    for (const char* key : { "num_local_experts", "num_experts", "n_routed_experts" })
        if (config.contains(key))
            return "mixture-of-experts models are not read yet";
    return "this family is not read yet";
}

Result<const FamilyInfo*> familyOf(const Json& config, JsonFields& reader)
{
    std::string family;
    bool encoderDecoder = false;
    reader.text("model_type", family);
    reader.flag("is_encoder_decoder", encoderDecoder);
    if (!reader.status())
        return failure(reader.status());
    const std::string supported = joined(supportedFamilies(), ", ");
    if (family.empty())
        return fail(ErrorKind::Invalid,
            "{}: the key 'model_type' is missing, so this is no Hugging Face config.json; add it "
            "(one of {})",
            reader.where(), supported);
    const FamilyInfo* info = findFamily(family);
    if (info == nullptr)
        return fail(ErrorKind::Unsupported, "{}: 'model_type' is \"{}\", but {}; supported are {}",
            reader.where(), shortened(family), reasonAgainst(family, config), supported);
    if (encoderDecoder)
        return fail(ErrorKind::Unsupported,
            "{}: 'is_encoder_decoder' is true, but encoder-decoder models are not planned",
            reader.where());
    return info;
}

Result<std::int64_t> chosenSeq(JsonFields& reader, Architecture& made, const ModelOptions& options)
{
    const std::int64_t most = made.shape.maxPositions;
    if (options.seq < 0 || options.seq > kMostPositions)
        return fail(ErrorKind::Invalid,
            "a sequence length of {} is not possible for {}; give 1 to {}", options.seq,
            reader.where(), groupDigits(most > 0 ? most : kMostPositions));
    if (options.seq == 0) {
        if (most == 0)
            return fail(ErrorKind::Invalid,
                "{}: the key 'max_position_embeddings' is missing, so give the sequence length "
                "with --seq",
                reader.where());
        if (most > kLongSequence)
            made.notes.push_back(fmt::format("costs are for the config's own maximum of {} tokens; "
                                             "--seq says the length that is trained",
                groupDigits(most)));
        return most;
    }
    if (made.positionRows > 0 && options.seq > made.positionRows)
        return fail(ErrorKind::Invalid,
            "a sequence of {} tokens is longer than the {} learned positions of {}; give --seq {} "
            "or less",
            options.seq, made.positionRows, reader.where(), made.positionRows);
    if (most > 0 && options.seq > most)
        made.notes.push_back(fmt::format(
            "{} tokens are more than the config's 'max_position_embeddings' of {}; rotary "
            "positions allow it, quality beyond is the model's matter",
            groupDigits(options.seq), groupDigits(most)));
    return options.seq;
}

// Dropout that the file asks for, as one note: costs and training here are without it.
void noteDropout(const Json& config, std::vector<std::string>& notes)
{
    std::string asked;
    for (const char* key : { "resid_pdrop", "embd_pdrop", "attn_pdrop", "hidden_dropout_prob",
             "attention_probs_dropout_prob", "attention_dropout", "hidden_dropout",
             "residual_dropout", "dropout" })
        if (const auto at = config.find(key);
            at != config.end() && at->is_number() && at->get<double>() > 0)
            asked += fmt::format("{}'{}' {}", asked.empty() ? "" : ", ", key, shown(*at));
    if (!asked.empty())
        notes.push_back(asked + ": dropout is left out, in costs and in training");
}

} // namespace

const std::vector<FamilyInfo>& familyInfos()
{
    static const std::vector<FamilyInfo> kInfos {
        { "gpt2", readGpt2 },
        { "llama", readLlama },
        { "mistral", readMistral },
        { "qwen2", readQwen2 },
        { "qwen3", readQwen3 },
        { "bert", readBert },
    };
    return kInfos;
}

const FamilyInfo* findFamily(std::string_view name)
{
    const std::vector<FamilyInfo>& infos = familyInfos();
    const auto found = std::find_if(
        infos.begin(), infos.end(), [name](const FamilyInfo& info) { return name == info.name; });
    return found == infos.end() ? nullptr : &*found;
}

std::vector<std::string> supportedFamilies()
{
    std::vector<std::string> names;
    for (const FamilyInfo& info : familyInfos())
        names.emplace_back(info.name);
    return names;
}

Status checkHeads(
    JsonFields& config, TransformerShape& shape, const char* hiddenKey, const char* headsKey)
{
    if (shape.headDim == 0) {
        if (shape.hidden % shape.heads != 0)
            return fail(ErrorKind::Invalid,
                "{}: '{}' {} is not divisible by '{}' {}; one of the two is wrong", config.where(),
                hiddenKey, shape.hidden, headsKey, shape.heads);
        shape.headDim = shape.hidden / shape.heads;
    }
    if (shape.heads % shape.kvHeads != 0)
        return fail(ErrorKind::Invalid,
            "{}: '{}' {} is not divisible by 'num_key_value_heads' {}; one of the two is wrong",
            config.where(), headsKey, shape.heads, shape.kvHeads);
    if (shape.heads * shape.headDim > kMostProjection)
        return fail(ErrorKind::Invalid,
            "{}: '{}' {} times a head size of {} is {}, but more than {} is not believed; check "
            "the file",
            config.where(), headsKey, shape.heads, shape.headDim,
            groupDigits(shape.heads * shape.headDim), groupDigits(kMostProjection));
    return {};
}

Status refuseCrossAttention(JsonFields& config)
{
    bool cross = false;
    config.flag("add_cross_attention", cross);
    if (!config.status())
        return config.status();
    if (cross)
        return fail(ErrorKind::Unsupported,
            "{}: 'add_cross_attention' is true, but encoder-decoder models are not planned",
            config.where());
    return {};
}

Status readCommon(
    JsonFields& config, TransformerShape& shape, const char* epsilonKey, const char* activationKey)
{
    config.flag("tie_word_embeddings", shape.tiedHead);
    config.number(epsilonKey, shape.normEps, NumberRange::AboveZero);
    config.text(activationKey, shape.activation);
    return config.status();
}

Result<Model> modelFromConfig(
    const Json& config, const std::string& where, const ModelOptions& options)
{
    if (!config.is_object())
        return fail(ErrorKind::Invalid,
            "{}: the document is {}, but a config.json is an object in braces", where,
            config.type_name());
    JsonFields reader(config, where);
    const auto family = familyOf(config, reader);
    if (!family)
        return failure(family);
    auto made = (*family)->read(reader);
    if (!made)
        return failure(made);
    const auto seq = chosenSeq(reader, *made, options);
    if (!seq)
        return failure(seq);
    if (reader.has("quantization_config"))
        made->notes.push_back("'quantization_config' is left out: weights are counted unquantised");
    noteDropout(config, made->notes);
    Model model;
    model.family = (*family)->name;
    model.name = where;
    model.counted = !made->counted.empty() ? made->counted
        : made->shape.tiedHead             ? "language-model head, tied to the embedding"
                                           : "language-model head";
    model.shape = made->shape;
    model.seq = *seq;
    model.dtype = options.dtype;
    model.tiedHead = made->shape.tiedHead;
    model.layers = layersOf(*made, *seq, options.dtype);
    for (const Layer& layer : model.layers) {
        model.parameters += layer.parameters;
        model.activeParameters += layer.activeParameters;
    }
    model.notes = std::move(made->notes);
    model.config = config;
    return model;
}

} // namespace stageloom
