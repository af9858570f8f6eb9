// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/schedule/registry.h"
#include "core/sim/simulator.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// What `simulate` was asked: exactly one of plan, profile and stages says where the times come
// from. What was not given is 0 or empty.
struct SimulateOptions {
    std::string plan, profile;
    int devices = 0, stages = 0, microbatches = 0, batches = 3;
    std::vector<int> stageLayers;
    std::vector<double> forward, backward;
    bool recomputeAsked = false, noRecompute = false;
    std::vector<double> recompute; // empty though asked: the profile's own times
    std::string schedule; // default: the plan's, else kDefaultSchedule
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

// The parts of it, one a source of times (simulate_plan.cpp, simulate_profile.cpp).
namespace simulation {
// One value stands for every stage; else there is one each.
Result<std::vector<double>> spread(
    const std::vector<double>& given, int stages, const char* option);
// `unit`: "s", or empty for the caller's own.
Result<Simulated> timeIt(
    const SimulateOptions& options, const SimulationInput& input, const char* unit);
// Refuses a list that would need more memory than there is.
Status checkSize(int stages, int microbatches, int batches);
Result<Simulated> fromProfile(const SimulateOptions& options);
Result<Simulated> fromPlan(const SimulateOptions& options);
} // namespace simulation

} // namespace stageloom
