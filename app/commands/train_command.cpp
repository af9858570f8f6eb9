// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/numbers.h"
#include "app/commands/run_follow.h"
#include "core/plan/prediction.h"
#include "core/plan/train_request.h"
#include "engine/client/run_launcher.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace stageloom {

namespace {

constexpr int kMostThreads = 256; // of a stage; no machine has more cores to give one

struct TrainOptions {
    std::string plan, data, name;
    int steps = TrainRequest {}.steps;
    std::optional<double> learningRate;
    std::uint64_t seed = TrainRequest {}.seed;
    int evalInterval = 0, threadsPerStage = 1;
    bool detach = false, json = false;
};

// What does not fit or cannot run is refused before anything starts.
Status checkPlan(const Plan& plan, const std::string& where)
{
    for (const PlanFinding& finding : validatePlan(plan))
        if (finding.severity == PlanFinding::Severity::Error)
            return fail(ErrorKind::Infeasible, "{}: {}: {}", where, finding.path, finding.message);
    const Result<Prediction> prediction = predict(plan);
    if (!prediction)
        return failure(prediction);
    for (const PlanFinding& finding : prediction->findings)
        if (finding.severity == PlanFinding::Severity::Error)
            return fail(ErrorKind::Infeasible, "{}: {}: {}", where, finding.path, finding.message);
    return {};
}

Result<TrainRequest> requestOf(const TrainOptions& options)
{
    Result<Plan> plan = readPlan(options.plan);
    if (!plan)
        return failure(plan);
    if (options.learningRate)
        plan->optimizer.learningRate = *options.learningRate;
    if (const Status runnable = checkPlan(*plan, options.plan); !runnable)
        return failure(runnable);
    TrainRequest request;
    request.plan = std::move(*plan);
    request.dataPath
        = std::filesystem::absolute(options.data).string(); // the engine runs elsewhere
    request.steps = options.steps;
    request.seed = options.seed;
    request.name = options.name;
    request.evalInterval = options.evalInterval;
    request.threadsPerStage = options.threadsPerStage;
    return request;
}

void printDetached(const LaunchedRun& run, bool json)
{
    if (json) {
        const Json document { { "run", run.id.value }, { "pid", run.pid },
            { "folder", run.folder.string() } };
        std::fputs((jsonLine(document) + "\n").c_str(), stdout);
        return;
    }
    std::printf("run %lld trains in the background\n  follow it: stageloom runs attach %lld\n"
                "  stop it:   stageloom runs stop %lld\n",
        static_cast<long long>(run.id.value), static_cast<long long>(run.id.value),
        static_cast<long long>(run.id.value));
}

Status train(const TrainOptions& options, const CommandContext& context)
{
    const Result<TrainRequest> request = requestOf(options);
    if (!request)
        return failure(request);
    const Result<LaunchedRun> run = launchRun(*request, context.store);
    if (!run && run.error().kind == ErrorKind::Unsupported) // of the plan, which it does not know
        return fail(run.error().kind, "{}: {}", options.plan, run.error().message);
    if (!run)
        return failure(run);
    for (const std::string& note : run->notes)
        std::fprintf(stderr, "note: %s\n", note.c_str());
    if (options.detach) {
        printDetached(*run, options.json);
        return {};
    }
    FollowOptions follow;
    follow.json = options.json;
    const Result<RunRow> row = followRun(context.store, run->id, follow);
    if (!row)
        return failure(row);
    if (row->state == RunState::Running)
        return {}; // only the following ended
    return printEnd(context.store, *row, options.json);
}

} // namespace

void addTrainCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<TrainOptions>();
    CLI::App* command = parent.add_subcommand("train",
        "Train a plan's model on text, in an engine process of its own, and keep the run.");
    command->add_option("PLAN", options->plan, "The plan (*.plan.json)")
        ->type_name("PLAN")
        ->required();
    command->add_option("--data", options->data, "A text file or a folder of text files")
        ->required()
        ->type_name("PATH");
    addNumber(*command, "--steps", options->steps,
        fmt::format("Batches to train (default {})", options->steps), { 1 });
    addNumber(*command, "--lr", options->learningRate, "Learning rate; default: the plan's",
        { .least = 0, .leastLeftOut = true });
    addNumber(*command, "--seed", options->seed,
        fmt::format(
            "Decides the first weights and the order of the text (default {})", options->seed),
        { 0 });
    command->add_option("--name", options->name, "The run's name; default: the plan's")
        ->type_name("TEXT");
    addNumber(*command, "--eval-interval", options->evalInterval,
        "Batches between validations (default 0: only at the end)", { 0 });
    addNumber(*command, "--threads-per-stage", options->threadsPerStage,
        "CPU threads of each stage (default 1)", { 1, kMostThreads });
    command->add_flag("--detach", options->detach, "Return at once; the run goes on");
    command->add_flag("--json", options->json, "One JSON object a step, then one of the whole run");
    command->footer(
        "This version trains models of the GPT-2 family in fp32 on CPU workers, one pipeline, text "
        "read byte by byte;\nother plans are refused before a run begins.\n"
        "Ctrl-C stops the run after its batch, a second Ctrl-C at once; both keep the run.\n"
        "Examples:\n"
        "  stageloom train my.plan.json --data book.txt --steps 200\n"
        "  stageloom train my.plan.json --data texts/ --lr 3e-4 --seed 7 --name \"low rate\" "
        "--json\n"
        "  stageloom train my.plan.json --data book.txt --steps 5000 --detach");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return train(*options, context); };
    });
}

} // namespace stageloom
