// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/stage_module.h"
#include <vector>

namespace stageloom::engine {

// Sum of squares in double precision and in one fixed order, whatever the thread count.
double squaredNorm(const at::Tensor& contiguous);

// One number a parameter, in slot order. Added up parameter by parameter over all stages, the
// global norm has the same bits however the model is cut.
std::vector<double> squaredNorms(const std::vector<at::Tensor>& gradients);

// The factor that brings the gradient's norm down to `clipNorm` (0: off), never up.
double clipFactor(double norm, double clipNorm);

} // namespace stageloom::engine
