// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace stageloom {

// Keeps the order of keys, so that written documents can be compared line by line.
using Json = nlohmann::ordered_json;

// Parses text; `where` (a file name) starts the message, which names line and column. Takes time
// in proportion to the text, however many keys an object has; of a key given twice the last counts.
Result<Json> parseJson(const std::string& text, const std::string& where);
// Reads and parses a file (refused above `maxBytes`).
Result<Json> readJsonFile(const std::filesystem::path& path, std::uintmax_t maxBytes = 256u << 20);
// Text out of a document never fails: bytes that are not UTF-8 become U+FFFD.
// One nested document, two blanks of indent, ends with a newline.
std::string dumpJson(const Json& value);
// All in one line, without a newline.
std::string jsonLine(const Json& value);
// A value as a message shows it, cut to a readable length.
std::string shown(const Json& value);

} // namespace stageloom
