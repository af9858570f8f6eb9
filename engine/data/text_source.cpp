// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text_source.h"

#include <algorithm>

namespace stageloom::engine {

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
