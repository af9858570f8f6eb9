// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

namespace stageloom {

// One axis of parallel coordinates. Where it has labels, the values are their positions.
struct ParallelAxis {
    QString title;
    QStringList labels; // empty: numbers
    QString (*format)(double value, int kind) = nullptr; // none: three digits
    int kind = 0; // for format
    bool logarithmic = false; // only where all values are above 0
    double low = 0, high = 1; // of the values
    std::optional<std::pair<double, double>> brush; // low ≤ high, in values

    [[nodiscard]] double shareOf(double value) const; // 0 at low … 1 at high
    [[nodiscard]] double valueAt(double share) const; // clamped to the axis
    [[nodiscard]] QString text(double value) const;
};

using ParallelRow = std::vector<double>; // a value an axis; NaN: none

// Sets low and high to hold the values of a column; one value alone gets room around it.
void fitAxis(ParallelAxis& axis, std::size_t column, const std::vector<ParallelRow>& rows);
// Inside every brush; a row without a value is outside a brush on that axis.
bool insideBrushes(const std::vector<ParallelAxis>& axes, const ParallelRow& row);
std::vector<int> rowsInside(
    const std::vector<ParallelAxis>& axes, const std::vector<ParallelRow>& rows);
// Moved by `by` shares of the axis, as a whole, not over its ends.
std::pair<double, double> movedBrush(
    const ParallelAxis& axis, std::pair<double, double> brush, double by);
// Each end `by` shares further out (negative: in), at least a fiftieth of the axis long.
std::pair<double, double> widenedBrush(
    const ParallelAxis& axis, std::pair<double, double> brush, double by);

} // namespace stageloom
