// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/plan/train_request.h"
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace stageloom {

struct LaunchedRun {
    RunId id;
    int pid = 0;
    std::filesystem::path folder; // request.json, control.sock, lock, engine.log
    std::vector<std::string> notes; // for who started it: what is left out of text or training
};

// Refuses what cannot work and can be known before it, and keeps nothing of it. Then: writes the
// launch record and the run's folder, starts stageloom-engine (beside this program) in a session of
// its own, and waits until its control socket answers or it has died (then: its last words).
Result<LaunchedRun> launchRun(const TrainRequest& request, const std::filesystem::path& store,
    std::chrono::seconds timeout = std::chrono::seconds(30));

} // namespace stageloom
