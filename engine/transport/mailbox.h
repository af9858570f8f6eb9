// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/aten.h"
#include "engine/transport/run_signals.h"
#include <atomic>
#include <string>
#include <vector>

namespace stageloom::engine {

// Tensors by microbatch, few at once, so that a search beats a map; nothing is allocated while no
// more than `capacity` lie here. For one thread, or under its owner's lock.
class Shelf {
public:
    explicit Shelf(std::size_t capacity) { m_places.reserve(capacity); }
    void put(std::int64_t microbatch, at::Tensor tensor); // once a microbatch
    [[nodiscard]] bool holds(std::int64_t microbatch) const;
    at::Tensor take(std::int64_t microbatch); // one that is here
    [[nodiscard]] std::size_t size() const { return m_places.size(); }

private:
    struct Place {
        std::int64_t microbatch;
        at::Tensor tensor;
    };
    std::vector<Place> m_places;
};

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
    const int m_from, m_to;
    const std::size_t m_capacity;
    const std::string m_what;
    std::atomic<std::uint64_t> m_arrivals = 0; // lets the taker spin without the lock
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    Shelf m_letters; // under the lock
};

} // namespace stageloom::engine
