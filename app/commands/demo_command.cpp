// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/numbers.h"
#include "app/commands/run_follow.h"
#include "core/base/text_files.h"
#include "core/base/units.h"
#include "core/plan/planner.h"
#include "core/plan/training_defaults.h"
#include "core/sim/trace_forms.h"
#include "engine/client/profile_client.h"
#include "engine/client/run_launcher.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>

namespace stageloom {

namespace {

// Every Debian system ships these texts.
constexpr const char* kSampleText = "/usr/share/common-licenses";

struct DemoOptions {
    std::string data = kSampleText, model = "preset:demo-gpt";
    int steps = training::kSteps, devices = 2;
    std::uint64_t seed = 1234;
};

// Nats a byte of a model that only knows how often each byte occurs: what any training has to beat.
// Counts what is trained on.
double unigramEntropy(const std::filesystem::path& data)
{
    std::array<double, 256> counts {};
    double total = 0;
    const Result<TextFiles> text = findTextFiles(data.string());
    for (const TextFiles::File& file : text ? text->files : std::vector<TextFiles::File> {}) {
        std::ifstream in(file.path, std::ios::binary);
        for (std::array<char, 65536> block; in.read(block.data(), block.size()), in.gcount() > 0;)
            for (std::streamsize i = 0; i < in.gcount(); ++i, ++total)
                ++counts[static_cast<unsigned char>(block[std::size_t(i)])];
    }
    double entropy = 0;
    for (const double count : counts)
        if (count > 0)
            entropy -= count / total * std::log(count / total);
    return entropy;
}

std::string orDash(const std::optional<double>& value, const char* format = "{:.3f}")
{
    return value ? fmt::format(fmt::runtime(format), *value) : "–";
}

std::string percentOrDash(const std::optional<double>& value)
{
    return value ? formatPercent(*value) : "–";
}

void printModel(const Model& model, const std::string& data, double entropy)
{
    fmt::print("Model     {} ({}): {} layers, {} parameters, sequences of {} tokens\n", model.name,
        model.family, model.layers.size(), formatCount(double(model.parameters)), model.seq);
    fmt::print("Text      {}: {:.3f} nats a byte by byte frequencies alone\n", data, entropy);
    std::fflush(stdout);
}

void printPlan(const Plan& plan, const Prediction& prediction)
{
    fmt::print(
        "Plan      {} on {}: {} stages × {} replica{}, batches of {} microbatches of {} samples\n",
        plan.schedule, plan.topology.title, plan.depth(), plan.width(),
        plan.width() == 1 ? "" : "s", plan.microbatches, plan.microbatchSize);
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        const StagePrediction& stage = prediction.stages[s];
        fmt::print("          stage {}: layers {} to {}, forward {}, backward {}, {}\n", s,
            plan.stages[s].firstLayer, plan.stages[s].lastLayer, formatSeconds(stage.times.forward),
            formatSeconds(stage.times.backward), formatBytes(stage.memory.total()));
    }
    fmt::print("Predicted {} a batch, {}", formatSeconds(prediction.stepTime),
        formatRate(prediction.tokensPerSecond, "tokens"));
    if (prediction.metrics.steadyBubbleFraction)
        fmt::print("; steady bubble {}, and {} to fill and drain",
            formatPercent(*prediction.metrics.steadyBubbleFraction),
            formatSeconds(prediction.metrics.fill + prediction.metrics.drain));
    fmt::print("\n\n{}", asciiTimeline(prediction.trace, 100));
    std::fflush(stdout);
}

// The runs side by side, held against the text's byte-unigram entropy; says so where a run did not
// get at least half a nat below it in its steps.
void printResults(
    const std::vector<RunRow>& rows, const std::filesystem::path& store, double entropy)
{
    fmt::print("\n{:<26}", "");
    for (const RunRow& row : rows)
        fmt::print("{:>14}", row.schedule);
    const auto line = [&](const char* title, const auto& cell) {
        fmt::print("\n{:<26}", title);
        for (const RunRow& row : rows)
            fmt::print("{:>14}", cell(row));
    };
    line("run", [](const RunRow& row) { return fmt::format("{}", row.id.value); });
    line("training loss", [](const RunRow& row) { return orDash(row.finalLoss); });
    line("validation loss", [](const RunRow& row) { return orDash(row.validationLoss); });
    line("tokens/s", [](const RunRow& row) { return orDash(row.tokensPerSecond, "{:.0f}"); });
    line("steady bubble predicted",
        [](const RunRow& row) { return percentOrDash(row.bubblePredicted); });
    line("steady bubble measured",
        [](const RunRow& row) { return percentOrDash(row.bubbleMeasured); });
    line("peak memory",
        [](const RunRow& row) { return row.peakRssBytes ? formatBytes(*row.peakRssBytes) : "–"; });
    line("below byte entropy", [&](const RunRow& row) {
        return row.validationLoss ? fmt::format("{:.2f} nat", entropy - *row.validationLoss) : "–";
    });
    fmt::print("\n\nBoth runs are kept in {}: `stageloom runs list`.\n", store.string());
    for (const RunRow& row : rows)
        if (row.state == RunState::Finished && row.validationLoss
            && entropy - *row.validationLoss < 0.5)
            fmt::print(
                "{} ended less than half a nat below byte frequencies; more --steps are needed.\n",
                row.schedule);
}

// Seconds matter in a demo: the same plan serves every schedule, so that only the schedule differs.
Result<PlannerAnswer> planDemo(const DemoOptions& options)
{
    PlannerRequest request;
    request.modelSource = options.model;
    const Result<Model> model = readModel(options.model, {});
    if (!model)
        return failure(model);
    request.model = *model;
    const Result<Topology> topology = readTopology(fmt::format("cpu:{}", options.devices));
    if (!topology)
        return failure(topology);
    request.topology = *topology;
    request.batchSize = training::kSamplesADevice * options.devices;
    request.microbatchSize = training::kSamplesADevice;
    request.width = 1; // replicas are planned, but not trained yet
    request.optimizer = training::optimizer(options.steps);
    Result<PlannerAnswer> answer = makePlans(request);
    if (!answer)
        return answer;
    if (answer->plans.empty())
        return fail(ErrorKind::Infeasible, "no pipeline of {} stages was found for {}",
            options.devices, options.model);
    return answer;
}

Result<RunRow> trainOnce(
    const Plan& plan, const DemoOptions& options, const CommandContext& context)
{
    TrainRequest request;
    request.plan = plan;
    request.dataPath = options.data;
    request.steps = options.steps;
    request.seed = options.seed;
    request.name = fmt::format("demo {}", plan.schedule);
    const Result<LaunchedRun> run = launchRun(request, context.store);
    if (!run)
        return failure(run);
    return followRun(context.store, run->id, {});
}

Status runDemo(const DemoOptions& options, const CommandContext& context)
{
    std::error_code error; // nothing is printed for a demo that cannot train
    if (!std::filesystem::exists(options.data, error))
        return fail(
            ErrorKind::Io, "there is no file or folder {} to train on (--data)", options.data);
    Result<PlannerAnswer> answer = planDemo(options);
    if (!answer)
        return failure(answer);
    Plan plan = answer->plans.front().plan;
    const double entropy = unigramEntropy(options.data);
    printModel(answer->plans.front().prediction.model, options.data, entropy);

    if (outputFailed())
        return {};
    std::fprintf(stderr, "timing each layer on this machine …\n");
    Result<Profile> profile = profileModel(plan);
    if (!profile)
        return failure(profile);
    plan.profile = *profile;
    const Result<Prediction> prediction = predict(plan, 4);
    if (!prediction)
        return failure(prediction);
    printPlan(plan, *prediction);

    std::vector<RunRow> rows;
    for (const char* schedule : { kDefaultSchedule, kFlushSchedule }) {
        plan.schedule = schedule;
        fmt::print("\nTraining with {}: {} batches of {} samples, {} tokens each\n", schedule,
            options.steps, plan.batchSize(), plan.seq);
        std::fflush(stdout);
        if (outputFailed())
            return {}; // minutes of work for nobody
        Result<RunRow> row = trainOnce(plan, options, context);
        if (!row)
            return failure(row);
        rows.push_back(std::move(*row));
    }
    printResults(rows, context.store, entropy);
    return {};
}

} // namespace

void addDemoCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand(
        "demo", "The sample end to end: plan, simulate and train a small GPT.");
    auto options = std::make_shared<DemoOptions>();
    addNumber(*command, "--steps", options->steps,
        fmt::format("Batches to train (default {})", training::kSteps), { 1, 1'000'000 });
    command
        ->add_option(
            "--data", options->data, "Text file or folder (default: this system's licences)")
        ->type_name("PATH");
    command->add_option("--model", options->model, "Model to train (default preset:demo-gpt)")
        ->type_name("MODEL");
    addNumber(*command, "--devices", options->devices, "CPU workers (default 2)", { 1, 64 });
    addNumber(
        *command, "--seed", options->seed, "Seed of weights and data order (default 1234)", { 0 });
    command->footer("Plans a byte-level GPT for this machine's CPU, draws its pipeline, trains it "
                    "with PipeDream-2BW and\n"
                    "with 1F1B from the same seed, keeps both runs, and holds measured bubbles "
                    "against predicted ones.\n\n"
                    "Examples:\n  stageloom demo\n  stageloom demo --steps 40 --data my-texts/");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return runDemo(*options, context); };
    });
}

} // namespace stageloom
