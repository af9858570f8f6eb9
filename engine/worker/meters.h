// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/metrics.h"
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

// What a run measures of itself while it goes on, without keeping a long run's spans.
namespace stageloom::engine {

// When a run did not train, but evaluated or was paused: the union of what its workers report. A
// run of any length keeps a few pieces a hold.
class HeldTime {
public:
    struct Piece {
        double start = 0, end = 0; // seconds since the run's origin
    };
    void add(Piece piece); // pieces come nearly in order
    // Seconds held before `time`.
    [[nodiscard]] double before(double time) const;
    // Apart from each other and in order, clipped to [begin, end).
    [[nodiscard]] std::vector<Piece> within(double begin, double end) const;

private:
    std::vector<Piece> m_pieces; // in order, apart from each other
    double m_total = 0;
};

// Tokens a second, from when the batches ended. Batches overlap in the pipeline and may end
// together, so the time between two ends says little: every rate is over several batches, or from
// the start on.
class RateMeter {
public:
    explicit RateMeter(double tokensPerBatch)
        : m_tokensPerBatch(tokensPerBatch)
    {
    }
    // `time`: seconds of training, since the start, without what was held. In order.
    void add(double time);
    [[nodiscard]] double recent() const; // over the last batches; NaN: not known
    // Over the whole run; without the time in which the pipeline filled, once enough batches
    // follow it.
    [[nodiscard]] double mean() const;

    static constexpr std::int64_t kFilling = 2; // batches
    static constexpr std::int64_t kEnough = 8; // batches after them
    static constexpr std::size_t kRecent = 4; // batches

private:
    [[nodiscard]] double rate(std::int64_t batches, double since) const;

    double m_tokensPerBatch;
    std::int64_t m_batches = 0;
    double m_filled = 0; // when the last of the first kFilling batches ended
    std::deque<double> m_ends { 0 }; // the newest kRecent + 1, the start among them
};

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
    double m_folded = 0; // busy time up to here is in m_before
    Busy m_before; // up to m_folded; its window is not used
    HeldTime m_holds;
};

} // namespace stageloom::engine
