// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/prediction.h"

namespace stageloom {

struct PlannerRequest {
    std::string modelSource;
    Model model;
    Topology topology;
    std::int64_t batchSize = 0; // B: largest batch the optimizer tolerates (samples)
    std::string planner = "auto"; // "auto", "2bw", "pipedream"
    // Falls back to kFlushSchedule, with a note, where too few microbatches leave no plan.
    std::string schedule = kDefaultSchedule;
    OptimizerSettings optimizer;
    std::optional<Profile> profile;
    int width = 0; // parallel pipelines; 0: any (the engine trains width 1)
    int top = 5;
};

struct RankedPlan {
    Plan plan;
    Prediction prediction;
    std::string why; // why it is where it is, against the next one
};

struct RejectedPlan {
    std::string plan; // "2bw 1 × 8, b 4, m 16"
    std::string reason;
};

struct PlannerAnswer {
    std::vector<RankedPlan> plans; // best first
    std::vector<RejectedPlan> rejected;
    double seconds = 0;
    std::size_t considered = 0;
    std::string planner;
};

Result<PlannerAnswer> makePlans(const PlannerRequest& request);
Json toJson(const PlannerAnswer& answer); // the document of `plan --json`

} // namespace stageloom
