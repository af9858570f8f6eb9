// SPDX-License-Identifier: Apache-2.0
#include "engine/transport/mailbox.h"

#include "core/base/check.h"
#include <algorithm>
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace stageloom::engine {

namespace {
// About 0.1 ms of pauses: longer than a hand-over takes, shorter than a layer.
constexpr int kSpins = 2000;

// Tells the core that this loop waits for another one.
void pauseCore()
{
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}
}

void Shelf::put(std::int64_t microbatch, at::Tensor tensor)
{
    STAGELOOM_CHECK(!holds(microbatch), "a microbatch was handed over twice");
    m_places.push_back({ microbatch, std::move(tensor) });
}

bool Shelf::holds(std::int64_t microbatch) const
{
    return std::any_of(m_places.begin(), m_places.end(),
        [&](const Place& place) { return place.microbatch == microbatch; });
}

at::Tensor Shelf::take(std::int64_t microbatch)
{
    const auto place = std::find_if(m_places.begin(), m_places.end(),
        [&](const Place& one) { return one.microbatch == microbatch; });
    STAGELOOM_CHECK(place != m_places.end(), "a tensor was taken that is not there");
    at::Tensor tensor = std::move(place->tensor);
    m_places.erase(place);
    return tensor;
}

Mailbox::Mailbox(int from, int to, std::size_t capacity, std::string what)
    : m_from(from)
    , m_to(to)
    , m_capacity(capacity)
    , m_what(std::move(what))
    , m_letters(capacity)
{
}

void Mailbox::put(std::int64_t microbatch, at::Tensor tensor)
{
    {
        const std::lock_guard lock(m_mutex);
        STAGELOOM_CHECK(
            m_letters.size() < m_capacity, "more hand-overs at once than the proof allows");
        m_letters.put(microbatch, std::move(tensor));
        m_arrivals.fetch_add(1, std::memory_order_release);
    }
    m_arrived.notify_one();
}

Result<at::Tensor> Mailbox::take(std::int64_t microbatch, RunSignals& signals)
{
    std::unique_lock lock(m_mutex);
    if (!m_letters.holds(microbatch) && signals.spins()) {
        const std::uint64_t seen = m_arrivals.load(std::memory_order_acquire);
        lock.unlock();
        for (int i = 0; i < kSpins && m_arrivals.load(std::memory_order_acquire) == seen; ++i)
            pauseCore();
        lock.lock();
    }
    const auto ready = [&] { return m_letters.holds(microbatch); };
    const auto what = [&] {
        return fmt::format("stage {} waits for {} of microbatch {} from stage {}", m_to, m_what,
            microbatch, m_from);
    };
    if (Status waited = signals.wait(lock, m_arrived, ready, what); !waited)
        return failure(waited);
    return m_letters.take(microbatch);
}

} // namespace stageloom::engine
