// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

namespace stageloom {

// A half-open stretch of the trace's clock, in the trace's unit (seconds, or the caller's).
struct TimeRange {
    double begin = 0, end = 0;
    [[nodiscard]] double length() const { return end - begin; }
    [[nodiscard]] bool empty() const { return !(end > begin); }
    [[nodiscard]] bool contains(double t) const { return t >= begin && t < end; }
    bool operator==(const TimeRange&) const = default;
};

// Time to pixel and back, one straight line: `range` fills [left, left + width).
struct TimeScale {
    TimeRange range;
    double left = 0, width = 1; // logical pixels
    [[nodiscard]] double pixelsPerUnit() const
    {
        return range.empty() ? 0 : width / range.length();
    }
    [[nodiscard]] double toPixel(double time) const
    {
        return left + (time - range.begin) * pixelsPerUnit();
    }
    [[nodiscard]] double toTime(double pixel) const
    {
        return width > 0 ? range.begin + (pixel - left) / width * range.length() : range.begin;
    }
};

// `range` made `factor` times as long about `anchor`, which keeps its place on screen.
TimeRange zoomed(const TimeRange& range, double factor, double anchor);
TimeRange shifted(const TimeRange& range, double by);
// No longer than `extent`, no shorter than `shortest`, and inside `extent`.
TimeRange clamped(const TimeRange& range, const TimeRange& extent, double shortest);

// 1, 2 or 5 times a power of ten, at least `atLeast`.
double niceStep(double atLeast);

struct Tick {
    double time;
    std::string label;
};
// Ticks at nice times, at least `apart` pixels from each other. Labels share one unit ("0 ms", "100
// ms"); `seconds` false: bare numbers.
std::vector<Tick> ticks(const TimeScale& scale, double apart, bool seconds);
// A time as exact as a pixel is wide, in the unit of the ticks: "2,190 ms".
QString tickText(double time, const TimeScale& scale, bool seconds);

} // namespace stageloom
