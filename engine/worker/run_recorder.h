// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_writer.h"
#include "engine/exec/executor.h"
#include "engine/worker/bubble_meter.h"
#include "engine/worker/steering.h"

namespace stageloom::engine {

struct RecorderSetup {
    RunId run;
    std::int64_t steps = 0;
    double tokensPerBatch = 0;
    std::optional<double> bubblePredicted;
    int devices = 1, stages = 1, microbatches = 1;
};

// Turns the executor's reports into the run's rows and events: metrics and spans in blocks, a
// summary every second, everything at once to whoever watches. Used by the thread that runs the
// executor.
class RunRecorder {
public:
    RunRecorder(RecorderSetup setup, StoreWriter& store, ControlServer& server, Steering& steering);

    void report(RunReport report);
    void log(const std::string& level, const std::string& text);
    // Last words, rows and events; waits until they are on disk.
    Status finish(RunState state, const std::string& failure);
    [[nodiscard]] const RunSummary& summary() const { return m_summary; }

private:
    using Clock = std::chrono::steady_clock;
    void batch(BatchReport& report);
    void evaluated(const EvaluationReport& report);
    void flush(bool force);
    void rate(const BatchReport& report, MetricPoint& point);
    [[nodiscard]] double secondsSinceStart() const;

    const RecorderSetup m_setup;
    StoreWriter& m_store;
    ControlServer& m_server;
    Steering& m_steering;
    BubbleMeter m_bubble;
    RunSummary m_summary;
    std::vector<MetricPoint> m_points; // not yet posted
    std::vector<Span> m_spans; // not yet posted
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_posted = m_start;
    double m_lastTime = 0; // of the batch before, by the executor's clock
    double m_steadyTime = 0; // when the second batch was done
    bool m_warnedNotFinite = false;
};

} // namespace stageloom::engine
