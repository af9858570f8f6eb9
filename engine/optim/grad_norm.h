// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/stage_module.h"

namespace stageloom::engine {

// Sum of the squares of elements [begin, end) of a flat fp32 or fp64 tensor, in double. The order
// of the additions depends on nothing but the range, so the bits are the same on every machine and
// with any thread count.
double squaredNorm(const at::Tensor& flat, std::int64_t begin, std::int64_t end);

// Of a stage's whole gradient. Copies of a matrix that another stage owns are left out (their
// gradient is in the owner's sum after the tied exchange), so that summing over the stages counts
// every parameter once.
double squaredNormOfOwned(const StageModule& stage, const at::Tensor& flat);
// The same, one number a slot of stage.slots() (0 for copies), for per-layer displays.
std::vector<double> squaredNormsOfSlots(const StageModule& stage, const at::Tensor& flat);

// Factor that brings a gradient of this global norm down to clipNorm; 1 where it is below or
// clipNorm is 0.
double clipFactor(double squaredNorm, double clipNorm);

} // namespace stageloom::engine
