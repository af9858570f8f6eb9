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
    // `batch`: the batch it is filed under; `group`: what Span::batch says.
    void record(
        const Action& action, std::int64_t batch, std::int32_t group, double start, double end);
    // All spans filed under a finished batch.
    std::vector<Span> take(std::int64_t batch);

private:
    Clock::time_point m_origin;
    std::int16_t m_device;
    std::size_t m_spansPerBatch;
    bool m_enabled;
    std::vector<std::vector<Span>> m_open; // batch % size
};

} // namespace stageloom::engine
