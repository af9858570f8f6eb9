// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "engine/client/run_control.h"
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
    // The engine finished, stopped, or died (`lastWords`: the end of its log).
    virtual void onEnded(RunState state, const std::string& lastWords) = 0;
};

// Follows a live run: subscribes on its control socket, notices when the engine is gone.
class RunWatch {
public:
    static Result<std::unique_ptr<RunWatch>> attach(
        const std::filesystem::path& folder, std::shared_ptr<RunListener> listener);
    virtual ~RunWatch() = default; // stops listening; the run goes on
};

} // namespace stageloom
