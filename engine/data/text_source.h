// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/corpus.h"
#include "engine/exec/microbatch_source.h"

namespace stageloom::engine {

// Byte windows of a text, by the stream's deterministic sampler.
class TextSource : public MicrobatchSource {
public:
    // Microbatches of `microbatchSize` samples of `seq` tokens. `text` must outlive the source.
    // `samples` > 0: the stream ends after that many, and its last microbatch is smaller where they
    // do not divide.
    TextSource(const std::vector<std::uint8_t>& text, std::int64_t seq, int microbatchSize,
        std::uint64_t seed, std::int64_t samples = 0);
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const override;

private:
    Sampler m_sampler;
    std::int64_t m_seq, m_size, m_samples;
};

} // namespace stageloom::engine
