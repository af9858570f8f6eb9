// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_writer.h"
#include "engine/control/control_server.h"
#include "engine/exec/executor.h"
#include "engine/worker/meters.h"
#include "engine/worker/steering.h"
#include <set>
#include <tuple>

namespace stageloom::engine {

// After the run's end: how long the store is tried before what it has not taken is kept beside the
// run.
inline constexpr std::chrono::seconds kSettleLimit { 30 };

// The run's log: a row of the store, a line in engine.log, an event for who watches. It also tells
// what happens to the store itself. Any thread.
class RunLog {
public:
    RunLog(RunId run, StoreWriter& store, ControlServer& server);
    ~RunLog();
    void write(const std::string& level, const std::string& text); // "info", "notice", "warning", …
    [[nodiscard]] double seconds() const; // since the start

private:
    const RunId m_run;
    StoreWriter& m_store;
    ControlServer& m_server;
    const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

struct RecorderSetup {
    RunId run;
    std::int64_t steps = 0;
    double tokensPerBatch = 0;
    std::optional<double> bubblePredicted;
    int devices = 1, stages = 1, microbatches = 1;
    std::chrono::milliseconds settleLimit = kSettleLimit;
};

// Turns the executor's reports into the run's rows and events: metrics and spans in blocks, a
// summary every second, everything at once to whoever watches. Used by the thread that runs the
// executor.
class RunRecorder {
public:
    RunRecorder(RecorderSetup setup, StoreWriter& store, ControlServer& server, Steering& steering,
        RunLog& log);

    void report(RunReport report);
    void idle(); // nothing was reported for a while: what is known gets out, the phase is told
    // Last words, rows and events; waits until they are on disk. An error says what is not in the
    // run store.
    Status finish(RunState state, const std::string& failure);
    [[nodiscard]] const RunSummary& summary() const { return m_summary; }

private:
    using Clock = std::chrono::steady_clock;
    void batch(BatchReport& report);
    void evaluated(const EvaluationReport& report);
    void held(const HoldReport& report);
    void live(LiveSpans& report);
    void flush(bool force);
    [[nodiscard]] double trained(double time) const;
    void skipped(const BatchReport& report);
    void rate(const BatchReport& report, MetricPoint& point);

    const RecorderSetup m_setup;
    StoreWriter& m_store;
    ControlServer& m_server;
    Steering& m_steering;
    RunLog& m_log;
    RateMeter m_rate;
    BubbleMeter m_bubble;
    RunSummary m_summary;
    std::vector<MetricPoint> m_points; // not yet posted
    std::vector<Span> m_spans; // not yet posted
    std::set<std::pair<int, double>> m_sent; // spans of open batches that went out live
    Clock::time_point m_posted = Clock::now();
    std::vector<HeldTime> m_held; // by worker
    MetricPoint m_last; // of the newest batch
    std::int64_t m_skipped = 0, m_skippedInRow = 0; // batches that changed no weight
    std::string m_phase; // as it was last told while idle
};

} // namespace stageloom::engine
