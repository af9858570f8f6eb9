// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that complete command lines. Words come from the parser; values are asked of this program
// at the moment of completion, by the name that their option has for them (MODEL, RUN, …).
#include "app/commands/command.h"
#include "core/base/text.h"
#include "core/cluster/topology.h"
#include "core/model/model.h"
#include "core/plan/optimizer_json.h"
#include "core/schedule/registry.h"
#include "core/store/run_store.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>

namespace stageloom {

namespace {

using Words = std::vector<std::string>;

template <typename Kind> Words named(std::initializer_list<Kind> kinds)
{
    Words words;
    for (const Kind kind : kinds)
        words.push_back(toString(kind));
    return words;
}

Words topologies()
{
    Words words = topologyPresetNames();
    words.insert(words.begin(), "local");
    return words;
}

Words runs(const CommandContext& context)
{
    Words words;
    std::error_code error; // completing a line makes no store
    if (!std::filesystem::exists(context.store, error))
        return words;
    if (Result<Database> database = Database::open(context.store, Database::Mode::ReadOnly))
        for (const RunRow& row : RunStore(*database).list().value_or(std::vector<RunRow> {}))
            words.push_back(std::to_string(row.id.value));
    return words;
}

// What completes an option or a place of that kind; a kind that is not here completes as a file.
Words valuesOf(const std::string& kind, const CommandContext& context)
{
    const std::pair<const char*, std::function<Words()>> kinds[] = {
        { "MODEL", modelPresets },
        { "TOPOLOGY", topologies },
        { "SCHEDULE", scheduleNames },
        { "DTYPE",
            [] {
                return named({ Dtype::Fp32, Dtype::Bf16, Dtype::Fp16 });
            } },
        { "OPTIMIZER",
            [] {
                return named({ OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW });
            } },
        { "RUN", [&context] { return runs(context); } },
        { "SHELL",
            [] {
                return Words { "bash", "zsh", "fish" };
            } },
    };
    for (const auto& [name, values] : kinds)
        if (kind == name)
            return values();
    return {};
}

// One command of the tree: its words after the program's name, and what may follow.
struct Node {
    std::string path;
    Words words;
    std::string place; // the kind of what stands without an option
    std::vector<std::pair<std::string, std::string>> options; // that take a value, and its kind
};

void collect(const CLI::App& app, const std::string& path, std::vector<Node>& nodes)
{
    Node node { path, {}, {}, {} };
    const auto children
        = app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
    for (const CLI::App* child : children)
        node.words.push_back(child->get_name());
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty())
            continue;
        std::string kind = option->get_type_name();
        kind.resize(std::min(kind.find(':'), kind.size())); // "SHELL:{bash,zsh,fish}"
        for (const std::string& name : option->get_lnames()) {
            node.words.push_back("--" + name);
            if (option->get_expected_max() > 0 && option->get_type_size() > 0)
                node.options.emplace_back(name, kind);
        }
        if (option->get_positional() && node.place.empty())
            node.place = kind;
    }
    nodes.push_back(std::move(node));
    for (const CLI::App* child : children)
        collect(*child, path.empty() ? child->get_name() : path + " " + child->get_name(), nodes);
}

// A `case` over "command option" and "command" that sets `kind`, and one that sets `offered`; the
// same in bash and zsh.
std::string cases(
    const std::vector<Node>& nodes, const std::string& path, const std::string& before)
{
    std::string kinds = "    case \"$" + path + " $" + before + "\" in\n", words;
    words = "    [ -z \"$kind\" ] && case \"$" + path + "\" in\n";
    for (const Node& node : nodes) {
        for (const auto& [name, kind] : node.options)
            kinds += fmt::format("        '{} --{}') kind='{}' ;;\n", node.path, name, kind);
        words += fmt::format("        '{}') offered='{}' place='{}' ;;\n", node.path,
            joined(node.words, " "), node.place);
    }
    return kinds + "    esac\n" + words + "    esac\n";
}

std::string knownPaths(const std::vector<Node>& nodes)
{
    std::string text;
    for (const Node& node : nodes)
        if (!node.path.empty())
            text += (text.empty() ? "'" : "|'") + node.path + "'";
    return text;
}

