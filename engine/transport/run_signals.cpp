// SPDX-License-Identifier: Apache-2.0
#include "engine/transport/run_signals.h"

#include "core/base/units.h"
#include <algorithm>

namespace stageloom::engine {

void RunSignals::abort(Error reason)
{
    const std::lock_guard lock(m_mutex);
    if (m_aborted)
        return;
    m_reason = std::move(reason);
    m_aborted.store(true, std::memory_order_release);
    m_resumed.notify_all();
}

Error RunSignals::reason() const
{
    const std::lock_guard lock(m_mutex);
    return m_reason;
}

void RunSignals::setPaused(bool paused)
{
    const std::lock_guard lock(m_mutex);
    m_paused = paused;
    m_resumed.notify_all();
}

Status RunSignals::waitWhilePaused()
{
    std::unique_lock lock(m_mutex);
    while (m_paused && !m_aborted)
        m_resumed.wait_for(lock, kSlice);
    if (m_aborted)
        return tl::unexpected<Error>(m_reason);
    return {};
}

bool RunSignals::beginBatch(std::int64_t batch)
{
    const std::lock_guard lock(m_mutex);
    if (batch > m_lastBatch)
        return false;
    m_begun = std::max(m_begun, batch);
    return true;
}

void RunSignals::stopAfterBegunBatches()
{
    const std::lock_guard lock(m_mutex);
    m_lastBatch = std::min(m_lastBatch.load(), m_begun);
}

RunSignals::Deadline::Deadline(RunSignals& signals)
    : m_signals(signals)
    , m_seen(signals.m_progress.load(std::memory_order_relaxed))
    , m_end(std::chrono::steady_clock::now() + signals.m_patience)
{
}

bool RunSignals::Deadline::passed()
{
    const auto now = std::chrono::steady_clock::now();
    const std::uint64_t progress = m_signals.m_progress.load(std::memory_order_relaxed);
    if (progress != m_seen || m_signals.paused()) {
        m_seen = progress;
        m_end = now + m_signals.m_patience;
    }
    return now >= m_end;
}

Error RunSignals::stalled(const std::string& what) const
{
    const double seconds = std::chrono::duration<double>(m_patience).count();
    return Error { ErrorKind::Timeout,
        fmt::format("The run stalled: {}, and no stage finished an action for {}.", what,
            formatSeconds(seconds)) };
}

} // namespace stageloom::engine
