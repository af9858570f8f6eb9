// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace stageloom::engine {

// One batch whose updates are done on every stage.
struct BatchReport {
    std::int64_t step = 0; // 1-based: batches done
    double time = 0; // seconds since the run's origin, when the last stage was done
    double loss = 0; // nats a token: mean over the batch, at the version its forward read
    double gradNorm
        = 0; // of all stages' gradient, before clipping; as it is where it is not finite
    double learningRate = 0;
    // Updates of this batch that were not made, because a loss or gradient in them was not a finite
    // number: the version is the one before again, and the optimizer has not stepped.
    int skipped = 0;
    bool wholeSkipped = false; // all of them
    int brokenStage = -1; // of the last of them: where the first such number came up
    bool lossFinite = true; // false: in the loss
    std::vector<Span> spans; // sorted by (device, start); empty unless recorded
};

struct EvaluationReport {
    std::int64_t step = 0; // batches done
    std::int64_t version = 0; // the weight version that was used, the newest
    double loss = 0; // nats a token: mean over the evaluation's samples
    double time = 0; // seconds since the run's origin
};

// A worker did no training from start to end: it evaluated, or the run was paused. Arrives before
// the reports of the batches that end after it.
struct HoldReport {
    int worker = 0;
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
    std::optional<double> squaredNorm; // of all stages, where they reduce; else from the parts
    std::vector<double> squaredNorms;
    int updates = 1, skipped = 0;
    int brokenStage = -1;
    bool lossFinite = true;
    std::vector<Span> spans;
};

// From the workers to the thread that runs the executor: spans of batches that are not finished.
// Nothing but one relaxed load an action while nobody watches.
class LiveFeed {
public:
    void want(bool wanted) { m_wanted.store(wanted, std::memory_order_relaxed); }
    [[nodiscard]] bool wanted() const { return m_wanted.load(std::memory_order_relaxed); }
    void add(const Span& span)
    {
        const std::lock_guard lock(m_mutex);
        m_spans.push_back(span);
    }
    std::vector<Span> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_spans, {});
    }

private:
    std::atomic<bool> m_wanted = false;
    std::mutex m_mutex;
    std::vector<Span> m_spans;
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
