// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/scatter_rows.h"

namespace stageloom::engine {

namespace {

template <typename T>
void addRowsOf(
    T* table, const std::int64_t* index, const T* rows, std::int64_t count, std::int64_t width)
{
    for (std::int64_t r = 0; r < count; ++r) {
        T* to = table + index[r] * width;
        const T* from = rows + r * width;
        for (std::int64_t c = 0; c < width; ++c)
            to[c] += from[c];
    }
}

} // namespace

void addRows(float* table, const std::int64_t* index, const float* rows, std::int64_t count,
    std::int64_t width)
{
    addRowsOf(table, index, rows, count, width);
}

void addRows(double* table, const std::int64_t* index, const double* rows, std::int64_t count,
    std::int64_t width)
{
    addRowsOf(table, index, rows, count, width);
}

} // namespace stageloom::engine
