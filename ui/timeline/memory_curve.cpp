// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/memory_curve.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

MemoryCurve::MemoryCurve(const std::vector<Trace::MemorySample>& samples)
{
    std::vector<double> bytes;
    m_times.reserve(samples.size());
    bytes.reserve(samples.size());
    for (const auto& sample : samples) {
        m_times.push_back(sample.time);
        bytes.push_back(sample.bytes);
        if (sample.bytes > m_peak) {
            m_peak = sample.bytes;
            m_peakTime = sample.time;
        }
    }
    m_bytes.assign(bytes);
}

double MemoryCurve::at(double time) const
{
    const auto next = std::ranges::upper_bound(m_times, time);
    return next == m_times.begin()
        ? 0
        : m_bytes.values()[static_cast<std::size_t>(next - m_times.begin() - 1)];
}

std::vector<CurveStep> MemoryCurve::steps(const TimeScale& scale) const
{
    std::vector<CurveStep> result;
    const auto position = [&](auto it) { return static_cast<std::size_t>(it - m_times.begin()); };
    auto next = std::ranges::upper_bound(m_times, scale.range.begin);
    while (next != m_times.end() && *next < scale.range.end) {
        const double x = scale.toPixel(*next);
        auto end = std::ranges::lower_bound(next, m_times.end(), scale.toTime(std::floor(x) + 1));
        if (end == next)
            ++end;
        const MinMax box = m_bytes.range(position(next), position(end));
        result.push_back({ x, box.low, box.high, m_bytes.values()[position(end) - 1] });
        next = end;
    }
    return result;
}

} // namespace stageloom
