// SPDX-License-Identifier: Apache-2.0
#include "engine/capabilities.h"
#include "engine/device/device.h"
#include "engine/foreign_error.h"
#include "engine/worker/commands.h"
#include <CLI/CLI.hpp>

namespace {

using namespace stageloom;

int reported(const Status& status)
{
    if (status)
        return 0;
    fmt::print(stderr, "stageloom-engine: {}\n", status.error().message);
    return 1;
}

// Foreign exceptions of a command end here; a run and its workers have doors of their own.
template <typename Command> int guarded(Command command)
{
    return reported(engine::caught("The engine", command));
}

void addTrain(CLI::App& app, int& exitCode)
{
    auto* command = app.add_subcommand(
        "train", "Carry out one training run that `stageloom train` has prepared");
    auto place = std::make_shared<engine::TrainPlace>();
    command->add_option("--folder", place->folder, "The run's folder, with its request.json")
        ->required();
    command->add_option("--store", place->store, "The run store")->required();
    command->add_option("--run", place->run.value, "The run's number in the store")->required();
    command->footer(
        "Example:\n  stageloom-engine train --folder runs/7 --store runs.sqlite --run 7\n"
        "Ctrl-C stops after the batch; twice, at once.");
    command->callback(
        [place, &exitCode] { exitCode = guarded([&] { return engine::trainRun(*place); }); });
}

void addProfile(CLI::App& app, int& exitCode)
{
    auto* command
        = app.add_subcommand("profile", "Time each layer of a plan's model on this machine");
    auto place = std::make_shared<engine::ProfilePlace>();
    command->add_option("--plan", place->plan, "The plan file")->required();
    command->add_option("--output", place->output, "The profile file to write")->required();
    command->add_option("--threads", place->threads, "Threads a stage")->check(CLI::Range(1, 1024));
    command->footer(
        "Example:\n  stageloom-engine profile --plan small.plan.json --output small.profile.json");
    command->callback(
        [place, &exitCode] { exitCode = guarded([&] { return engine::profilePlan(*place); }); });
}

void printCapabilities(bool json)
{
    const Json document = toJson(engine::engineCapabilities());
    if (json)
        return fmt::print("{}", dumpJson(document));
    for (const auto& [key, value] : document.items())
        fmt::print(
            "{:<20}{}\n", key, value.is_string() ? value.get<std::string>() : jsonLine(value));
}

void addCapabilities(CLI::App& app)
{
    auto* command = app.add_subcommand("capabilities", "Print what this engine trains");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON document");
    command->footer("Example:\n  stageloom-engine capabilities --json");
    command->callback([json] { printCapabilities(*json); });
}

Status printBench(const engine::BenchOptions& options)
{
    const auto json = engine::runBench(options);
    if (!json)
        return failure(json);
    fmt::print("{}\n", json->dump());
    return {};
}

void addBenchSizes(CLI::App& command, engine::BenchOptions& o)
{
    const auto positive = CLI::Range(1, 1 << 20);
    command.add_option("--layers", o.layers, "Transformer blocks")->check(positive);
    command.add_option("--d-model", o.dModel, "Hidden size, a multiple of 64")->check(positive);
    command.add_option("--seq", o.seq, "Sequence length")->check(positive);
    command.add_option("--vocab", o.vocab, "Vocabulary")->check(positive);
    command.add_option("--microbatch", o.microbatch, "Samples a microbatch")->check(positive);
    command.add_option("--num-microbatches", o.microbatches, "Microbatches a batch")
        ->check(positive);
    command.add_option("--steps", o.steps, "Batches")->check(positive);
    command.add_option("--warmup", o.warmup, "Batches that the rate leaves out")->check(positive);
    command.add_option("--stages", o.stages, "Stages, each a thread")->check(positive);
    command.add_option("--threads", o.threads, "Intra-op threads a stage")->check(positive);
}

void addBench(CLI::App& app, int& exitCode)
{
    auto* command
        = app.add_subcommand("bench", "Train a GPT on synthetic text and print its rate as JSON");
    auto options = std::make_shared<engine::BenchOptions>();
    engine::BenchOptions& o = *options;
    addBenchSizes(*command, o);
    command->add_option("--optimizer", o.optimizer, "adam or sgd")
        ->check(CLI::IsMember({ "adam", "sgd" }));
    command->add_option("--schedule", o.schedule, "A schedule name: 2bw, 1f1b, gpipe, …");
    command->add_flag("--untied,!--tied", o.untied,
        "Head with a matrix of its own (default), or the embedding's");
    command->add_flag(
        "--exact-gelu,!--tanh-gelu", o.exactGelu, "GELU by erf (default), or by tanh");
    command->add_flag("--recompute", o.recompute, "Forward again instead of keeping activations");
    command->add_option("--clip", o.clip, "Largest gradient norm; 0: off");
    command->add_option(
        "--lr", o.learningRate, "Learning rate; default 1e-3 for adam, 0.1 for sgd");
    command->add_option("--seed", o.seed, "Seed of weights and data");
    command->footer(
        "Example:\n  stageloom-engine bench --layers 4 --d-model 256 --seq 128 --microbatch 4 "
        "--num-microbatches 8 --steps 12 --schedule 2bw --stages 2");
    command->callback(
        [options, &exitCode] { exitCode = guarded([&] { return printBench(*options); }); });
}

} // namespace

int main(int argc, char** argv)
{
    engine::configureAllocator();
    CLI::App app {
        "Stageloom's training engine. `stageloom` starts it; it is seldom called by hand."
    };
    app.set_version_flag("--version", STAGELOOM_VERSION);
    app.require_subcommand(1);
    int exitCode = 0;
    addTrain(app, exitCode);
    addProfile(app, exitCode);
    addBench(app, exitCode);
    addCapabilities(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return exitCode;
}
