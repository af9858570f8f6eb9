// SPDX-License-Identifier: Apache-2.0
#include "core/store/write_queue.h"

#include <algorithm>
#include <iterator>

namespace stageloom {

void WriteQueue::push(WriteJob job)
{
    m_droppable += job.droppable;
    m_jobs.push_back(std::move(job));
    dropOldest();
}

std::vector<WriteJob> WriteQueue::take(std::size_t most)
{
    const auto end = m_jobs.begin() + std::ptrdiff_t(std::min(most, m_jobs.size()));
    std::vector<WriteJob> jobs(
        std::make_move_iterator(m_jobs.begin()), std::make_move_iterator(end));
    m_jobs.erase(m_jobs.begin(), end);
    for (const WriteJob& job : jobs)
        m_droppable -= job.droppable;
    return jobs;
}

void WriteQueue::putBack(std::vector<WriteJob> jobs)
{
    for (const WriteJob& job : jobs)
        m_droppable += job.droppable;
    m_jobs.insert(
        m_jobs.begin(), std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
    dropOldest();
}

void WriteQueue::dropOldest()
{
    for (auto job = m_jobs.begin(); m_droppable > m_maxDroppable && job != m_jobs.end(); ++job) {
        m_droppable -= job->droppable;
        m_dropped += job->droppable;
        if (job->droppable > 0)
            *job = {};
    }
}

} // namespace stageloom
