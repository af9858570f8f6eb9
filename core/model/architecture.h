// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_fields.h"
#include "core/model/model.h"

namespace stageloom {

// What a head computes from the last block's output.
enum class HeadKind {
    LanguageModel, // one matrix V x d
    Pooler, // BertModel: d x d on the first token
    MaskedLanguageModel, // d x d, norm, V x d with a bias of V
    Pretraining, // both of the above and next-sentence, 2 x d
};

// How a family's files name their weights, and with that in which order a block computes.
enum class WeightNaming { Gpt2, Llama, Bert };

// A family's own key names, read into what decides parameters, FLOPs and bytes.
struct Architecture {
    TransformerShape shape;
    std::string counted; // empty: a language-model head
    std::vector<std::string> notes;
    std::int64_t positionRows = 0; // learned positions; 0: rotary
    std::int64_t typeRows = 0; // BERT's segment embedding
    std::int64_t slidingWindow = 0; // tokens a query sees; 0: all
    bool embeddingNorm = false;
    bool layerNorm = false; // with a bias, and mean and deviation kept; else RMS norm
    bool finalNorm = true;
    bool gatedMlp = false; // gate, up and down; else up and down
    bool qkNorm = false;
    bool qkvBias = false, outputBias = false, mlpBias = false;
    HeadKind head = HeadKind::LanguageModel;
    WeightNaming naming = WeightNaming::Llama;
};

// Largest sizes that are believed; they keep every product below 2^63.
inline constexpr std::int64_t kMostHidden = 1 << 20, kMostLayers = 10'000, kMostHeads = 1 << 16,
                              kMostHeadDim = 1 << 14, kMostFfn = 1 << 24, kMostVocab = 100'000'000,
                              kMostPositions = 1'000'000'000, kMostProjection = 1 << 22;

// One row of the table of families: what a config.json's 'model_type' says, and who reads the rest.
struct FamilyInfo {
    const char* name;
    Result<Architecture> (*read)(JsonFields& config);
};
// In the order in which messages and help list them.
const std::vector<FamilyInfo>& familyInfos();
const FamilyInfo* findFamily(std::string_view name); // null where there is no such row

Result<Architecture> readGpt2(JsonFields& config);
Result<Architecture> readLlama(JsonFields& config);
Result<Architecture> readMistral(JsonFields& config);
Result<Architecture> readQwen2(JsonFields& config);
Result<Architecture> readQwen3(JsonFields& config);
Result<Architecture> readBert(JsonFields& config);

// headDim and the divisions that attention needs; `hiddenKey` and `headsKey` are the file's own
// words.
Status checkHeads(
    JsonFields& config, TransformerShape& shape, const char* hiddenKey, const char* headsKey);

Status refuseCrossAttention(JsonFields& config);

// What every family says under some name: a tied head, the norms' epsilon, the activation. `shape`
// comes with what holds where the file says nothing.
Status readCommon(
    JsonFields& config, TransformerShape& shape, const char* epsilonKey, const char* activationKey);

// The layers in order of the forward pass, with their costs at `seq` and `dtype`.
std::vector<Layer> layersOf(const Architecture& architecture, std::int64_t seq, Dtype dtype);

} // namespace stageloom
