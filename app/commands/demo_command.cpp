// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/demo_report.h"
#include "app/commands/numbers.h"
#include "app/commands/run_follow.h"

#include "core/base/units.h"
#include "core/plan/planner.h"
#include "core/plan/training_defaults.h"
#include "engine/client/profile_client.h"
#include "engine/client/run_launcher.h"

#include <CLI/CLI.hpp>
#include <cstdio>
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
    demo::printModel(answer->plans.front().prediction.model, options.data);

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
    demo::printPlan(plan, *prediction);

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
    return demo::printResults(rows, context.store, options.data);
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
