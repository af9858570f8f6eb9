// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_measure.h"

#include "core/base/units.h"
#include <array>

namespace stageloom {

double measureOf(const Layer& layer, LayerMeasure measure, const LayerTime* time)
{
    switch (measure) {
    case LayerMeasure::Parameters:
        return static_cast<double>(layer.parameters);
    case LayerMeasure::Flops:
        return layer.forwardFlops;
    case LayerMeasure::Activations:
        return layer.stashBytes;
    case LayerMeasure::Time:
        break;
    }
    return time != nullptr ? time->forward + time->backward : 0;
}

std::vector<double> measuresOf(
    const std::vector<Layer>& layers, LayerMeasure measure, const std::optional<Profile>& profile)
{
    const bool timed = profile && profile->layers.size() == layers.size();
    std::vector<double> values;
    values.reserve(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i)
        values.push_back(measureOf(layers[i], measure, timed ? &profile->layers[i] : nullptr));
    return values;
}

QString flopsText(double flops)
{
    static constexpr std::array<const char*, 6> kUnits { "FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP",
        "PFLOP" };
    std::size_t unit = 0;
    // From 999.5 on, three digits round up to the next unit.
    for (; flops >= 999.5 && unit + 1 < kUnits.size(); ++unit)
        flops /= 1000;
    const int decimals = unit == 0 || flops >= 99.95 ? 0 : flops >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(flops, 0, 'f', decimals).arg(QLatin1String(kUnits[unit]));
}

QString measureText(LayerMeasure measure, double value)
{
    switch (measure) {
    case LayerMeasure::Parameters:
        return QString::fromStdString(formatCount(value));
    case LayerMeasure::Flops:
        return flopsText(value);
    case LayerMeasure::Activations:
        return QString::fromStdString(formatBytes(value));
    case LayerMeasure::Time:
        break;
    }
    return QString::fromStdString(formatSeconds(value));
}

} // namespace stageloom
