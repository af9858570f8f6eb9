// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"

namespace stageloom::engine {

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

} // namespace stageloom::engine
