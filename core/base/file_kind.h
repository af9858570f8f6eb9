// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace stageloom {

// What a file that should hold JSON most likely is, as the middle of a sentence with what helps
// ("… is a picture; a JSON document was expected"); empty: nothing strange was seen.
std::string strangeContent(const std::string& text);

// UTF-16 by its byte order mark, or by a zero in every second byte where ASCII would be.
bool isUtf16(const std::string& text);

} // namespace stageloom
