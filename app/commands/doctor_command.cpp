// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"

#include <CLI/CLI.hpp>

namespace stageloom {

void addDoctorCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand("doctor", "");
    command->callback([&chosen] {
        chosen
            = [] { return Status(fail(ErrorKind::Unsupported, "'doctor' is not in this build")); };
    });
}

} // namespace stageloom
