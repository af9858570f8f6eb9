// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/planner.h"

namespace stageloom {

// A pipeline's layout as it is told everywhere: "4 stages × 1 replica".
std::string layoutText(int depth, int width);
// Seconds of a prediction; estimates are told as such, with what they know.
std::string timeText(const Prediction& prediction, double seconds);
// What it does in a second, the same way: "63,790 tokens/s", "≈ 64 k tokens/s".
std::string rateText(const Prediction& prediction);
// One sentence with numbers: what bounds the plan and, where `next` is given, what it is ahead of;
// where `best` is given, what it falls behind.
std::string explain(const RankedPlan& plan, const RankedPlan* best, const RankedPlan* next);

} // namespace stageloom
