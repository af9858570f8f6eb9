// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace stageloom {

// Keeps the order of keys, so that written documents can be compared line by line.
using Json = nlohmann::ordered_json;

// Parses text; `where` (a file name) starts the message, which names line and column.
Result<Json> parseJson(const std::string& text, const std::string& where);
// Reads and parses a file (refused above `maxBytes`).
Result<Json> readJsonFile(const std::filesystem::path& path, std::uintmax_t maxBytes = 256u << 20);
// One nested document, two blanks of indent, ends with a newline.
std::string dumpJson(const Json& value);

} // namespace stageloom
