// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operators.h"
#include "core/model/profile.h"
#include <QString>
#include <optional>
#include <vector>

namespace stageloom {

// What layers and their operators are compared by.
enum class LayerMeasure { Parameters, Flops, Stash, Time };

// A layer's share of the model. Time is measured, forward and backward of a microbatch; 0 where
// nothing was measured.
double measureOf(const Layer& layer, LayerMeasure measure, const LayerTime* time);
std::vector<double> measuresOf(
    const std::vector<Layer>& layers, LayerMeasure measure, const std::optional<Profile>& profile);
// Of operators; time is not measured of them, so nothing is said of it.
std::vector<double> measuresOf(const std::vector<Operator>& parts, LayerMeasure measure);
QString measureText(LayerMeasure measure, double value); // "7.09 M", "16.1 GFLOP", "50.4 MiB"

} // namespace stageloom
