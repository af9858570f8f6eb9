// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/aten.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stageloom::engine {

enum class Init { Normal, Ones, Zeros };

struct ParameterSpec {
    std::string name; // field name, as Hugging Face writes it: "h.0.attn.c_attn.weight"
    std::vector<std::int64_t> shape;
    Init init = Init::Zeros;
    double std = 0.02; // of Init::Normal
    bool decay = false; // weight decay applies (matrices)
    std::string tiedTo {}; // name of the parameter whose copy this is; empty: its own
    [[nodiscard]] std::int64_t elements() const;
};

// What one microbatch brings to a stage besides the activation.
struct MicrobatchData {
    at::Tensor tokens; // int64 [batch, seq]; first stage
    at::Tensor targets; // int64 [batch, seq]; last stage
    double lossScale
        = 1; // the loss is multiplied by it in backward: 1/m makes the batch's gradient one mean
};

// What a layer keeps between its forward and its backward (and between the backward's two halves).
using Stash = std::vector<at::Tensor>;
using Tensors = std::span<const at::Tensor>; // views of a flat buffer, in parameters() order

// A layer is a function of explicit weights: no weight is a member, so a weight version is just
// which weights are passed. Written over ATen's own forward and backward operators, without
// autograd. Stateless: any number of microbatches may be in flight, on any thread.
class Layer {
public:
    virtual ~Layer() = default;
    [[nodiscard]] const std::vector<ParameterSpec>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::string& name() const { return m_name; }

    // input [batch, seq, hidden] -> output [batch, seq, hidden]; the embedding ignores `input` and
    // reads data.tokens; the head returns the scalar mean loss over the microbatch's targets.
    virtual at::Tensor forward(Tensors weights, const at::Tensor& input, Stash& stash,
        const MicrobatchData& data) const = 0;
    // Gradient of the output -> gradient of the input (undefined for the embedding; the head
    // ignores gradOutput and uses data.lossScale). Leaves in `stash` only what backwardWeight
    // needs.
    virtual at::Tensor backwardInput(Tensors weights, const at::Tensor& gradOutput, Stash& stash,
        const MicrobatchData& data) const = 0;
    // Adds the weight gradients to `gradients` (views of the accumulator) and empties `stash`.
    virtual void backwardWeight(
        Tensors gradients, Stash& stash, const MicrobatchData& data) const = 0;

protected:
    std::string m_name;
    std::vector<ParameterSpec> m_parameters;
};

} // namespace stageloom::engine
