// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <string>
#include <vector>

namespace stageloom::engine {

// Byte-level text: every byte is a token (vocabulary 256). Files of a folder and its sub-folders
// are read in name order, regular text files only: hidden ones and folders behind symbolic links
// are passed over, files that look binary are named in `notes`. The last `validationFraction` of
// every file is held out.
struct Corpus {
    std::vector<std::uint8_t> train, validation;
    std::vector<std::string> files;
    std::vector<std::string> notes; // for people: what was left out and why
    [[nodiscard]] double unigramEntropy() const; // nats per byte, of all text
};

// Refuses more than 2 GB in all, and less than one window of seq + 1 bytes for training or (with a
// fraction above 0) for validation.
Result<Corpus> readCorpus(const std::string& path, double validationFraction, std::int64_t seq);

// A model whose vocabulary lacks a byte of the text cannot read it.
Status checkVocabulary(const Corpus& corpus, std::int64_t vocabulary);

// Sample i of the stream is the same whatever the cut into microbatches, stages or workers: its
// offset is a hash of (seed, i). Microbatch k (0-based over the run) of size b holds samples [k·b,
// (k+1)·b). Another seed over `validation` gives the evaluation's windows, the same every time.
class Sampler {
public:
    Sampler(const std::vector<std::uint8_t>& text, std::int64_t seq, std::uint64_t seed);
    // Writes seq tokens and their seq successors of each sample; sizes b·seq.
    void microbatch(std::int64_t k, int b, std::int64_t* tokens, std::int64_t* targets) const;

private:
    [[nodiscard]] std::int64_t offset(std::int64_t sample) const;

    const std::vector<std::uint8_t>& m_text; // the caller's, outlives this
    std::int64_t m_seq;
    std::uint64_t m_seed;
};

} // namespace stageloom::engine
