// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/microbatch_source.h"
#include <cstdint>
#include <vector>

namespace stageloom::engine {

// Sample i of the stream is the same whatever the cut into microbatches, stages or workers: its
// offset is a hash of (seed, i). Another seed over `validation` gives the evaluation's windows, the
// same every time.
class Sampler {
public:
    Sampler(const std::vector<std::uint8_t>& text, std::int64_t seq, std::uint64_t seed);
    // Writes seq tokens and their seq successors of each of samples [first, first + count); sizes
    // count·seq.
    void samples(
        std::int64_t first, std::int64_t count, std::int64_t* tokens, std::int64_t* targets) const;

private:
    [[nodiscard]] std::int64_t offset(std::int64_t sample) const;

    const std::vector<std::uint8_t>& m_text; // the caller's, outlives this
    std::int64_t m_seq;
    std::uint64_t m_seed;
};

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
