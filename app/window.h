// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace stageloom {

// Opens the window where the arguments ask for it: none, or one existing file, and a display to
// show it on. Otherwise empty: the command line has the word.
// `--screenshots DIR [WxH]` takes pictures of every page instead (packaging/screenshots).
std::optional<int> runWindowIfAsked(int argc, char** argv);

} // namespace stageloom
