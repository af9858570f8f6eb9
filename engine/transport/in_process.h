// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/run_signals.h"
#include "engine/nn/aten.h"
#include <atomic>
#include <string>
#include <vector>

namespace stageloom::engine {

// One direction of one stage border: tensors change their owner by move, nothing is copied. One
// sender, one taker. A sender never waits: what may lie here at once is bounded by the sender's (or
// taker's) stash, which the schedule's proof counts; more is a broken invariant.
class Mailbox {
public:
    // `what` names the content in messages: "the activation".
    Mailbox(int from, int to, std::size_t capacity, std::string what);

    void put(std::int64_t microbatch, at::Tensor tensor);
    // Waits for this microbatch's tensor.
    Result<at::Tensor> take(std::int64_t microbatch, RunSignals& signals);

private:
    struct Letter {
        std::int64_t microbatch;
        at::Tensor tensor;
    };
    [[nodiscard]] std::vector<Letter>::iterator find(std::int64_t microbatch);

    const int m_from, m_to;
    const std::size_t m_capacity;
    const std::string m_what;
    std::atomic<std::uint64_t> m_arrivals = 0; // lets the taker spin without the lock
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::vector<Letter> m_letters;
};

} // namespace stageloom::engine
