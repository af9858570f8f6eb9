// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include <optional>
#include <vector>

namespace stageloom {

// How one measured span stands to the planned one of the same (stage, chunk, microbatch, kind); the
// microbatch counts over the run and so names the batch too.
struct SpanDifference {
    std::uint32_t plan = 0; // position in the plan's spans
    double late = 0; // measured end - planned end; < 0: early
    double longer = 0; // measured duration - planned duration
    bool exact = true; // the very batch: `late` counts
};

struct TraceDifference {
    std::vector<std::optional<SpanDifference>> spans; // one a measured span
    double largest = 0; // of |late|
    std::size_t matched = 0;
    // Took far longer than planned: over a fifth of its plan and over six times the usual
    // deviation.
    [[nodiscard]] bool outlier(std::size_t run, const Trace& plan) const;
    double usual = 0; // median |longer|
};

// O(n log n) in the spans of both.
TraceDifference compare(const Trace& plan, const Trace& run);

} // namespace stageloom
