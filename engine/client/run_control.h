// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <chrono>
#include <filesystem>
#include <memory>

namespace stageloom {

enum class ControlCommand { Query, Pause, Resume, Checkpoint, StopAfterBatch, StopNow, Subscribe };
// The word on the wire.
const char* toString(ControlCommand command);

struct RunStatus {
    // "starting", "running", "paused", "evaluating", "stopping", "finished"
    std::string phase;
    std::int64_t step = 0, steps = 0;
    double loss = 0, tokensPerSecond = 0;
    double secondsLeft = 0;
    int pid = 0;
};

// Steers one running engine through the socket in its folder. Every call has a time-out, after
// which the engine may still carry the command out: the error says so. One thread.
class RunControl {
public:
    static Result<RunControl> connect(const std::filesystem::path& folder,
        std::chrono::milliseconds timeout = std::chrono::milliseconds(2000));
    RunControl(RunControl&&) noexcept;
    RunControl& operator=(RunControl&&) noexcept;
    ~RunControl();

    Status pause();
    Status resume();
    // Answered with an error until checkpoints exist.
    Status checkpoint();
    Status stopAfterBatch();
    Status stopNow();
    Result<RunStatus> query();

private:
    explicit RunControl(int fd, std::chrono::milliseconds timeout);
    Result<Json> call(ControlCommand command);
    Status ask(ControlCommand command);
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stageloom
