// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/gradient_norm.h"

#include "core/base/check.h"
#include <algorithm>
#include <array>

namespace stageloom::engine {

namespace {
constexpr std::int64_t kLanes
    = 16; // independent sums, so that the additions need not wait for each other

template <typename T> double sumOfSquares(const T* data, std::int64_t n)
{
    std::array<double, kLanes> sums {};
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            const double value = static_cast<double>(data[i + lane]);
            sums[static_cast<std::size_t>(lane)] += value * value;
        }
    }
    for (; i < n; ++i)
        sums[0] += static_cast<double>(data[i]) * static_cast<double>(data[i]);
    double total = 0;
    for (double sum : sums)
        total += sum;
    return total;
}
}

double squaredNorm(const at::Tensor& contiguous)
{
    STAGELOOM_CHECK(contiguous.is_contiguous(), "gradients are views of a flat buffer");
    if (contiguous.scalar_type() == at::kDouble)
        return sumOfSquares(contiguous.const_data_ptr<double>(), contiguous.numel());
    STAGELOOM_CHECK(contiguous.scalar_type() == at::kFloat, "accumulators are fp32 or fp64");
    return sumOfSquares(contiguous.const_data_ptr<float>(), contiguous.numel());
}

std::vector<double> squaredNorms(const std::vector<at::Tensor>& gradients)
{
    std::vector<double> norms;
    norms.reserve(gradients.size());
    for (const at::Tensor& gradient : gradients)
        norms.push_back(squaredNorm(gradient));
    return norms;
}

double clipFactor(double norm, double clipNorm)
{
    return clipNorm > 0 ? std::min(1.0, clipNorm / (norm + 1e-6)) : 1.0;
}

} // namespace stageloom::engine
