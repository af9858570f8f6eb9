// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "core/base/text.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

// One command of the tree: its words after the program's name, and what may follow.
struct Node {
    std::string path;
    std::vector<std::string> words;
};

void collect(const CLI::App& app, const std::string& path, std::vector<Node>& nodes)
{
    Node node { path, {} };
    for (const CLI::App* child : app.get_subcommands({}))
        node.words.push_back(child->get_name());
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            node.words.push_back("--" + name);
    nodes.push_back(std::move(node));
    for (const CLI::App* child : app.get_subcommands({}))
        collect(*child, path.empty() ? child->get_name() : path + " " + child->get_name(), nodes);
}

// Finds the deepest command on the line, then offers its words; files where none fits. The `case`
// is the same in both shells.
std::string cases(const std::vector<Node>& nodes)
{
    std::string text = "    case \"$path\" in\n";
    for (const Node& node : nodes)
        text += fmt::format("        '{}') offered='{}' ;;\n", node.path, joined(node.words, " "));
    return text + "    esac\n";
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
           "    local path='' word next offered='' i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        word=${COMP_WORDS[i]}\n        next=\"${path:+$path }$word\"\n"
           "        case \"$next\" in "
        + knownPaths(nodes) + ") path=$next ;; esac\n    done\n" + cases(nodes)
        + "    COMPREPLY=($(compgen -W \"$offered\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
          "}\ncomplete -o default -F _stageloom stageloom\n";
}

std::string zshScript(const std::vector<Node>& nodes)
{
    return "#compdef stageloom\n_stageloom() {\n"
           "    local at='' word next offered='' i\n"
           "    for ((i = 2; i < CURRENT; i++)); do\n"
           "        word=${words[i]}\n        next=\"${at:+$at }$word\"\n"
           "        case \"$next\" in "
        + knownPaths(nodes) + ") at=$next ;; esac\n    done\n    local path_of=$at\n" +
        [&] {
            std::string text = cases(nodes);
            // `path` is the search path in zsh and must not be touched.
            return text.replace(text.find("$path"), 5, "$path_of");
        }()
        + "    compadd -- ${=offered}\n    _files\n}\ncompdef _stageloom stageloom\n";
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
        for (const std::string& word : node.words) {
            const bool option = word.starts_with("--");
            text += fmt::format("complete -c stageloom -n '{}' {} {}\n", condition,
                option ? "-l" : "-f -a", option ? word.substr(2) : word);
        }
    }
    return text;
}

Status printScript(const CLI::App& root, const std::string& shell)
{
    std::vector<Node> nodes;
    collect(root, "", nodes);
    const std::string script = shell == "bash" ? bashScript(nodes)
        : shell == "zsh"                       ? zshScript(nodes)
                                               : fishScript(nodes);
    std::fputs(script.c_str(), stdout);
    return {};
}

} // namespace

void addCompletionCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command
        = parent.add_subcommand("completion", "Print a script that completes commands in a shell.");
    command->footer("Examples:\n  source <(stageloom completion bash)\n"
                    "  stageloom completion fish > ~/.config/fish/completions/stageloom.fish");
    const auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->type_name("SHELL")
        ->required()
        ->check(CLI::IsMember({ "bash", "zsh", "fish" }));
    const CLI::App* root = &parent;
    command->callback(
        [&chosen, root, shell] { chosen = [root, shell] { return printScript(*root, *shell); }; });
}

} // namespace stageloom