std::string bashScript(const std::vector<Node>& nodes)
{
    return "# bash completion of stageloom\n_stageloom() {\n"
           "    local path='' word next offered='' place='' kind='' i\n"
           "    local before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        word=${COMP_WORDS[i]}\n        next=\"${path:+$path }$word\"\n"
           "        case \"$next\" in "
        + knownPaths(nodes) + ") path=$next ;; esac\n    done\n" + cases(nodes, "path", "before")
        + "    kind=${kind:-$place}\n"
          "    [ -n \"$kind\" ] && offered=\"$offered $(\"${COMP_WORDS[0]}\" completion --values "
          "\"$kind\" 2>/dev/null)\"\n"
          "    COMPREPLY=($(compgen -W \"$offered\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
          "}\ncomplete -o default -F _stageloom stageloom\n";
}

std::string zshScript(const std::vector<Node>& nodes)
{
    // `path` is the search path in zsh and must not be touched.
    return "#compdef stageloom\n_stageloom() {\n"
           "    local at='' word next offered='' place='' kind='' i before=${words[CURRENT-1]}\n"
           "    for ((i = 2; i < CURRENT; i++)); do\n"
           "        word=${words[i]}\n        next=\"${at:+$at }$word\"\n"
           "        case \"$next\" in "
        + knownPaths(nodes) + ") at=$next ;; esac\n    done\n" + cases(nodes, "at", "before")
        + "    kind=${kind:-$place}\n"
          "    [ -n \"$kind\" ] && offered=\"$offered $(${words[1]} completion --values \"$kind\" "
          "2>/dev/null)\"\n"
          "    compadd -- ${=offered}\n    _files\n}\ncompdef _stageloom stageloom\n";
}

std::string fishScript(const std::vector<Node>& nodes)
{
    std::string text = "# fish completion of stageloom\n";
    for (const Node& node : nodes) {
        std::string condition = "__fish_use_subcommand";
        if (!node.path.empty()) {
            condition.clear();
            for (const std::string_view word : split(node.path, ' '))
                condition += fmt::format(
                    "{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", word);
        }
        const auto values = [](const std::string& kind) {
            return fmt::format("-a '(stageloom completion --values {} 2>/dev/null)'", kind);
        };
        for (const std::string& word : node.words) {
            const bool option = word.starts_with("--");
            const auto found = std::find_if(node.options.begin(), node.options.end(),
                [&](const auto& one) { return "--" + one.first == word; });
            text += fmt::format("complete -c stageloom -n '{}' {} {}{}\n", condition,
                option ? "-l" : "-f -a", option ? word.substr(2) : word,
                found == node.options.end() ? "" : " -r " + values(found->second));
        }
        if (!node.place.empty())
            text
                += fmt::format("complete -c stageloom -n '{}' {}\n", condition, values(node.place));
    }
    return text;
}

Status printScript(const CLI::App& root, const std::string& shell)
{
    std::vector<Node> nodes;
    collect(root, "", nodes);
    printText(shell == "bash" ? bashScript(nodes)
            : shell == "zsh"  ? zshScript(nodes)
                              : fishScript(nodes));
    return {};
}

} // namespace

void addCompletionCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* command
        = parent.add_subcommand("completion", "Print a script that completes commands in a shell.");
    command->footer("Examples:\n  source <(stageloom completion bash)\n"
                    "  stageloom completion fish > ~/.config/fish/completions/stageloom.fish");
    struct Options {
        std::string shell, kind;
    };
    const auto options = std::make_shared<Options>();
    CLI::Option* shell = command->add_option("SHELL", options->shell, "bash, zsh or fish");
    shell->type_name("SHELL")->check(CLI::IsMember({ "bash", "zsh", "fish" }));
    CLI::Option* values = command->add_option("--values", options->kind, "Asked by the scripts");
    values->group("")->excludes(shell); // not in the help
    const CLI::App* root = &parent;
    command->callback([&chosen, &context, root, options] {
        if (options->shell.empty() && options->kind.empty())
            throw CLI::RequiredError("SHELL");
        chosen = [&context, root, options]() -> Status {
            if (options->kind.empty())
                return printScript(*root, options->shell);
            for (const std::string& value : valuesOf(options->kind, context))
                printText(value + "\n");
            return {};
        };
    });
}

} // namespace stageloom
