// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "engine/nn/stage_module.h"

namespace stageloom::engine {

// What one update needs besides the tensors.
struct UpdateInput {
    std::int64_t step = 1; // 1-based update count: bias correction
    double learningRate = 0;
    double gradientScale = 1; // clip factor; the gradient is already a mean over the batch
};

// One fused pass: dst = step(src, gradient), state updated, gradient zeroed. dst may be src.
// Exactly one set of state. Weight decay is decoupled and acts on src, the version being updated,
// and there on matrices only (spec.decay). Adam has none, which is all that sets it apart from
// AdamW.
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
