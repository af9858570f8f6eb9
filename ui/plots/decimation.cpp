// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/decimation.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

void MinMaxPyramid::append(double value)
{
    m_values.push_back(value);
    if (std::isnan(value))
        value = std::numeric_limits<double>::infinity();
    std::size_t at = m_values.size() - 1;
    std::size_t below = m_values.size();
    for (std::size_t level = 0; below > 1; ++level) {
        at /= kRadix;
        below = (below + kRadix - 1) / kRadix;
        if (level == m_levels.size()) {
            // A new top: it sums up everything under it.
            m_levels.emplace_back();
            m_levels[level].push_back(range(0, m_values.size() - 1));
        }
        if (m_levels[level].size() <= at)
            m_levels[level].resize(at + 1);
        if (!std::isnan(m_values.back()))
            m_levels[level][at].add(value);
    }
}

void MinMaxPyramid::assign(std::vector<double> given)
{
    m_levels.clear();
    m_values = std::move(given);
    const std::vector<double>& values = m_values;
    std::size_t below = values.size();
    for (std::size_t level = 0; below > 1; ++level) {
        const std::size_t count = (below + kRadix - 1) / kRadix;
        std::vector<MinMax> nodes(count);
        for (std::size_t i = 0; i < below; ++i) {
            if (level > 0)
                nodes[i / kRadix].add(m_levels[level - 1][i]);
            else if (!std::isnan(values[i]))
                nodes[i / kRadix].add(values[i]);
        }
        m_levels.push_back(std::move(nodes));
        below = count;
    }
}

void MinMaxPyramid::truncate(std::size_t size)
{
    if (size >= m_values.size())
        return;
    m_values.resize(size);
    std::size_t below = size;
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        std::vector<MinMax>& nodes = m_levels[level];
        const std::size_t count = (below + kRadix - 1) / kRadix;
        if (below <= 1) {
            m_levels.resize(level);
            return;
        }
        nodes.resize(count);
        MinMax last; // of what is left below it
        for (std::size_t i = (count - 1) * kRadix; i < below; ++i)
            if (level > 0)
                last.add(m_levels[level - 1][i]);
            else if (!std::isnan(m_values[i]))
                last.add(m_values[i]);
        nodes.back() = last;
        below = count;
    }
}

MinMax MinMaxPyramid::range(std::size_t from, std::size_t to) const
{
    MinMax result;
    to = std::min(to, m_values.size());
    while (from < to) {
        std::size_t level = 0, width = 1;
        while (level < m_levels.size() && from % (width * kRadix) == 0
            && from + width * kRadix <= to && from / (width * kRadix) < m_levels[level].size()) {
            width *= kRadix;
            ++level;
        }
        if (level > 0)
            result.add(m_levels[level - 1][from / width]);
        else if (!std::isnan(m_values[from]))
            result.add(m_values[from]);
        from += width;
    }
    return result;
}

std::vector<DrawnPoint> decimate(const std::vector<double>& x, const MinMaxPyramid& values,
    double left, double right, int columns)
{
    std::vector<DrawnPoint> points;
    const std::size_t size = std::min(x.size(), values.size());
    if (size == 0 || columns < 1 || !(right > left))
        return points;
    const auto at = [&](double when) {
        return static_cast<std::size_t>(
            std::lower_bound(x.begin(), x.begin() + static_cast<long>(size), when) - x.begin());
    };
    // One point more on either side: the line runs on past the edge.
    std::size_t from = at(left);
    from -= from > 0 ? 1 : 0;
    const std::size_t to = std::min(size, at(right) + 1);
    if (to - from <= 2 * static_cast<std::size_t>(columns)) {
        for (std::size_t i = from; i < to; ++i)
            points.push_back({ x[i], values.values()[i] });
        return points;
    }
    points.reserve(2 * static_cast<std::size_t>(columns) + 2);
    const double step = (right - left) / columns;
    double last = values.values()[from];
    std::size_t begin = from;
    for (int column = 0; column < columns && begin < to; ++column) {
        const double edge = left + (column + 1) * step;
        const std::size_t end
            = column + 1 == columns ? to : std::min(to, std::max(begin, at(edge)));
        const MinMax box = values.range(begin, end);
        if (!box.empty()) {
            const double middle = left + (column + 0.5) * step;
            // The nearer extreme first, so that the line does not cross the column thrice.
            const bool lowFirst = std::fabs(box.low - last) <= std::fabs(box.high - last);
            points.push_back({ middle, lowFirst ? box.low : box.high });
            if (box.high > box.low)
                points.push_back({ middle, lowFirst ? box.high : box.low });
            last = points.back().y;
        }
        begin = end;
    }
    return points;
}

MinMax middleOf(std::vector<double> values, double share)
{
    std::erase_if(values, [](double v) { return std::isnan(v); });
    MinMax middle;
    if (values.empty())
        return middle;
    const auto out = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    const auto low = values.begin() + out, high = values.end() - 1 - out;
    std::nth_element(values.begin(), low, values.end());
    middle.add(*low);
    std::nth_element(values.begin(), high, values.end());
    middle.add(*high);
    return middle;
}

namespace {

// Sums over one side of a value, the value itself included: of the weights, of weight times
// distance and its square, and of the first two times the values.
struct Side {
    double mass = 0, far = 0, square = 0, sum = 0, moment = 0;
    void step(double weight, double sign, double value)
    {
        const bool known = std::isfinite(value);
        square = weight * (square + sign * 2 * far + mass);
        far = weight * (far + sign * mass);
        moment = weight * (moment + sign * sum);
        mass = weight * mass + (known ? 1 : 0);
        sum = weight * sum + (known ? value : 0);
    }
};

double fitted(const Side& left, const Side& right, double own)
{
    const bool known = std::isfinite(own); // counted on both sides
    const double mass = left.mass + right.mass - (known ? 1 : 0);
    const double far = left.far + right.far, square = left.square + right.square;
    const double sum = left.sum + right.sum - (known ? own : 0);
    const double moment = left.moment + right.moment;
    if (mass <= 0)
        return own;
    const double spread = mass * square - far * far;
    // One value alone, or several in one place, have no slope.
    return spread > 1e-9 * mass * mass ? (square * sum - far * moment) / spread : sum / mass;
}

} // namespace

std::vector<double> smoothed(const std::vector<double>& values, double weight)
{
    std::vector<Side> right(values.size());
    Side side;
    for (std::size_t i = values.size(); i-- > 0;) {
        side.step(weight, 1, values[i]);
        right[i] = side;
    }
    side = {};
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        side.step(weight, -1, values[i]);
        result[i] = fitted(side, right[i], values[i]);
    }
    return result;
}

std::size_t smoothingReach(double weight)
{
    return weight > 0 ? static_cast<std::size_t>(std::ceil(std::log(1e-4) / std::log(weight))) : 1;
}

} // namespace stageloom
