// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "engine/nn/stage_module.h"

namespace stageloom::engine {

// What one update needs besides the tensors.
struct UpdateInput {
    double learningRate = 0;
    double gradientScale = 1; // clip factor; the gradient is already a mean over the batch
};

// One fused pass: dst = step(src, gradient), state updated, gradient zeroed. dst may be src.
// Exactly one set of state, the count of steps (for Adam's bias correction) part of it: a batch
// that is left out is no step.
//   sgd    m = β·m + (1-β)·g, W' = (1 - ν·λ)·W - ν·m: the running mean of 2bw.md §1.5. Its rate is
//          1/(1-β) times that of the sum m = β·m + g that torch.optim.SGD keeps.
//   adam   weight decay is part of the gradient, g + λ·W, as in torch.optim.Adam (L2)
//   adamw  weight decay is decoupled, W·(1 - ν·λ)
// Decay acts on src, the version being updated, and there on matrices only (spec.decay).
class Optimizer {
public:
    virtual ~Optimizer() = default;
    virtual void step(
        at::Tensor& dst, const at::Tensor& src, at::Tensor& gradient, const UpdateInput& input)
        = 0;
    [[nodiscard]] virtual std::vector<at::Tensor>
    state() const = 0; // flat tensors, for checkpoints and memory
};

// `options`: dtype and device of its state.
std::unique_ptr<Optimizer> makeOptimizer(const OptimizerSettings& settings,
    const StageModule& stage, const at::TensorOptions& options = at::kFloat);
// Learning rate of update `step` (1-based) of `steps`: rises in equal parts to the peak at step
// `warmupSteps`, then falls to finalFraction of it at step `decaySteps` (0: the last one) and stays
// there.
double learningRateAt(const OptimizerSettings& settings, std::int64_t step, std::int64_t steps);

} // namespace stageloom::engine
