// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <string>
#include <vector>

namespace stageloom::engine {

// Byte-level text: every byte is a token (vocabulary 256). Files of a folder are read in name order, regular text
// files only. The last `validationFraction` of every file is held out.
struct Corpus
{
    std::vector<std::uint8_t> train, validation;
    std::vector<std::string> files;
    [[nodiscard]] double unigramEntropy() const; // nats per byte, of all text
};

Result<Corpus> readCorpus(const std::string& path, double validationFraction, std::int64_t seq);

// Sample i of the stream is the same whatever the cut into microbatches, stages or workers: its offset is a hash of
// (seed, i). Microbatch k (0-based over the run) of size b holds samples [k·b, (k+1)·b).
class Sampler
{
public:
    Sampler(const std::vector<std::uint8_t>& text, std::int64_t seq, std::uint64_t seed);
    // Writes seq tokens and their seq successors of each sample; sizes b·seq.
    void microbatch(std::int64_t k, int b, std::int64_t* tokens, std::int64_t* targets) const;

private:
    const std::vector<std::uint8_t>& m_text;
    std::int64_t m_seq;
    std::uint64_t m_seed;
};

} // namespace stageloom::engine
