// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/mlp.h"

namespace stageloom::engine {

namespace {

c10::string_view atenName(Activation activation)
{
    return activation == Activation::GeluTanh ? "tanh" : "none";
}

} // namespace

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
