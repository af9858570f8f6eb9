// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stageloom {

// Text to train on, as it lies on disk: one file, or the regular files of a folder and its
// sub-folders in name order. Hidden and empty files, and folders behind symbolic links, are passed
// over.
struct TextFiles {
    static constexpr std::uintmax_t kMaxBytes = 2'000'000'000; // in all: text is held in memory

    struct File {
        std::filesystem::path path;
        std::uintmax_t bytes = 0;
    };
    std::vector<File> files;
    std::uintmax_t bytes = 0; // of all
    std::vector<std::string> leftOut; // a sentence a file that is no text

    [[nodiscard]] std::vector<std::string> notes() const; // the first few of leftOut, and how many
};

// Looks, and reads no more than the beginning of each file. An error where there is no text, or
// more than kMaxBytes.
Result<TextFiles> findTextFiles(const std::string& path);

// The last bytes of a file of this size, which are kept for validation.
std::uintmax_t heldOut(std::uintmax_t bytes, double validationFraction);
// Refuses less than one window of seq + 1 bytes for training or (with a fraction above 0) for
// validation.
Status checkEnoughText(
    const TextFiles& text, const std::string& path, double validationFraction, std::int64_t seq);

} // namespace stageloom
