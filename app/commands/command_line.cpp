// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/numbers.h"
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

// The parser and what its commands write into.
struct Parser {
    CLI::App app { "Plan, run and understand pipeline-parallel training on one machine.",
        "stageloom" };
    CommandContext context;
    CommandBody chosen;
    bool storeIsGuessed = false; // no home folder is known

    Parser()
    {
        app.set_version_flag("--version", "stageloom " STAGELOOM_VERSION);
        app.require_subcommand(0, 1);
        app.footer("With no command the window opens. `stageloom COMMAND --help` shows examples.");
        context.store = Database::defaultFile(&storeIsGuessed);
        app.fallthrough(); // `--store` may also stand behind a command
        app.add_option("--store", context.store, "The file that keeps the runs")
            ->type_name("FILE")
            ->capture_default_str();
        for (const CommandSetup setup : kCommands)
            setup(app, context, chosen);
    }
    [[nodiscard]] bool knows(const std::string& command) const
    {
        return !app.get_subcommands([&](const CLI::App* one) { return one->check_name(command); })
                    .empty();
    }
};

// The word that chooses a command: the first that is no option of the program itself.
std::string firstWord(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--store")
            ++i;
        else if (!word.starts_with("--store="))
            return word;
    }
    return {};
}

// Empty where the parser has the better sentence.
std::string strangeWord(const Parser& parser, const std::string& word)
{
    if (word.empty() || word.starts_with('-') || parser.knows(word))
        return {};
    std::error_code unknown;
    if (std::filesystem::exists(word, unknown))
        return fmt::format("{} is a file, which the window opens, alone and where there is a "
                           "display; for commands see --help",
            word);
    return fmt::format("{} is neither a file nor a command of Stageloom; see --help", word);
}

// Where text stops being UTF-8, or npos: JSON and the run store hold nothing else.
std::size_t strangeByte(const std::string& text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80 ? 1
            : first >= 0xc2 && first < 0xe0     ? 2
            : first >= 0xe0 && first < 0xf0     ? 3
            : first >= 0xf0 && first < 0xf5     ? 4
                                                : 0;
        if (length == 0 || i + length > text.size())
            return i;
        for (std::size_t j = 1; j < length; ++j)
            if ((text[i + j] & 0xc0) != 0x80)
                return i;
        i += length;
    }
    return std::string::npos;
}

// `-o ""` and `--csv ""` would pass for options that were not given. Texts may be empty.
void refuseStrangeValues(const CLI::App& app)
{
    for (const CLI::Option* option : app.get_options())
        for (const std::string& value : option->results()) {
            if (const std::size_t at = strangeByte(value); at != std::string::npos)
                refuseOption(fmt::format("{} is not UTF-8 text: its byte {} is {:#04x}; names and "
                                         "paths are kept as UTF-8, so rename the file or write it "
                                         "in UTF-8",
                    option->get_name(), at + 1, static_cast<unsigned char>(value[at])));
            if (value.empty() && option->get_expected_min() > 0
                && option->get_type_name() != "TEXT")
                refuseOption(fmt::format("{} is empty; leave it out, or give it a value ({})",
                    option->get_name(), option->get_type_name()));
        }
    for (const CLI::App* child : app.get_subcommands())
        refuseStrangeValues(*child);
}

int parseAndRun(int argc, char** argv)
{
    Parser parser;
    auto& [app, context, chosen, storeIsGuessed] = parser;
    if (const std::string words = strangeWord(parser, firstWord(argc, argv)); !words.empty()) {
        std::fprintf(stderr, "stageloom: %s\n", words.c_str());
        return 2;
    }
    try {
        app.parse(argc, argv);
        refuseStrangeValues(app);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 1) { // refuseOption()
            std::fprintf(stderr, "stageloom: %s\n", error.what());
            return 1;
        }
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!chosen) {
        std::fputs(app.help().c_str(), stdout);
        return 0;
    }
    if (storeIsGuessed && app.count("--store") == 0)
        std::fprintf(stderr,
            "stageloom: notice: no home folder is known (HOME, XDG_DATA_HOME), so runs are kept in "
            "%s; --store names another file\n",
            context.store.c_str());
    if (const Status status = chosen(); !status) {
        std::fprintf(stderr, "stageloom: %s\n", status.error().message.c_str());
        return 1;
    }
    return 0;
}

} // namespace

bool isCommandName(const std::string& word)
{
    return Parser().knows(word);
}

int runCommandLine(int argc, char** argv)
{
    return throughTheDoor([&] { return parseAndRun(argc, argv); });
}

} // namespace stageloom
