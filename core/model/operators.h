// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/model.h"

namespace stageloom {

struct Architecture;

// One step of a layer's forward pass. Numbers are per sample at the model's `seq` and `dtype`;
// FLOPs are those of matrix products, a multiply-add counts as 2.
struct Operator {
    enum class Part { Other, Attention, Mlp };
    std::string name; // "q_proj"
    // As Hugging Face's files call it, without the model's prefix; "{}" stands for the block's
    // number. Empty: no weight of its own.
    std::string weightName;
    std::vector<std::int64_t> weightShape; // rows, columns as in the file
    Part part = Part::Other;
    std::int64_t parameters = 0; // biases included; 0 where it uses another layer's weight
    std::int64_t tiedParameters = 0; // of that weight
    std::int64_t inputWidth = 0, outputWidth = 0; // values a token; 0: not by token
    double forwardFlops = 0;
    double outputBytes = 0; // what the next operator receives
    double stashBytes = 0; // what it keeps for backward
    std::string stashWith; // it keeps nothing of its own: its input is kept by this operator
    bool keepsOutput = false; // beside its input
};

// In order of the forward pass; empty for a kind that the model has no layer of. A layer's costs
// are the sums of these (layersOf).
std::vector<Operator> operatorsOf(
    const Architecture& architecture, LayerKind kind, std::int64_t seq, Dtype dtype);
// The same of a model, from the config that it carries.
Result<std::vector<Operator>> operatorsOf(const Model& model, LayerKind kind);

} // namespace stageloom
