// SPDX-License-Identifier: Apache-2.0
#include "engine/transport/in_process.h"

#include "core/base/check.h"
#include <algorithm>
#include <immintrin.h>

namespace stageloom::engine {

namespace {
// About 0.1 ms of pauses: longer than a hand-over takes, shorter than a layer.
constexpr int kSpins = 2000;
}

Mailbox::Mailbox(int from, int to, std::size_t capacity, std::string what)
    : m_from(from)
    , m_to(to)
    , m_capacity(capacity)
    , m_what(std::move(what))
{
    m_letters.reserve(capacity);
}

std::vector<Mailbox::Letter>::iterator Mailbox::find(std::int64_t microbatch)
{
    return std::find_if(m_letters.begin(), m_letters.end(),
        [&](const Letter& letter) { return letter.microbatch == microbatch; });
}

void Mailbox::put(std::int64_t microbatch, at::Tensor tensor)
{
    {
        const std::lock_guard lock(m_mutex);
        STAGELOOM_CHECK(
            m_letters.size() < m_capacity, "more hand-overs at once than the proof allows");
        STAGELOOM_CHECK(find(microbatch) == m_letters.end(), "a microbatch was handed over twice");
        m_letters.push_back({ microbatch, std::move(tensor) });
        m_arrivals.fetch_add(1, std::memory_order_release);
    }
    m_arrived.notify_one();
}

Result<at::Tensor> Mailbox::take(std::int64_t microbatch, RunSignals& signals)
{
    std::unique_lock lock(m_mutex);
    if (find(microbatch) == m_letters.end() && signals.spins()) {
        const std::uint64_t seen = m_arrivals.load(std::memory_order_acquire);
        lock.unlock();
        for (int i = 0; i < kSpins && m_arrivals.load(std::memory_order_acquire) == seen; ++i)
            _mm_pause();
        lock.lock();
    }
    const auto ready = [&] { return find(microbatch) != m_letters.end(); };
    const auto what = [&] {
        return fmt::format("stage {} waits for {} of microbatch {} from stage {}", m_to, m_what,
            microbatch, m_from);
    };
    if (Status waited = signals.wait(lock, m_arrived, ready, what); !waited)
        return failure(waited);
    const auto letter = find(microbatch);
    at::Tensor tensor = std::move(letter->tensor);
    m_letters.erase(letter);
    return tensor;
}

} // namespace stageloom::engine
