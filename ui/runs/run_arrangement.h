// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_query.h"
#include <cstdint>
#include <optional>
#include <unordered_set>

namespace stageloom {

enum class RunGrouping { None, Model, Schedule, State, Tag };

// How the table shows the runs.
struct RunArrangement {
    RunQuery query;
    std::optional<std::unordered_set<std::int64_t>> only; // brushed runs; none: no brush
    RunField sort = RunField::Number;
    bool descending = true;
    RunGrouping grouping = RunGrouping::None;
};

struct RunSection {
    QString title; // empty where nothing is grouped
    std::vector<std::uint32_t> runs; // positions in the entries
};

// Filtered, grouped (sections by title, no tag last), sorted. Equal runs keep their order; runs
// without the number sorted by come last in either direction.
std::vector<RunSection> arrange(
    const std::vector<RunEntry>& entries, const RunArrangement& arrangement);

} // namespace stageloom
