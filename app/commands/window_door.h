// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include <filesystem>
#include <optional>

namespace stageloom {

// The window is a program of its own, so that no command loads Qt or waits for it to be built:
// stageloom-window beside this one, or what STAGELOOM_WINDOW names.
Result<std::filesystem::path> windowPath();

// Becomes the window where the arguments ask for it (no word, or one existing file that is no
// command, beside `--store FILE`) and there is a display; returns then only where that failed,
// with the exit code. Otherwise empty: the command line has the word.
std::optional<int> openWindowIfAsked(int argc, char** argv);

} // namespace stageloom
