// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/parallel_axes.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kShortest = 0.02; // of an axis: a brush that can still be seen and grabbed

std::pair<double, double> valuesOf(const ParallelAxis& axis, double low, double high)
{
    return { axis.valueAt(low), axis.valueAt(high) };
}

} // namespace

double ParallelAxis::shareOf(double value) const
{
    if (logarithmic)
        return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

double ParallelAxis::valueAt(double share) const
{
    share = std::clamp(share, 0.0, 1.0);
    if (share == 0 || share == 1) // exactly, so that a brush to the end holds the last run
        return share == 0 ? low : high;
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

QString ParallelAxis::text(double value) const
{
    if (labels.isEmpty())
        return format ? format(value, kind) : QString::number(value, 'g', 3);
    return labels.value(static_cast<int>(std::lround(value)));
}

void fitAxis(ParallelAxis& axis, std::size_t column, const std::vector<ParallelRow>& rows)
{
    double low = INFINITY, high = -INFINITY;
    for (const ParallelRow& row : rows)
        if (column < row.size() && std::isfinite(row[column])) {
            low = std::min(low, row[column]);
            high = std::max(high, row[column]);
        }
    if (low > high)
        std::tie(low, high) = std::pair(0.0, 1.0);
    axis.logarithmic = axis.logarithmic && low > 0;
    if (low == high) {
        const double room = axis.logarithmic || low == 0 ? 0.5 : std::fabs(low) / 2;
        high = axis.logarithmic ? low * 2 : low + room;
        low = axis.logarithmic ? low / 2 : low - room;
    }
    axis.low = low;
    axis.high = high;
}

bool insideBrushes(const std::vector<ParallelAxis>& axes, const ParallelRow& row)
{
    for (std::size_t c = 0; c < axes.size(); ++c)
        if (const auto& brush = axes[c].brush)
            if (c >= row.size() || !(row[c] >= brush->first && row[c] <= brush->second))
                return false;
    return true;
}

std::vector<int> rowsInside(
    const std::vector<ParallelAxis>& axes, const std::vector<ParallelRow>& rows)
{
    std::vector<int> inside;
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (insideBrushes(axes, rows[r]))
            inside.push_back(static_cast<int>(r));
    return inside;
}

std::pair<double, double> movedBrush(
    const ParallelAxis& axis, std::pair<double, double> brush, double by)
{
    const double low = axis.shareOf(brush.first), high = axis.shareOf(brush.second);
    by = std::clamp(by, -low, 1 - high);
    return valuesOf(axis, low + by, high + by);
}

std::pair<double, double> widenedBrush(
    const ParallelAxis& axis, std::pair<double, double> brush, double by)
{
    double low = axis.shareOf(brush.first) - by, high = axis.shareOf(brush.second) + by;
    if (high - low < kShortest) {
        const double middle = (low + high) / 2;
        low = middle - kShortest / 2;
        high = middle + kShortest / 2;
    }
    return valuesOf(axis, low, high);
}

} // namespace stageloom
