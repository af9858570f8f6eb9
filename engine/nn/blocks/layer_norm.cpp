// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/layer_norm.h"

namespace stageloom::engine {

LayerNormForward layerNorm(
    const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon)
{
    auto [output, mean, rstd] = at::native_layer_norm(x, { x.size(-1) }, weight, bias, epsilon);
    return { std::move(output), std::move(mean), std::move(rstd) };
}

LayerNormBackward layerNormBackward(const at::Tensor& gradOutput, const at::Tensor& x,
    const at::Tensor& mean, const at::Tensor& rstd, const at::Tensor& weight,
    const at::Tensor& bias)
{
    auto [input, gradWeight, gradBias] = at::native_layer_norm_backward(
        gradOutput, x, { x.size(-1) }, mean, rstd, weight, bias, { true, true, true });
    return { std::move(input), std::move(gradWeight), std::move(gradBias) };
}

} // namespace stageloom::engine
