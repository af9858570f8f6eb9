// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/grad_norm_kernel.h"

#include "engine/optim/instruction_clones.h"

namespace stageloom::engine {

namespace {

// Element i goes to sum i mod 32: independent chains for the vector unit in an order fixed by the
// source.
constexpr std::int64_t kSums = 32;

template <typename T>
[[gnu::always_inline]] inline double sumSquares(const T* values, std::int64_t count)
{
    double sums[kSums] = {};
    std::int64_t i = 0;
    for (; i + kSums <= count; i += kSums)
        for (std::int64_t j = 0; j < kSums; ++j) {
            const double value = static_cast<double>(values[i + j]);
            sums[j] += value * value;
        }
    for (std::int64_t j = 0; i + j < count; ++j) {
        const double value = static_cast<double>(values[i + j]);
        sums[j] += value * value;
    }
    for (std::int64_t width = kSums / 2; width > 0; width /= 2)
        for (std::int64_t j = 0; j < width; ++j)
            sums[j] += sums[j + width];
    return sums[0];
}

} // namespace

STAGELOOM_CLONES double sumOfSquares(const float* values, std::int64_t count)
{
    return sumSquares(values, count);
}

STAGELOOM_CLONES double sumOfSquares(const double* values, std::int64_t count)
{
    return sumSquares(values, count);
}

} // namespace stageloom::engine
