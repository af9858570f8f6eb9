// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include "ui/plots/decimation.h"
#include "ui/timeline/scale.h"
#include <vector>

namespace stageloom {

struct CurveStep {
    double x = 0; // pixel
    double low = 0, high = 0, last = 0; // bytes within the pixel column, and where it ends
};

// Bytes in use on one device over time, with the lowest and highest of any stretch at hand: a
// column of pixels costs O(log n) and never loses a peak.
class MemoryCurve {
public:
    MemoryCurve() = default;
    explicit MemoryCurve(const std::vector<Trace::MemorySample>& samples);
    [[nodiscard]] bool empty() const { return m_times.empty(); }
    [[nodiscard]] double peak() const { return m_peak; }
    [[nodiscard]] double peakTime() const { return m_peakTime; } // when it is first reached
    [[nodiscard]] double at(double time) const; // bytes; 0 before the first change
    // The columns in which something changes.
    [[nodiscard]] std::vector<CurveStep> steps(const TimeScale& scale) const;

private:
    std::vector<double> m_times;
    MinMaxPyramid m_bytes;
    double m_peak = 0, m_peakTime = 0;
};

} // namespace stageloom
