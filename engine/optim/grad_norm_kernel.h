// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace stageloom::engine {

double sumOfSquares(const float* values, std::int64_t count);
double sumOfSquares(const double* values, std::int64_t count);

} // namespace stageloom::engine
