// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

class JsonFields;

Result<OptimizerKind> parseOptimizerKind(const std::string& text);
std::string toString(OptimizerKind kind); // "adamw"
std::string toString(RateShape shape); // "cosine"
Json toJson(const OptimizerSettings& settings);
void readOptimizer(JsonFields& fields, OptimizerSettings& settings);

} // namespace stageloom
