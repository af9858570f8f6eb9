// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/runs_parts.h"

#include <CLI/CLI.hpp>

namespace stageloom {

void addRunsCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* runs = parent.add_subcommand(
        "runs", "List, compare, label, export and steer the runs that are kept.");
    runs->require_subcommand(1);
    runs->footer("Examples:\n"
                 "  stageloom runs list\n"
                 "  stageloom runs compare 3 4\n"
                 "  stageloom runs tag 3 baseline\n"
                 "  stageloom runs export 3 --csv losses.csv\n"
                 "  stageloom runs stop 5");
    addRunsReading(*runs, context, chosen);
    addRunsCompare(*runs, context, chosen);
    addRunsExport(*runs, context, chosen);
    addRunsLabels(*runs, context, chosen);
    addRunsSteering(*runs, context, chosen);
}

} // namespace stageloom
