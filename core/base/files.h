// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/text.h"
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace stageloom {

Result<std::string> readTextFile(const std::filesystem::path& path, std::uintmax_t maxBytes);

// The one way in which this program writes a file. A regular one is written beside its place and
// renamed over it, so that a reader sees the old or the new file, never a part; its mode is kept,
// and a symbolic link stays one. Devices, pipes and this program's own streams (/dev/null,
// /dev/stdout, a FIFO) are written into; what is none of these is refused.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);
// The same for a text that is too long to be held: `make` puts it into the sink. A regular file is
// not touched where that fails.
Status writeFileAtomically(
    const std::filesystem::path& path, const std::function<Status(const TextSink&)>& make);

} // namespace stageloom
