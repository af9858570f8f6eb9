// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/run_fields.h"
#include <unordered_map>

namespace stageloom {

// Validation losses of a run by step, ascending.
using Evaluations = std::vector<std::pair<std::int64_t, double>>;
using EvaluationsByRun = std::unordered_map<std::int64_t, Evaluations>;

// The entries with what sets each apart from the baseline; as they are where there is none. Runs
// with other numbers of steps are compared at the last evaluation that both have had, as far as
// those are known, else not at all: less training is no difference of the runs.
RunEntries withDifferences(
    const RunEntries& entries, RunId baseline, const EvaluationsByRun& evaluations);

} // namespace stageloom
