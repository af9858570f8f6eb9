// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace stageloom {

struct MinMax {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value)
    {
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    void add(const MinMax& other)
    {
        add(other.low);
        add(other.high);
    }
    [[nodiscard]] bool empty() const { return low > high; }
};

// Lowest and highest of any stretch of an array in O(log n); grows at the end. NaN counts as
// absent.
class MinMaxPyramid {
public:
    static constexpr std::size_t kRadix = 16;
    void append(double value);
    void assign(std::vector<double> values);
    void truncate(std::size_t size); // the first `size` values stay
    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    [[nodiscard]] const std::vector<double>& values() const { return m_values; }
    [[nodiscard]] MinMax range(std::size_t from, std::size_t to) const;

private:
    std::vector<double> m_values;
    std::vector<std::vector<MinMax>> m_levels;
};

struct DrawnPoint {
    double x, y;
};
// The points of (x, values) seen in [left, right] on `columns` pixels: all of them where they are
// few, else the lowest and the highest of each column, in the order in which they draw the right
// envelope. `x` is sorted.
std::vector<DrawnPoint> decimate(const std::vector<double>& x, const MinMaxPyramid& values,
    double left, double right, int columns);

// What all but `share` of the values at either end lie between; NaN counts as absent.
MinMax middleOf(std::vector<double> values, double share);

// At every value the straight line that fits those around it best, where one counts `weight` times
// as much as its nearer neighbour. Centred: neither a slope nor a curve's ends pull it aside, as
// they do a mean of the past. NaN counts as absent.
std::vector<double> smoothed(const std::vector<double>& values, double weight);
// So many values on either side of one decide on its smoothed value, but for a thousandth.
std::size_t smoothingReach(double weight);

} // namespace stageloom
