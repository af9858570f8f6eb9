// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/prediction.h"
#include <functional>

namespace stageloom {

struct PlannerRequest {
    std::string modelSource;
    Model model;
    Topology topology;
    std::int64_t batchSize = 0; // B: largest batch the optimizer tolerates (samples)
    // "auto": where the batch is too small for the one schedule on all devices, kFlushSchedule
    // competes, with a note; "2bw": the schedules as they are.
    std::string planner = "auto";
    std::vector<std::string> schedules { kDefaultSchedule }; // compared with one another
    OptimizerSettings optimizer;
    std::optional<Profile> profile;
    // Fixed where above 0: parallel pipelines (the engine trains width 1), stages, samples a
    // microbatch, microbatches a batch and pipeline.
    int width = 0, stages = 0, microbatchSize = 0, microbatches = 0;
    int top = 5;
    // Asked between candidates, on the planner's thread: true ends the search with
    // ErrorKind::Cancelled. Unset: never.
    std::function<bool()> cancelled;
};

// Rates this close are equal to what a simulation knows: less memory decides, then the rate.
inline constexpr double kEqualSpeed = 0.005;

struct RankedPlan {
    Plan plan;
    Prediction prediction;
    std::string why; // why it is where it is, against the next one
};

struct RejectedPlan {
    std::string plan; // "2bw, 8 stages × 1 replica, b 4, m 16"
    std::string reason;
    // The same as numbers; 0: it was refused for the layout alone.
    std::string schedule;
    int depth = 0, width = 0, microbatchSize = 0, microbatches = 0;
    // Where memory is the reason: what the worst stage of the closest cut needs, and the rate that
    // cut could not exceed. Else 0.
    double peakMemory = 0, mostSamplesPerSecond = 0;
};

struct PlannerAnswer {
    // Best first; of several schedules each one's best is among them.
    std::vector<RankedPlan> plans;
    std::vector<RejectedPlan> rejected;
    double seconds = 0;
    std::size_t considered = 0;
    std::string planner;
};

Result<PlannerAnswer> makePlans(const PlannerRequest& request);
Json toJson(const PlannerAnswer& answer); // the document of `plan --json`

} // namespace stageloom
