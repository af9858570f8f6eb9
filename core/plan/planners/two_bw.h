// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/planners/partition.h"
#include <optional>

namespace stageloom::planners {

struct Candidate {
    PlanShape shape;
    Partition partition;
    double rate = 0; // samples/s of all pipelines: w·b/t, under a flush times m/(m+d-1)
};

struct Search {
    std::vector<Candidate> found; // best rate first; of equals the smallest w, then the smallest b
    std::vector<RejectedPlan> rejected;
    std::size_t considered = 0;
    bool onlyTooShallow = true; // nothing was refused for memory: m < d was the reason everywhere
    // The refused shape that is the fewest bytes over its worst device, for the message.
    std::optional<Candidate> closest;
    std::string closestText; // a sentence: stage, category, by how much
};

// All (w, d) with w·d = N and d ≤ layers, all b that divide B/w with m = B/(w·b) legal for the
// schedule, the fastest cut of unequal layers for each, recompute on just the stages that need it.
Search searchTwoBw(const PlannerRequest& request, const ScheduleInfo& schedule);
std::string shapeText(
    const std::string& schedule, const PlanShape& shape); // "2bw 1 × 8, b 4, m 16"

} // namespace stageloom::planners
