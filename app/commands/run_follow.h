// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run_prediction.h"
#include "core/base/json.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include <filesystem>
#include <functional>

namespace stageloom {

struct FollowOptions {
    bool json = false; // one object a step on stdout; otherwise progress on stderr
    bool fromStart = true; // every step since the run's first; otherwise from now on
    // Ctrl-C stops the run after its batch, a second one at once; otherwise it only ends the
    // following.
    bool interruptStops = true;
    std::function<void(const MetricPoint&)> onPoint; // every step, in order; called on this thread
};

// Follows a run until it ends, prints its steps, and returns its final row. A failed or lost run is
// an error with its last words; a stop that was asked for is not.
Result<RunRow> followRun(
    const std::filesystem::path& store, RunId id, const FollowOptions& options);

// The last object of `train --json` (contract.md).
Json finalDocument(const RunRow& row);
// The same for a person, several lines, beside what was predicted.
// `state`: what it is now, where that is known better than the row (a pause).
std::string finalText(
    const RunRow& row, const RunPrediction& prediction, const std::string& state = {});
// One of the two, on standard output, of a run that was followed to its end.
Status printEnd(const std::filesystem::path& store, const RunRow& row, bool json);

} // namespace stageloom
