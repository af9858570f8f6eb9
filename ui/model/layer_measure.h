// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/layer.h"
#include "core/model/profile.h"
#include <QString>
#include <optional>
#include <vector>

namespace stageloom {

// What layers are compared by.
enum class LayerMeasure { Parameters, Flops, Activations, Time };

// A layer's share of the model. Time is measured, forward and backward of a microbatch; 0 where
// nothing was measured.
double measureOf(const Layer& layer, LayerMeasure measure, const LayerTime* time);
std::vector<double> measuresOf(
    const std::vector<Layer>& layers, LayerMeasure measure, const std::optional<Profile>& profile);
QString measureText(LayerMeasure measure, double value); // "7.09 M", "16.1 GFLOP", "50.4 MB"

} // namespace stageloom
