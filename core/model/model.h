// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/model/layer.h"
#include <vector>

namespace stageloom {

enum class Dtype { Fp32, Bf16, Fp16 };
std::string toString(Dtype dtype); // "fp32"
Result<Dtype> parseDtype(const std::string& text);
int bytesOf(Dtype dtype);

// The sizes every transformer family is described by, after reading its own key names.
struct TransformerShape {
    std::int64_t hidden = 0, layers = 0, heads = 0, kvHeads = 0, headDim = 0, ffn = 0, vocab = 0,
                 maxPositions = 0;
    bool tiedHead = false, causal = true;
    double normEps = 1e-5;
    std::string activation; // "gelu_new", "gelu", "silu"
};

// A model as a list of layers in order of the forward pass. Made by readModel(); a value, never
// changed.
struct Model {
    std::string family; // "gpt2", "llama", …
    std::string name; // for people: folder or file stem
    std::string counted; // which heads the parameter count includes
    std::vector<std::string> notes;
    TransformerShape shape;
    std::int64_t seq = 0;
    Dtype dtype = Dtype::Fp32;
    bool tiedHead = false;
    std::int64_t parameters = 0, activeParameters = 0;
    std::vector<Layer> layers;
    Json config; // the config.json as read, so that a plan can carry its model with it
};

struct ModelOptions {
    std::int64_t seq = 0; // 0: the config's own maximum
    Dtype dtype = Dtype::Fp32;
};

// PATH is a config.json, or a folder that holds one; or "preset:NAME" (resources/presets).
Result<Model> readModel(const std::string& path, const ModelOptions& options);
// `where` names the source in messages.
Result<Model> modelFromConfig(
    const Json& config, const std::string& where, const ModelOptions& options);
std::vector<std::string> supportedFamilies();
std::vector<std::string> modelPresets(); // names that "preset:NAME" takes
Json toJson(const Model& model); // the document of `model show --json`

} // namespace stageloom
