// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/numbers.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/model.h"
#include "engine/client/engine_capabilities.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

struct ModelArguments {
    std::string path, dtype = "fp32";
    std::optional<std::int64_t> seq;
    bool json = false;
};

void printRow(const std::string& name, const std::string& parameters, const std::string& flops,
    const std::string& output, const std::string& stash)
{
    fmt::print("{:<14}{:>15}{:>14}{:>12}{:>12}\n", name, parameters, flops, output, stash);
}

void printLayer(const std::string& name, const Layer& layer)
{
    printRow(name, groupDigits(layer.parameters), formatCount(layer.forwardFlops),
        formatBytes(layer.outputBytes), formatBytes(layer.stashBytes));
}

bool sameCosts(const Layer& one, const Layer& other)
{
    return one.kind == other.kind && one.parameters == other.parameters
        && one.forwardFlops == other.forwardFlops && one.stashBytes == other.stashBytes;
}

// Equal blocks share a row: "block 0-11".
void printLayers(const Model& model)
{
    printRow("layer", "parameters", "forward FLOP", "output", "stash");
    double flops = 0, stash = 0;
    for (std::size_t i = 0; i < model.layers.size();) {
        std::size_t end = i + 1;
        while (end < model.layers.size() && sameCosts(model.layers[i], model.layers[end]))
            ++end;
        const Layer& layer = model.layers[i];
        printLayer(
            end - i > 1 ? fmt::format("{}-{}", layer.name, i + (end - i) - 2) : layer.name, layer);
        flops += double(end - i) * layer.forwardFlops;
        stash += double(end - i) * layer.stashBytes;
        i = end;
    }
    printRow("all", groupDigits(model.parameters), formatCount(flops), "", formatBytes(stash));
}

void printModel(const Model& model)
{
    fmt::print("{}: {}, {} parameters ({})\n", model.name, model.family,
        groupDigits(model.parameters), formatCount(double(model.parameters)));
    fmt::print(
        "hidden {}, {} layers, {} heads ({} for keys), head size {}, MLP {}, vocabulary {}\n",
        model.shape.hidden, model.shape.layers, model.shape.heads, model.shape.kvHeads,
        model.shape.headDim, model.shape.ffn, groupDigits(model.shape.vocab));
    fmt::print("counted: {}\n\nPer sample of {} tokens in {}; rows of equal blocks are for each.\n",
        model.counted, groupDigits(model.seq), toString(model.dtype));
    printLayers(model);
    for (const std::string& note : model.notes)
        fmt::print("note: {}\n", note);
}

Status showModel(const ModelArguments& arguments)
{
    const auto dtype = parseDtype(arguments.dtype);
    if (!dtype)
        return failure(dtype);
    auto model = readModel(arguments.path, ModelOptions { arguments.seq.value_or(0), *dtype });
    if (!model)
        return failure(model);
    for (const PlanFinding& note : trainingNotes(*model))
        model->notes.push_back(note.message);
    if (arguments.json)
        std::fputs(dumpJson(toJson(*model)).c_str(), stdout);
    else
        printModel(*model);
    return {};
}

} // namespace

void addModelCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* model = parent.add_subcommand("model", "Look at a model's layers, sizes and costs.");
    model->require_subcommand(1);
    model->footer("Example:\n  stageloom model show gpt2 --seq 512");
    CLI::App* show = model->add_subcommand(
        "show", "Print a model's layers with parameters, FLOPs and bytes a sample.");
    show->footer("Examples:\n  stageloom model show preset:gpt2 --seq 512 --dtype bf16\n"
                 "  stageloom model show ./my-model --json\nPresets: "
        + joined(modelPresets(), ", ") + ". Families: " + joined(supportedFamilies(), ", ") + ".");
    const auto arguments = std::make_shared<ModelArguments>();
    show->add_option("PATH", arguments->path, "config.json, a folder that holds one, or a preset")
        ->type_name("MODEL")
        ->required();
    addNumber(
        *show, "--seq", arguments->seq, "Tokens a sample (default: the config's maximum)", { 1 });
    show->add_option("--dtype", arguments->dtype, "fp32, bf16 or fp16")
        ->type_name("DTYPE")
        ->capture_default_str();
    show->add_flag("--json", arguments->json, "Print one JSON document");
    show->callback(
        [&chosen, arguments] { chosen = [arguments] { return showModel(*arguments); }; });
}

} // namespace stageloom
