// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/planners/partition.h"
#include "core/schedule/registry.h"
#include <optional>

namespace stageloom::planners {

struct Candidate {
    PlanShape shape;
    Partition partition;
    double period = 0; // seconds a batch in the steady state, by the simulator
    double rate = 0; // samples/s of all pipelines
};

// What one schedule has to offer.
struct Search {
    std::vector<Candidate> found; // best rate first; of equals the smallest w, then the smallest b
    std::vector<RejectedPlan> rejected;
    std::size_t considered = 0;
    bool onlyTooShallow = true; // nothing was refused for memory: m < d was the reason everywhere
    bool tooManyMicrobatches = false; // small microbatches of this batch were not tried
    bool allDevicesTooShallow = false; // … among those that use the most devices
    // The refused shape that is the fewest bytes over its worst device, for the message.
    std::optional<Candidate> closest;
    std::string closestText, closestHelp; // stage, category, by how much; and what helps
};

// All (w, d) that the request allows with w·d of the N devices, fewer than N where that can be
// faster or nothing else goes; all b that divide B/w with m = B/(w·b) legal for the schedule. Each
// shape's cut of unequal layers is the fastest by the simulator for those shapes that can win,
// with recompute on just the stages that need it. Where the request is cancelled, what was found
// until then.
Search searchPipelines(const PlannerRequest& request, const ScheduleInfo& schedule);
// "2bw, 8 stages × 1 replica, b 4, m 16"
std::string shapeText(const std::string& schedule, const PlanShape& shape);

} // namespace stageloom::planners
