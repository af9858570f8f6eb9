// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_measure.h"

#include "ui/theme/text.h"

namespace stageloom {

double measureOf(const Layer& layer, LayerMeasure measure, const LayerTime* time)
{
    switch (measure) {
    case LayerMeasure::Parameters:
        return static_cast<double>(layer.parameters);
    case LayerMeasure::Flops:
        return layer.forwardFlops;
    case LayerMeasure::Stash:
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

std::vector<double> measuresOf(const std::vector<Operator>& parts, LayerMeasure measure)
{
    std::vector<double> values;
    for (const Operator& part : parts)
        values.push_back(measure == LayerMeasure::Parameters ? static_cast<double>(part.parameters)
                : measure == LayerMeasure::Flops             ? part.forwardFlops
                : measure == LayerMeasure::Stash             ? part.stashBytes
                                                             : 0);
    return values;
}

QString measureText(LayerMeasure measure, double value)
{
    switch (measure) {
    case LayerMeasure::Parameters:
        return countText(value);
    case LayerMeasure::Flops:
        return flopsText(value);
    case LayerMeasure::Stash:
        return bytesText(value);
    case LayerMeasure::Time:
        break;
    }
    return secondsText(value);
}

} // namespace stageloom
