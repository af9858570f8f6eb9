// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"

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

} // namespace stageloom::engine
