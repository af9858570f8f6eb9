// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/store/run_store.h"
#include <optional>
#include <string>

namespace stageloom {

// A number that was predicted and measured; either may be missing.
struct Foreseen {
    std::optional<double> predicted, measured;
    [[nodiscard]] std::optional<double> difference() const; // of the predicted: 0.06 is 6 % more
};

// What a run's plan promised, beside what came out. A bubble is the steady one, between filling and
// draining; a plan of one stage has none.
struct RunPrediction {
    Foreseen stepSeconds, tokensPerSecond, bubble;
    Foreseen memory; // bytes, of the training process at its peak
};

// As the store keeps the run.
RunPrediction predictionOf(const RunStore& store, const RunRow& row);
// The same of its documents. The engine puts what it predicted into the run's environment; of a run
// without it the plan is predicted again, and what cannot be (an older version's, none at all) is
// left out.
RunPrediction predictionOf(const RunRow& row, const Json& plan, const Json& environment);
// Keys of `runs show` and `runs compare`.
Json toJson(const RunPrediction& prediction);

// "141 ms (predicted 133 ms, +6.0 %)"; a dash where nothing is known. Shares differ in points.
std::string secondsText(const Foreseen& seconds);
std::string tokenRateText(const Foreseen& rate);
std::string bubbleText(const Foreseen& share);
std::string memoryText(const Foreseen& bytes);

} // namespace stageloom
