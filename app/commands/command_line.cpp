// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "core/store/database.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace stageloom {

namespace {

// In the order in which a new user meets them.
constexpr CommandSetup kCommands[] = {
    addDemoCommand,
    addModelCommand,
    addTopologyCommand,
    addProfileCommand,
    addPlanCommand,
    addSimulateCommand,
    addVerifyCommand,
    addSchedulesCommand,
    addTrainCommand,
    addRunsCommand,
    addDoctorCommand,
    addCompletionCommand,
};

} // namespace

int runCommandLine(int argc, char** argv)
{
    CLI::App app(
        "Plan, run and understand pipeline-parallel training on one machine.", "stageloom");
    app.set_version_flag("--version", "stageloom 0.1.0");
    app.require_subcommand(0, 1);
    app.footer("With no command the window opens. `stageloom COMMAND --help` shows examples.");
    CommandContext context;
    context.program = argv[0];
    context.store = Database::defaultFile();
    app.fallthrough(); // `--store` may also stand behind a command
    app.add_option("--store", context.store, "The file that keeps the runs")
        ->type_name("FILE")
        ->capture_default_str();
    CommandBody chosen;
    for (const CommandSetup setup : kCommands)
        setup(app, context, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!chosen) {
        std::fputs(app.help().c_str(), stdout);
        return 0;
    }
    if (const Status status = chosen(); !status) {
        std::fprintf(stderr, "stageloom: %s\n", status.error().message.c_str());
        return 1;
    }
    return 0;
}

} // namespace stageloom
