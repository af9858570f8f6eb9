// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace stageloom {

// What every command shares: global options, set before it runs.
struct CommandContext {
    std::filesystem::path store; // --store, default Database::defaultFile()
};

// Adds a subcommand to the parser and says through `run` what it does once chosen. One per file.
// The function returns the error to print (exit 1); data goes to stdout, messages to stderr.
using CommandBody = std::function<Status()>;
using CommandSetup = void (*)(CLI::App& parent, CommandContext& context, CommandBody& chosen);

// A word that is one chooses a command, also where a file or folder here has the same name.
bool isCommandName(const std::string& word);

// Parses and runs; returns the exit code: 0, 1 for a refusal or failure, 2 for wrong use.
int runCommandLine(int argc, char** argv);

// Runs a command: what a library throws is one sentence and exit code 1, and so is standard output
// that cannot be written to its end. A reader that closed its pipe has seen enough: no failure.
int throughTheDoor(const std::function<int()>& body);
// Standard output takes no more: who prints for long stops.
bool outputFailed();
// Onto standard output, piece by piece; false once it takes no more.
bool printText(std::string_view text);

void addModelCommand(CLI::App&, CommandContext&, CommandBody&);
void addTopologyCommand(CLI::App&, CommandContext&, CommandBody&);
void addPlanCommand(CLI::App&, CommandContext&, CommandBody&);
void addSimulateCommand(CLI::App&, CommandContext&, CommandBody&);
void addVerifyCommand(CLI::App&, CommandContext&, CommandBody&);
void addTrainCommand(CLI::App&, CommandContext&, CommandBody&);
void addRunsCommand(CLI::App&, CommandContext&, CommandBody&);
void addDemoCommand(CLI::App&, CommandContext&, CommandBody&);
void addDoctorCommand(CLI::App&, CommandContext&, CommandBody&);
void addSchedulesCommand(CLI::App&, CommandContext&, CommandBody&);
void addProfileCommand(CLI::App&, CommandContext&, CommandBody&);
void addCompletionCommand(CLI::App&, CommandContext&, CommandBody&);

} // namespace stageloom
