// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.h"

namespace stageloom {

// The words below `runs`, by file.
void addRunsReading(
    CLI::App& runs, CommandContext& context, CommandBody& chosen); // list, show, delete
void addRunsCompare(CLI::App& runs, CommandContext& context, CommandBody& chosen);
void addRunsExport(CLI::App& runs, CommandContext& context, CommandBody& chosen);
void addRunsLabels(
    CLI::App& runs, CommandContext& context, CommandBody& chosen); // tag, note, rename
void addRunsSteering(
    CLI::App& runs, CommandContext& context, CommandBody& chosen); // attach, pause, …, stop

} // namespace stageloom
