// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/metrics.h"
#include "engine/worker/held_time.h"
#include <optional>

namespace stageloom::engine {

// The bubble over all whole batches after the second, without keeping a long run's spans: busy time
// is summed piece by piece with measure(), and spans are dropped behind. Idle time of evaluations
// and pauses is left out: it says nothing about the schedule, and no prediction has it.
class BubbleMeter {
public:
    BubbleMeter(int devices, int stages, int microbatches);
    void add(const std::vector<Span>& spans); // of one batch
    void addHold(HeldTime::Piece hold); // before the batches that end after it
    // None until a whole batch after the second has been seen.
    [[nodiscard]] std::optional<double> bubbleFraction() const;
    // Busy share of each device over the same window, held time left out; empty where there is
    // none.
    [[nodiscard]] std::vector<double> busyShares() const;

private:
    struct Busy {
        double window = 0; // seconds
        std::vector<double> busy, held; // by device, seconds; held: idle during a hold
    };
    void fold();
    [[nodiscard]] std::optional<Busy> total() const;
    void addPiece(Busy& total, const Trace& trace, double begin, double end) const;

    Trace m_recent; // sorted by (device, start) when measured
    int m_batches = 0; // in m_recent
    std::optional<double> m_begin; // of the window
    double m_folded = 0; // busy time up to here is in m_busy
    Busy m_before; // up to m_folded; its window is not used
    HeldTime m_holds;
};

} // namespace stageloom::engine
