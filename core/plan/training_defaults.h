// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include <algorithm>

// What a run is given where nobody chooses: the window's sample, the Train page's fields and the
// demo.
namespace stageloom::training {

inline constexpr int kSteps = 640;
// Samples a device. A delay of one batch costs as many samples as a batch has, so batches are as
// small as the pipeline allows: many cheap updates, and one microbatch a stage.
inline constexpr std::int64_t kSamplesADevice = 4;

// Batches over which the rate rises. A gradient that is one batch old halves the largest stable
// rate of plain descent: while the sample's loss still falls fast, a rise to 1e-3 within 60 or 100
// batches makes it jump under 2bw, within 120 it does not. A shorter run never sees the peak.
constexpr int warmupSteps(int steps)
{
    constexpr int kLeast = 120, kMost = 200;
    return std::clamp(steps / 2, kLeast, kMost);
}

inline OptimizerSettings optimizer(int steps)
{
    OptimizerSettings settings;
    settings.learningRate = 1e-3;
    settings.warmupSteps = warmupSteps(steps);
    return settings;
}

} // namespace stageloom::training
