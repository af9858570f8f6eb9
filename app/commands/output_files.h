// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.h"
#include <string>
#include <vector>

namespace stageloom {

// A file of a command: the option that names it where it is written ("--csv"), or what it is where
// it is read ("the plan"). An empty path: not asked for.
struct NamedFile {
    std::string what;
    std::filesystem::path path;
};

// Refuses, before anything is written, an output that would replace a file that the command reads,
// the run store, or another of its outputs. Devices and pipes may be named more than once.
Status checkOutputs(const std::vector<NamedFile>& outputs, std::vector<NamedFile> inputs,
    const CommandContext& context);

} // namespace stageloom
