// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace stageloom {

class Database;

// One piece of writing. It may run several times, each time in a transaction that is undone where
// it fails, so it changes nothing but the database.
struct WriteJob {
    std::function<Status(Database&)> run; // empty: it was dropped
    std::size_t droppable = 0; // items it writes that may be given up; 0: never dropped
};

// What waits for the writing thread, in order. While the disk takes nothing it grows, and above
// `maxDroppable` items it gives up the oldest jobs that may be. The owner's lock guards it.
class WriteQueue {
public:
    explicit WriteQueue(std::size_t maxDroppable)
        : m_maxDroppable(maxDroppable)
    {
    }
    void push(WriteJob job);
    std::vector<WriteJob> take(std::size_t most); // from the front
    void putBack(std::vector<WriteJob> jobs); // what take() gave and nothing has written
    [[nodiscard]] bool empty() const { return m_jobs.empty(); }
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped; } // items, in all

private:
    void dropOldest();

    std::size_t m_maxDroppable, m_droppable = 0;
    std::uint64_t m_dropped = 0;
    std::deque<WriteJob> m_jobs; // a dropped one keeps its place, so that jobs can be counted
};

} // namespace stageloom
