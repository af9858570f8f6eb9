// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <string>
#include <vector>

namespace stageloom::engine {

// Byte-level text: every byte is a token (vocabulary 256). The files of a path (findTextFiles) one
// after the other; the last `validationFraction` of every file is held out.
struct Corpus {
    std::vector<std::uint8_t> train, validation;
    std::vector<std::string> files;
    std::vector<std::string> notes; // for people: what was left out and why
};

// Refuses what findTextFiles and checkEnoughText refuse.
Result<Corpus> readCorpus(const std::string& path, double validationFraction, std::int64_t seq);

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

} // namespace stageloom::engine
