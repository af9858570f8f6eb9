// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/grad_norm.h"

#include "core/base/check.h"
#include "engine/optim/kernels.h"

#include <cmath>

namespace stageloom::engine {

double squaredNorm(const at::Tensor& flat, std::int64_t begin, std::int64_t end)
{
    STAGELOOM_CHECK(flat.is_contiguous() && 0 <= begin && begin <= end && end <= flat.numel(),
        "a norm over a range outside its tensor");
    if (flat.scalar_type() == at::kDouble)
        return sumOfSquares(flat.const_data_ptr<double>() + begin, end - begin);
    return sumOfSquares(flat.const_data_ptr<float>() + begin, end - begin);
}

std::vector<double> squaredNormsOfSlots(const StageModule& stage, const at::Tensor& flat)
{
    std::vector<double> result;
    for (const auto& slot : stage.slots())
        result.push_back(slot.spec.tiedTo.empty()
                ? squaredNorm(flat, slot.offset, slot.offset + slot.spec.elements())
                : 0.0);
    return result;
}

double squaredNormOfOwned(const StageModule& stage, const at::Tensor& flat)
{
    double sum = 0;
    for (const double part : squaredNormsOfSlots(stage, flat))
        sum += part;
    return sum;
}

double clipFactor(double squaredNorm, double clipNorm)
{
    const double norm = std::sqrt(squaredNorm);
    return clipNorm > 0 && norm > clipNorm ? clipNorm / norm : 1.0;
}

} // namespace stageloom::engine
