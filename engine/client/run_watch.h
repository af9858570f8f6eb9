// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "engine/client/run_control.h"
#include <chrono>
#include <filesystem>
#include <memory>

namespace stageloom {

// Calls arrive on the watch's own thread. `onEnded` is the last one.
struct RunListener {
    virtual ~RunListener() = default;
    virtual void onMetrics(const MetricPoint& point) = 0;
    // Several times a second while the run goes on, each span once.
    virtual void onSpans(const std::vector<Span>& spans) = 0;
    virtual void onLog(const LogLine& line) = 0;
    virtual void onStatus(const RunStatus& status) = 0;
    // The engine finished, stopped, or died. `lastWords`: why, where it failed or died; also what
    // could not be kept of a run that finished.
    virtual void onEnded(RunState state, const std::string& lastWords) = 0;
    // Called by the watch when the engine, which speaks every second, was not heard for
    // kSilence, and again after each further kSilence: it is stopped (SIGSTOP), its machine swaps
    // or sleeps. `seconds`: how long by now. Any other call means that it is heard again.
    virtual void onSilence(double seconds) { static_cast<void>(seconds); }
};

// Follows a live run: subscribes on its control socket, notices when the engine is gone.
class RunWatch {
public:
    static constexpr std::chrono::milliseconds kSilence { 5000 };
    static Result<std::unique_ptr<RunWatch>> attach(const std::filesystem::path& folder,
        std::shared_ptr<RunListener> listener, std::chrono::milliseconds silence = kSilence);
    virtual ~RunWatch() = default; // stops listening; the run goes on
};

} // namespace stageloom
