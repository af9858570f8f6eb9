// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stageloom {

// As a terminal or a message may show it: control characters but for line ends and tabs, and bytes
// that are not UTF-8, are written as \x1b.
std::string printable(std::string_view text);
// The same in one line of at most `most` characters, for a value within a sentence.
std::string shortened(std::string_view text, std::size_t most = 60);
bool isUtf8(std::string_view text);
// FNV-1a, 64 bits: the same in every program and version, which std::hash is not.
std::uint64_t fnv1a(std::string_view text);

// Takes a text piece by piece; false: it takes no more.
using TextSink = std::function<bool(std::string_view)>;

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
// The candidate nearest in spelling (edit distance ≤ 3), or empty. For "did you mean".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
std::string joined(const std::vector<std::string>& words, std::string_view separator);

} // namespace stageloom
