// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stageloom::engine {

double learningRateAt(const OptimizerSettings& settings, std::int64_t step, std::int64_t steps)
{
    const double peak = settings.learningRate;
    const std::int64_t warmup = settings.warmupSteps;
    if (step < warmup)
        return peak * static_cast<double>(step) / static_cast<double>(warmup);
    if (settings.shape == RateShape::Constant)
        return peak;
    const std::int64_t begin = std::max<std::int64_t>(warmup, 1); // the step at the peak
    const std::int64_t end = settings.decaySteps > 0 ? settings.decaySteps : steps;
    if (step <= begin)
        return peak;
    const double progress
        = step >= end ? 1.0 : static_cast<double>(step - begin) / static_cast<double>(end - begin);
    const double left = settings.shape == RateShape::Linear
        ? 1 - progress
        : 0.5 * (1 + std::cos(std::numbers::pi * progress));
    return peak * (settings.finalFraction + (1 - settings.finalFraction) * left);
}

} // namespace stageloom::engine
