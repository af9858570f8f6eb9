// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/microbatch_source.h"

namespace stageloom::engine {

TextSource::TextSource(
    const std::vector<std::uint8_t>& text, std::int64_t seq, int microbatchSize, std::uint64_t seed)
    : m_sampler(text, seq, seed)
    , m_seq(seq)
    , m_size(microbatchSize)
{
}

Result<MicrobatchData> TextSource::microbatch(std::int64_t k, const RunSignals&) const
{
    MicrobatchData data;
    data.tokens = at::empty({ m_size, m_seq }, at::kLong);
    data.targets = at::empty({ m_size, m_seq }, at::kLong);
    m_sampler.microbatch(k, m_size, data.tokens.mutable_data_ptr<std::int64_t>(),
        data.targets.mutable_data_ptr<std::int64_t>());
    return data;
}

} // namespace stageloom::engine
