// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/control/control_server.h"
#include "engine/exec/executor.h"
#include <atomic>
#include <thread>

namespace stageloom::engine {

// Where commands (socket, Ctrl-C) and the run meet: commands that come before the executor exists
// are kept for it. Any thread.
class Steering {
public:
    explicit Steering(std::int64_t steps);
    Status command(ControlCommand command);
    void attach(Executor* executor); // null: the run has ended
    [[nodiscard]] RunStatus status() const;
    [[nodiscard]] bool stopAsked() const;
    // The run thread's part of the status.
    void progress(std::int64_t step, double loss, double tokensPerSecond, double secondsLeft);

private:
    [[nodiscard]] std::string phase() const; // under the lock

    mutable std::mutex m_mutex;
    RunStatus m_status;
    Executor* m_executor = nullptr;
    bool m_ended = false, m_paused = false, m_stop = false, m_stopNow = false;
};

// Ctrl-C, SIGTERM and a terminal that goes (SIGHUP): the first stops after the batch, the second at
// once. To be made before any other thread, which then inherit the blocked signals: one thread that
// does not block them is enough for the signal to end the process. What ends a process that only
// failed to write a line (SIGPIPE, SIGXFSZ) is ignored from here on; the write says so itself.
class StopSignals {
public:
    explicit StopSignals(Steering& steering);
    ~StopSignals();

private:
    void watch();
    Steering& m_steering;
    std::atomic<bool> m_quit = false;
    std::thread m_thread;
};

} // namespace stageloom::engine
