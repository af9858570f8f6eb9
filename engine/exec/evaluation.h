// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/executor.h"
#include "engine/transport/mailbox.h"
#include <atomic>

namespace stageloom::engine {

// Forward-only passes over a fixed set of microbatches with each stage's newest weights, at one
// agreed point of the lists. They have mailboxes of their own and keep no stash: nothing in flight
// notices.
class Evaluation {
public:
    Evaluation(const ExecutorInput& input, RunSignals& signals);

    // The part of one worker's stages (ascending), on its thread, right after its last update of
    // `step` batches.
    Result<void> run(
        const std::vector<int>& stages, std::int64_t step, BatchBoard& board, double now);
    [[nodiscard]] bool active() const { return m_active.load(std::memory_order_relaxed) > 0; }

private:
    Result<double> stage(int stage, std::int64_t firstKey);

    const ExecutorInput& m_input;
    RunSignals& m_signals;
    std::vector<std::unique_ptr<Mailbox>> m_borders; // between stage s and s+1
    std::atomic<int> m_active = 0;
};

} // namespace stageloom::engine
