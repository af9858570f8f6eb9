// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"

#include <CLI/CLI.hpp>

namespace stageloom {

void addProfileCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand("profile", "");
    command->callback([&chosen] {
        chosen
            = [] { return Status(fail(ErrorKind::Unsupported, "'profile' is not in this build")); };
    });
}

} // namespace stageloom
