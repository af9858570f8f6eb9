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

} // namespace stageloom::engine
