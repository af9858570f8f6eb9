// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace stageloom::engine {

// From the workers to the thread that runs the executor: spans of batches that are not finished.
// Nothing but one relaxed load an action while nobody watches.
class LiveFeed {
public:
    void want(bool wanted) { m_wanted.store(wanted, std::memory_order_relaxed); }
    [[nodiscard]] bool wanted() const { return m_wanted.load(std::memory_order_relaxed); }
    void add(const Span& span)
    {
        const std::lock_guard lock(m_mutex);
        m_spans.push_back(span);
    }
    std::vector<Span> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_spans, {});
    }

private:
    std::atomic<bool> m_wanted = false;
    std::mutex m_mutex;
    std::vector<Span> m_spans;
};

} // namespace stageloom::engine
