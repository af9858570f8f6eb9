// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"
#include <optional>

// What a transformer's layers do to rows, tensors of [rows, n]: linear maps, norms, activations.
namespace stageloom::engine {

// y = x·W + b with W as [in, out], the layout GPT-2 stores ("Conv1D"). x is [rows, in].
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);
at::Tensor linearBackwardInput(const at::Tensor& gradOutput, const at::Tensor& weight);
// Adds into the accumulators: the product goes straight there, without a temporary.
void linearBackwardWeight(
    at::Tensor gradWeight, at::Tensor gradBias, const at::Tensor& x, const at::Tensor& gradOutput);

// Takes a tensor out of the stash, so that its memory goes as soon as the last use is over.
at::Tensor take(Stash& stash, std::size_t index);
at::Tensor rowsOf(const at::Tensor& x); // [batch, seq, n] as [batch·seq, n], a view where it can be

struct LayerNormForward {
    at::Tensor output; // [rows, n]
    at::Tensor mean, rstd; // [rows, 1]: mean and 1 / sqrt(variance + epsilon) of each row
};

// Over the last dimension of x [rows, n]; weight and bias are [n].
LayerNormForward layerNorm(
    const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon);

// The parameter gradients are n numbers each and fall out of the same pass over x, so they are made
// with the input's gradient: keeping them for the weight half of the backward is cheaper than
// keeping x.
struct LayerNormBackward {
    at::Tensor input; // [rows, n]
    at::Tensor weight, bias; // [n]
};

LayerNormBackward layerNormBackward(const at::Tensor& gradOutput, const at::Tensor& x,
    const at::Tensor& mean, const at::Tensor& rstd, const at::Tensor& weight,
    const at::Tensor& bias);

// The two forms of GELU: "gelu_new" and its aliases are the tanh approximation, "gelu" is exact.
enum class Activation { GeluTanh, GeluExact };
std::optional<Activation> activationOf(const std::string& configName); // none: not known

at::Tensor activate(const at::Tensor& x, Activation activation);
// Overwrites and returns `gradOutput`, which must be the caller's own.
at::Tensor activateBackward(at::Tensor gradOutput, const at::Tensor& x, Activation activation);

} // namespace stageloom::engine
