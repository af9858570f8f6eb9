// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace stageloom::engine {

// table[index[r]] += rows[r] for r = 0 … count-1 in this order, so that the bits never depend on
// threads. The indices are the caller's to have checked. Both tables are dense with `width`
// columns.
void addRows(float* table, const std::int64_t* index, const float* rows, std::int64_t count,
    std::int64_t width);
void addRows(double* table, const std::int64_t* index, const double* rows, std::int64_t count,
    std::int64_t width);

} // namespace stageloom::engine
