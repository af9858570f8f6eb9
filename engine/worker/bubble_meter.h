// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/metrics.h"
#include <optional>

namespace stageloom::engine {

// The bubble over all whole batches after the second, without keeping a long run's spans: busy time
// is summed piece by piece with measure(), and spans are dropped behind.
class BubbleMeter {
public:
    BubbleMeter(int devices, int stages, int microbatches);
    void add(const std::vector<Span>& spans); // of one batch
    // None until a whole batch after the second has been seen.
    [[nodiscard]] std::optional<double> bubbleFraction() const;
    // Busy share of each device over the same window; empty where there is none.
    [[nodiscard]] std::vector<double> busyShares() const;

private:
    struct Busy {
        double window = 0; // seconds
        std::vector<double> busy; // by device, seconds
    };
    void fold();
    [[nodiscard]] std::optional<Busy> total() const;
    static void addBusy(std::vector<double>& busy, const TraceMetrics& metrics);

    Trace m_recent; // sorted by (device, start) when measured
    int m_batches = 0; // in m_recent
    std::optional<double> m_begin; // of the window
    double m_folded = 0; // busy time up to here is in m_busy
    std::vector<double> m_busy;
};

} // namespace stageloom::engine
