// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <chrono>
#include <vector>

namespace stageloom::engine {

// Spans of one stage, sorted into batches as they are recorded. Owned by the stage's thread; no
// lock, no allocation once the first batches have passed.
class SpanRecorder {
public:
    using Clock = std::chrono::steady_clock;
    // `inFlight`: batches that may be open at once.
    SpanRecorder(Clock::time_point origin, int device, std::size_t inFlight,
        std::size_t spansPerBatch, bool enabled);

    [[nodiscard]] double now() const // seconds since the run's origin
    {
        return std::chrono::duration<double>(Clock::now() - m_origin).count();
    }
    // `batch`: of the plan. The span that was filed, good until the next call; null where recording
    // is off.
    const Span* record(const Action& action, std::int64_t batch, double start, double end)
    {
        if (!m_enabled)
            return nullptr;
        if (batch != m_batch) // mostly the same as before, so that nothing is divided
            choose(batch);
        Span& span = m_open[m_chosen].emplace_back();
        span.start = start;
        span.end = end;
        span.microbatch = action.microbatch;
        span.batch = static_cast<std::int32_t>(batch);
        span.version = action.version;
        span.stage = static_cast<std::int16_t>(action.stage);
        span.device = m_device;
        span.kind = action.kind;
        span.chunk = action.chunk;
        span.cargo = cargoOf(action);
        return &span;
    }
    // All spans filed under a finished batch.
    std::vector<Span> take(std::int64_t batch);

private:
    void choose(std::int64_t batch);

    Clock::time_point m_origin;
    std::int16_t m_device;
    std::size_t m_spansPerBatch;
    bool m_enabled;
    std::vector<std::vector<Span>> m_open; // batch % size
    std::int64_t m_batch = -1; // whose spans go to m_chosen
    std::size_t m_chosen = 0; // place in m_open
};

} // namespace stageloom::engine
