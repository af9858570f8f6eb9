// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace stageloom {

TimeRange zoomed(const TimeRange& range, double factor, double anchor)
{
    return { anchor - (anchor - range.begin) * factor, anchor + (range.end - anchor) * factor };
}

TimeRange shifted(const TimeRange& range, double by)
{
    return { range.begin + by, range.end + by };
}

TimeRange clamped(const TimeRange& range, const TimeRange& extent, double shortest)
{
    if (extent.empty())
        return extent;
    const double least = std::min(shortest, extent.length());
    const double length = std::clamp(range.length(), least, extent.length());
    // Too short a range grows about its middle.
    double begin = range.length() < least ? (range.begin + range.end - length) / 2 : range.begin;
    begin = std::clamp(begin, extent.begin, std::max(extent.begin, extent.end - length));
    return { begin, std::min(begin + length, extent.end) };
}

double niceStep(double atLeast)
{
    if (!(atLeast > 0) || !std::isfinite(atLeast))
        return 1;
    const double power = std::pow(10.0, std::floor(std::log10(atLeast)));
    for (const double factor : { 1.0, 2.0, 5.0 })
        if (factor * power >= atLeast * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

namespace {

struct Unit {
    double factor;
    const char* name;
};

// The unit in which the step is a whole number: every label of a ruler then reads alike.
Unit unitFor(double step)
{
    for (const Unit unit : { Unit { 1, " s" }, Unit { 1e-3, " ms" }, Unit { 1e-6, " µs" } })
        if (step >= unit.factor * (1 - 1e-9))
            return unit;
    return { 1e-9, " ns" };
}

// "2,190.5"
std::string grouped(double value, int digits)
{
    const std::string plain = fmt::format("{:.{}f}", value, digits);
    const std::size_t point = std::min(plain.find('.'), plain.size());
    std::string text = plain.substr(0, point);
    for (std::size_t at = text.size(); at > 3 && text[at - 4] != '-';)
        text.insert(at -= 3, ",");
    return text + plain.substr(point);
}

int digitsOf(double step, double factor)
{
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step / factor) - 1e-9)), 0, 12);
}

} // namespace

QString tickText(double time, const TimeScale& scale, bool seconds)
{
    const double pixel = scale.range.length() / std::max(1.0, scale.width);
    const Unit unit = seconds ? unitFor(niceStep(90 * pixel)) : Unit { 1, "" };
    return QString::fromStdString(
        grouped(time / unit.factor, digitsOf(niceStep(pixel), unit.factor)) + unit.name);
}

std::vector<Tick> ticks(const TimeScale& scale, double apart, bool seconds)
{
    std::vector<Tick> result;
    if (scale.range.empty() || scale.width <= 0)
        return result;
    const double step = niceStep(apart / scale.pixelsPerUnit());
    const Unit unit = seconds ? unitFor(step) : Unit { 1, "" };
    const int digits = digitsOf(step, unit.factor);
    const double first = std::ceil(scale.range.begin / step - 1e-9);
    const double last = std::floor(scale.range.end / step + 1e-9);
    for (double n = first; n <= last && result.size() < 10'000; ++n) {
        const double time = n * step + 0.0; // + 0.0: no "-0 ms"
        result.push_back({ time, grouped(time / unit.factor, digits) + unit.name });
    }
    return result;
}

} // namespace stageloom
