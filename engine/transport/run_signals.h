// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>

namespace stageloom::engine {

// What every thread of one run looks at: abort, pause, the last batch to run, and whether anything
// still moves. All functions may be called from any thread.
class RunSignals {
public:
    // `patience`: a wait fails when no worker finished an action for this long. `spin`: whether a
    // wait may burn its core for some microseconds before it sleeps (only sensible with a core for
    // every worker).
    RunSignals(std::chrono::milliseconds patience, bool spin)
        : m_patience(patience)
        , m_spin(spin)
    {
    }

    // The first reason wins.
    void abort(Error reason);
    [[nodiscard]] bool aborted() const { return m_aborted.load(std::memory_order_acquire); }
    [[nodiscard]] Error reason() const;

    void setPaused(bool paused);
    [[nodiscard]] bool paused() const { return m_paused.load(std::memory_order_relaxed); }
    // Blocks while paused; an error when the run is aborted meanwhile.
    Status waitWhilePaused();

    // Batches begin in order on every worker. False: the run stops before this batch, skip its
    // actions. Whatever a worker was told about a batch holds for all workers.
    bool beginBatch(std::int64_t batch);
    // No batch begins any more that no worker has begun yet.
    void stopAfterBegunBatches();
    [[nodiscard]] std::int64_t lastBatch() const
    {
        return m_lastBatch.load(std::memory_order_acquire);
    }
    [[nodiscard]] bool stopRequested() const
    {
        return lastBatch() != std::numeric_limits<std::int64_t>::max();
    }

    void progressed() { m_progress.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] bool spins() const { return m_spin; }

    // Sleeps until `ready()` (called under `lock`), the run is aborted, or nothing moved for the
    // patience; the last aborts the run with the sentence that `what()` starts ("stage 1 waits for
    // …").
    template <typename Ready, typename What>
    Status wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, Ready ready,
        What what)
    {
        Deadline deadline(*this);
        while (!ready()) {
            if (aborted())
                return tl::unexpected<Error>(reason());
            if (deadline.passed()) {
                abort(stalled(what()));
                return tl::unexpected<Error>(reason());
            }
            changed.wait_for(lock, kSlice);
        }
        return {};
    }

private:
    static constexpr std::chrono::milliseconds kSlice { 20 };

    // Moves on as long as any worker does, or the run is paused.
    class Deadline {
    public:
        explicit Deadline(RunSignals& signals);
        bool passed();

    private:
        RunSignals& m_signals;
        std::uint64_t m_seen;
        std::chrono::steady_clock::time_point m_end;
    };
    [[nodiscard]] Error stalled(const std::string& what) const;

    const std::chrono::milliseconds m_patience;
    const bool m_spin;
    std::atomic<bool> m_aborted = false, m_paused = false;
    std::atomic<std::uint64_t> m_progress = 0;
    std::atomic<std::int64_t> m_lastBatch = std::numeric_limits<std::int64_t>::max();
    mutable std::mutex m_mutex; // guards the three below
    std::condition_variable m_resumed;
    Error m_reason;
    std::int64_t m_begun = -1;
};

} // namespace stageloom::engine
