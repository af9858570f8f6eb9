// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/vertical_fit.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kRare = 0.02; // of the faint points, at either end
constexpr double kMost = 3; // times the height of the bulk: so much a spike may take

double height(const MinMax& range, bool logarithmic)
{
    return logarithmic ? std::log(range.high) - std::log(range.low) : range.high - range.low;
}

} // namespace

VerticalFit fitVertical(
    const MinMax& firm, const std::vector<DrawnPoint>& faint, bool logarithmic, bool whole)
{
    VerticalFit fit { firm, {}, {} };
    if (faint.empty())
        return fit;
    MinMax all = firm;
    std::vector<double> values;
    values.reserve(faint.size());
    for (const DrawnPoint& p : faint) {
        all.add(p.y);
        values.push_back(p.y);
    }
    MinMax bulk = firm;
    bulk.add(middleOf(std::move(values), kRare));
    const double bulkHeight = height(bulk, logarithmic);
    if (whole || bulkHeight <= 0 || height(all, logarithmic) <= kMost * bulkHeight) {
        fit.range = all;
        return fit;
    }
    // An end that goes no farther than the bulk is high stays in the picture.
    const auto farther = [&](double low, double high) {
        return low < high && height({ low, high }, logarithmic) > bulkHeight;
    };
    const auto byValue = [](const DrawnPoint& a, const DrawnPoint& b) { return a.y < b.y; };
    const auto [low, high] = std::minmax_element(faint.begin(), faint.end(), byValue);
    if (farther(bulk.high, high->y))
        fit.above = *high;
    if (farther(low->y, bulk.low))
        fit.below = *low;
    fit.range = { fit.below ? bulk.low : all.low, fit.above ? bulk.high : all.high };
    return fit;
}

} // namespace stageloom
