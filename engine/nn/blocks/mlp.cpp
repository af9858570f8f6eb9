// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/mlp.h"

#include <algorithm>

namespace stageloom::engine {

namespace {

c10::string_view atenName(Activation activation)
{
    return activation == Activation::GeluTanh ? "tanh" : "none";
}

} // namespace

const std::vector<std::string>& activationNames()
{
    static const std::vector<std::string> names { "gelu_new", "gelu_pytorch_tanh", "gelu_fast",
        "gelu" };
    return names;
}

std::optional<Activation> activationOf(const std::string& configName)
{
    const auto& names = activationNames();
    if (std::find(names.begin(), names.end(), configName) == names.end())
        return std::nullopt;
    return configName == "gelu" ? Activation::GeluExact : Activation::GeluTanh;
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
