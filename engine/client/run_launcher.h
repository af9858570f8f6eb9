// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/plan/train_request.h"
#include <chrono>
#include <filesystem>
#include <functional>

namespace stageloom {

struct LaunchedRun {
    RunId id;
    int pid = 0;
    std::filesystem::path folder; // request.json, control.sock, lock, engine.log
    std::vector<std::string> notes; // for who started it: what is left out of text or training
};

// Refuses what cannot work (checkLaunch) and keeps nothing of it. Then: writes the launch record
// and the run's folder, starts stageloom-engine (beside this program) in a session of its own, and
// waits until its control socket answers or it has died (then: its last words).
Result<LaunchedRun> launchRun(const TrainRequest& request, const std::filesystem::path& store,
    std::chrono::seconds timeout = std::chrono::seconds(30));

// Times each layer of the plan's model for its microbatch size on this machine, in an engine
// process. `progress` gets a fraction; false stops it (Cancelled). An engine that neither says nor
// computes anything for five minutes, or `silence`, is ended.
Result<Profile> profileModel(const Plan& plan, std::function<bool(double)> progress = {});
Result<Profile> profileModelWithin(std::chrono::milliseconds silence, const Plan& plan,
    const std::function<bool(double)>& progress = {});

} // namespace stageloom
