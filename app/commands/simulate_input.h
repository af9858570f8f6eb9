// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include "core/sim/trace.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// What `simulate` was asked: exactly one of plan, profile and stages says where the times come
// from.
struct SimulateOptions {
    std::string plan, profile;
    int devices = 0, stages = 0, microbatches = 0, batches = 3;
    std::vector<int> stageLayers;
    std::vector<double> forward, backward, recompute;
    std::string schedule = "2bw";
    std::optional<double> hop;
    bool blockingHops = false, ascii = false, json = false;
    std::string csv, chromeTrace;
};

struct Simulated {
    Schedule schedule;
    Trace trace;
    std::string title;
};

Result<Simulated> simulateOptions(const SimulateOptions& options);

} // namespace stageloom
