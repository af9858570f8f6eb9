// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/run_watch.h"
#include <mutex>
#include <optional>
#include <vector>

namespace stageloom {

// Between the watch's thread and the window's. Bounded: a window that cannot follow loses spans
// (the store has them all), never metrics or the end.
class LiveBuffer : public RunListener {
public:
    struct Content {
        std::vector<MetricPoint> points;
        std::vector<Span> spans;
        std::vector<LogLine> log;
        std::optional<RunStatus> status;
        std::optional<RunState> ended;
        std::string lastWords;
        std::optional<double> silence; // seconds the engine is not heard; 0: it is heard again
        std::size_t droppedSpans = 0;
    };
    static constexpr std::size_t kSpanLimit = 200'000, kLogLimit = 10'000;

    void onMetrics(const MetricPoint& point) override;
    void onSpans(const std::vector<Span>& spans) override;
    void onLog(const LogLine& line) override;
    void onStatus(const RunStatus& status) override;
    void onEnded(RunState state, const std::string& lastWords) override;
    void onSilence(double seconds) override;
    Content take();

private:
    void heard(); // under the lock
    std::mutex m_mutex; // guards all below
    bool m_silent = false;
    Content m_content;
};

} // namespace stageloom
