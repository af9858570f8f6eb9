// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/row_ops.h"

#include <utility>

namespace stageloom::engine {

namespace {

c10::string_view atenName(Activation activation)
{
    return activation == Activation::GeluTanh ? "tanh" : "none";
}

} // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias)
{
    return at::addmm(bias, x, weight);
}

at::Tensor linearBackwardInput(const at::Tensor& gradOutput, const at::Tensor& weight)
{
    return at::mm(gradOutput, weight.t());
}

void linearBackwardWeight(
    at::Tensor gradWeight, at::Tensor gradBias, const at::Tensor& x, const at::Tensor& gradOutput)
{
    gradWeight.addmm_(x.t(), gradOutput);
    gradBias.add_(gradOutput.sum(0));
}

at::Tensor take(Stash& stash, std::size_t index)
{
    return std::exchange(stash[index], at::Tensor());
}

at::Tensor rowsOf(const at::Tensor& x)
{
    return x.reshape({ -1, x.size(-1) });
}

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

std::optional<Activation> activationOf(const std::string& configName)
{
    if (configName == "gelu")
        return Activation::GeluExact;
    if (configName == "gelu_new" || configName == "gelu_pytorch_tanh" || configName == "gelu_fast")
        return Activation::GeluTanh;
    return std::nullopt;
}

at::Tensor activate(const at::Tensor& x, Activation activation)
{
    return at::gelu(x, atenName(activation));
}

at::Tensor activateBackward(at::Tensor gradOutput, const at::Tensor& x, Activation activation)
{
    return at::gelu_backward_out(gradOutput, gradOutput, x, atenName(activation));
}

} // namespace stageloom::engine
