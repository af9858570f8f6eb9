// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stageloom {

// Columns of numbers packed into one compressed, checksummed blob. Integers are kept as differences
// of variable length, doubles bit for bit (NaN included) with like bytes side by side.
class ColumnBlockWriter {
public:
    void integers(std::span<const std::int64_t> values);
    void doubles(std::span<const double> values);
    [[nodiscard]] std::string finish() const;

private:
    std::string m_raw;
};

// Reads the columns in the order in which they were written; every damage is an error.
class ColumnBlockReader {
public:
    static Result<ColumnBlockReader> open(std::string_view blob);
    Result<std::vector<std::int64_t>> integers(std::size_t count);
    Result<std::vector<double>> doubles(std::size_t count);
    // No column is left.
    [[nodiscard]] bool atEnd() const { return m_at == m_raw.size(); }

private:
    std::string m_raw;
    std::size_t m_at = 0;
};

} // namespace stageloom
