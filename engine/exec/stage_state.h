// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/executor.h"
#include "engine/exec/span_recorder.h"
#include "engine/transport/mailbox.h"
#include <deque>

namespace stageloom::engine {

// The microbatches in flight on one stage. Owned by the stage's thread.
class ActivationStash {
public:
    StageStash& open(std::int64_t microbatch); // its forward begins
    StageStash& at(std::int64_t microbatch);
    void close(std::int64_t microbatch); // its backward is done

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] std::size_t peak() const { return m_peak; }

private:
    struct Entry {
        std::int64_t microbatch;
        StageStash stash;
    };
    [[nodiscard]] std::size_t indexOf(std::int64_t microbatch) const;
    std::vector<Entry> m_entries; // few: a search beats a map
    std::size_t m_peak = 0;
};

// The losses of one last stage, by batch and by update.
class LossBook {
public:
    // Of one of the batch's microbatches.
    void add(std::int64_t batch, std::int64_t update, double loss, int microbatches);
    double take(std::int64_t batch); // the batch's mean; batches finish in order
    // Whether a microbatch of this update had no finite loss.
    [[nodiscard]] bool broken(std::int64_t update) const;
    void forget(std::int64_t update);

private:
    std::deque<double> m_open; // of the batches that are not finished, oldest first
    std::int64_t m_first = 0; // batch of m_open.front()
    std::vector<std::int64_t> m_broken; // updates; as a rule none
};

// What one stage owns while it runs. Touched by its worker's thread only.
struct StageState {
    struct Accumulator {
        at::Tensor flat;
        std::vector<at::Tensor> views; // slot order
    };

    // `inFlight`: microbatches at once, from the proof.
    StageState(const StageParts& stageParts, int accumulatorCount, at::ScalarType dtype,
        std::size_t inFlight, SpanRecorder spanRecorder);

    // Update t's gradient never meets that of t+1: deferred updates have two accumulators in turn.
    Accumulator& accumulator(std::int64_t update)
    {
        return accumulators[static_cast<std::size_t>(update) % accumulators.size()];
    }

    const StageParts* parts;
    std::vector<Accumulator> accumulators;
    ActivationStash stash;
    // Between a RECV and the F or B that needs it, and between an F or B and its SEND.
    Shelf activationIn, activationOut, gradientIn, gradientOut;
    SpanRecorder spans;
    LossBook losses;
    int skipped = 0; // updates of the batch that ends next
};

} // namespace stageloom::engine
