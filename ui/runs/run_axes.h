// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/parallel_axes.h"
#include "ui/state/run_fields.h"

namespace stageloom {

struct RunAxes {
    std::vector<ParallelAxis> axes;
    std::vector<ParallelRow> rows; // one a run, in the order given
};

// The parallel coordinates of some runs (positions in the entries): schedule, the plan's numbers,
// and what came out.
RunAxes runAxes(const std::vector<RunEntry>& entries, const std::vector<std::uint32_t>& runs);

} // namespace stageloom
