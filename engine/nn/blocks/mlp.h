// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"
#include <optional>

namespace stageloom::engine {

// The two forms of GELU: "gelu_new" and its aliases are the tanh approximation, "gelu" is exact.
enum class Activation { GeluTanh, GeluExact };
std::optional<Activation> activationOf(const std::string& configName); // none: not known

at::Tensor activate(const at::Tensor& x, Activation activation);
// Overwrites and returns `gradOutput`, which must be the caller's own.
at::Tensor activateBackward(at::Tensor gradOutput, const at::Tensor& x, Activation activation);

} // namespace stageloom::engine
