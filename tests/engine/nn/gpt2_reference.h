// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/model.h"
#include "engine/nn/build_stage.h"
#include <map>

namespace stageloom::engine::test {

// A model as readModel() would describe it, small enough for doubles.
struct TinyOptions {
    int blocks = 2;
    bool tied = true;
    std::string activation = "gelu_new";
    Json config = Json::object();
};
Model tinyModel(const TinyOptions& options = {});

MicrobatchData tinyData(const Model& model, int batch, int seed, double lossScale = 1);

// Weights that exercise every term: biases and norms are not left at 0 and 1.
at::Tensor tinyWeights(const StageModule& stage, at::ScalarType dtype, std::uint64_t seed = 7);

// GPT-2 written from its definition with elementary operators and differentiated by autograd;
// shares nothing with the engine but parameter names. Keys are those names.
struct Reference {
    double loss = 0;
    std::map<std::string, at::Tensor> gradients; // of lossScale · loss
};
Reference referenceGpt2(
    const Model& model, std::map<std::string, at::Tensor> weights, const MicrobatchData& data);

std::map<std::string, at::Tensor> byName(
    const StageModule& stage, const std::vector<at::Tensor>& views);
double largestDifference(const at::Tensor& a, const at::Tensor& b);

} // namespace stageloom::engine::test
