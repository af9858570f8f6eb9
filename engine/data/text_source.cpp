// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text_source.h"

#include "core/base/check.h"
#include <algorithm>

namespace stageloom::engine {

Sampler::Sampler(const std::vector<std::uint8_t>& text, std::int64_t seq, std::uint64_t seed)
    : m_text(text)
    , m_seq(seq)
    , m_seed(seed)
{
    STAGELOOM_CHECK(seq > 0 && std::ssize(text) > seq, "a text shorter than one window");
}

// splitmix64 of the pair: every sample has its place without any earlier one being drawn.
std::int64_t Sampler::offset(std::int64_t sample) const
{
    std::uint64_t x = m_seed * 0xd1342543de82ef95u
        + (static_cast<std::uint64_t>(sample) + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    const auto places = static_cast<std::uint64_t>(std::ssize(m_text) - m_seq);
    return static_cast<std::int64_t>(x % places);
}

void Sampler::samples(
    std::int64_t first, std::int64_t count, std::int64_t* tokens, std::int64_t* targets) const
{
    for (std::int64_t i = 0; i < count; ++i) {
        const auto* window = m_text.data() + offset(first + i);
        for (std::int64_t j = 0; j < m_seq; ++j) {
            tokens[i * m_seq + j] = window[j];
            targets[i * m_seq + j] = window[j + 1];
        }
    }
}

TextSource::TextSource(const std::vector<std::uint8_t>& text, std::int64_t seq, int microbatchSize,
    std::uint64_t seed, std::int64_t samples)
    : m_sampler(text, seq, seed)
    , m_seq(seq)
    , m_size(microbatchSize)
    , m_samples(samples)
{
}

Result<MicrobatchData> TextSource::microbatch(std::int64_t k, const RunSignals&) const
{
    const std::int64_t first = k * m_size;
    const std::int64_t count = m_samples > 0 ? std::min(m_size, m_samples - first) : m_size;
    MicrobatchData data;
    data.tokens = at::empty({ count, m_seq }, at::kLong);
    data.targets = at::empty({ count, m_seq }, at::kLong);
    m_sampler.samples(first, count, data.tokens.mutable_data_ptr<std::int64_t>(),
        data.targets.mutable_data_ptr<std::int64_t>());
    return data;
}

} // namespace stageloom::engine
