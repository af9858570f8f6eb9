// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace stageloom::engine {

// One batch whose updates are done on every stage.
struct BatchReport {
    std::int64_t step = 0; // 1-based: batches done
    double time = 0; // seconds since the run's origin, when the last stage was done
    double loss = 0; // mean over the batch, before the update, at the version its forward read
    double gradNorm = 0;
    double learningRate = 0;
    std::vector<Span> spans; // sorted by (device, start); empty unless recorded
};

struct EvaluationReport {
    std::int64_t step = 0; // batches done
    std::int64_t version = 0; // the weight version that was used, the newest
    double loss = 0;
    double time = 0;
};

// A worker did no training from start to end: it evaluated, or the run was paused. Arrives before
// the reports of the batches that end after it.
struct HoldReport {
    double start = 0, end = 0; // seconds since the run's origin
};

// Spans as they are recorded, for who watches: each comes once, and again in its batch's report.
struct LiveSpans {
    std::vector<Span> spans;
};

using RunReport = std::variant<BatchReport, EvaluationReport, HoldReport, LiveSpans>;

// What one stage knows of a batch it has finished.
struct StageBatch {
    std::int64_t batch = 0;
    double time = 0;
    double loss = 0; // last stage only
    double learningRate = 0;
    double squaredNorm = -1; // global, where stages reduce; else from the parts
    std::vector<double> squaredNorms;
    std::vector<Span> spans;
};

// Workers put down what they finished; the thread that runs the executor picks up whole batches, in
// order.
class BatchBoard {
public:
    explicit BatchBoard(int stages)
        : m_stages(stages)
    {
    }
    void put(int stage, StageBatch part); // a worker's thread; a short lock, once a batch
    void put(EvaluationReport report);
    void put(HoldReport report);
    void workerEnded();
    // Waits up to `timeout` for the next report. Empty: none yet.
    std::optional<RunReport> next(std::chrono::milliseconds timeout, int workers);
    // All of `workers` have ended and every report was taken.
    bool drained(int workers);

private:
    struct Entry {
        std::vector<StageBatch> parts; // by stage
        int posted = 0;
    };
    [[nodiscard]] static BatchReport merged(Entry entry);

    const int m_stages;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::int64_t, Entry> m_open;
    std::deque<std::variant<Entry, EvaluationReport, HoldReport>> m_done;
    int m_ended = 0;
};

} // namespace stageloom::engine
