// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/linear.h"

#include <utility>

namespace stageloom::engine {

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

} // namespace stageloom::engine
