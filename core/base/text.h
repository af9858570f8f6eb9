// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stageloom {

Result<std::string> readTextFile(const std::filesystem::path& path, std::uintmax_t maxBytes);
// Writes beside the target and renames over it, so that a reader sees the old or the new file,
// never a part.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
// The candidate nearest in spelling (edit distance ≤ 3), or empty. For "did you mean".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
std::string joined(const std::vector<std::string>& words, std::string_view separator);

} // namespace stageloom
