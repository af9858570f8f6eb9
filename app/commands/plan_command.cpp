// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/plan_text.h"
#include "core/plan/optimizer_json.h"
#include "engine/client/engine_capabilities.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

constexpr int kTimelineColumns = 100;

struct PlanOptions {
    std::string model, topology, dtype = "fp32", schedule = kDefaultSchedule, planner = "auto",
                                 optimizer = "adamw", profile, output;
    std::int64_t batchSize = 0, seq = 0;
    std::optional<double> memoryLimit;
    int top = 5, width = 0;
    bool json = false;
};

Result<PlannerRequest> requestOf(const PlanOptions& options)
{
    const auto dtype = parseDtype(options.dtype);
    if (!dtype)
        return failure(dtype);
    const auto kind = parseOptimizerKind(options.optimizer);
    if (!kind)
        return failure(kind);
    if (options.seq < 0)
        return fail(ErrorKind::Invalid, "--seq is {}: give the tokens a sample", options.seq);
    auto model = readModel(options.model, { options.seq, *dtype });
    if (!model)
        return failure(model);
    auto topology = readTopology(options.topology);
    if (!topology)
        return failure(topology);
    PlannerRequest request;
    request.modelSource = options.model;
    request.model = std::move(*model);
    request.topology = std::move(*topology);
    request.batchSize = options.batchSize;
    request.planner = options.planner;
    request.schedule = options.schedule;
    request.optimizer.kind = *kind;
    request.top = options.top;
    // CPU workers are there to train on at once, and the engine trains one pipeline.
    const bool cpu = request.topology.devices.front().kind == DeviceKind::CpuWorker;
    request.width = options.width == 0 && cpu ? 1 : options.width;
    if (!options.profile.empty()) {
        auto profile = readProfile(options.profile);
        if (!profile)
            return failure(profile);
        request.profile = std::move(*profile);
    }
    if (options.memoryLimit && !(*options.memoryLimit > 0))
        return fail(ErrorKind::Invalid, "--memory-limit is {}: give a number of bytes above 0",
            *options.memoryLimit);
    if (options.memoryLimit)
        for (Device& device : request.topology.devices)
            device.memoryBytes
                = std::min(device.memoryBytes.value_or(*options.memoryLimit), *options.memoryLimit);
    return request;
}

Status runPlan(const PlanOptions& options)
{
    const auto request = requestOf(options);
    if (!request)
        return failure(request);
    auto answer = makePlans(*request);
    if (!answer)
        return failure(answer);
    for (RankedPlan& ranked : answer->plans)
        for (PlanFinding& note : trainingNotes(ranked.plan, ranked.prediction.model))
            ranked.prediction.findings.push_back(std::move(note));
    if (!options.output.empty()) {
        if (const Status status = writePlan(answer->plans.front().plan, options.output); !status)
            return status;
        std::fprintf(stderr, "wrote the best plan to %s\n", options.output.c_str());
    }
    const std::string text
        = options.json ? dumpJson(toJson(*answer)) : planText(*answer, kTimelineColumns);
    std::fputs(text.c_str(), stdout);
    return {};
}

} // namespace

void addPlanCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand(
        "plan", "Find the fastest way to cut a model over devices, and say why it is the fastest.");
    command->footer("Examples:\n"
                    "  stageloom plan --model gpt2/config.json --topology cpu:2 --batch-size 16\n"
                    "  stageloom plan --model gpt2 --topology dgx1-v100-16g --batch-size 64 "
                    "-o gpt2.plan.json\n"
                    "  stageloom plan --model gpt2 --topology rtx4090:4 --batch-size 32 "
                    "--schedule 1f1b --json");
    const auto options = std::make_shared<PlanOptions>();
    command->add_option("--model", options->model, "config.json, its folder, or preset:NAME")
        ->required();
    command->add_option("--topology", options->topology, "preset (cpu:2), file, or local")
        ->required();
    command->add_option("--batch-size", options->batchSize, "samples an optimizer step")
        ->required();
    command->add_option("--seq", options->seq, "tokens a sample (default: the model's maximum)");
    command->add_option("--dtype", options->dtype, "fp32, bf16 or fp16")->capture_default_str();
    command->add_option("--schedule", options->schedule, "2bw, 1f1b or gpipe")
        ->capture_default_str();
    command->add_option("--planner", options->planner, "auto, 2bw or pipedream")
        ->capture_default_str();
    command->add_option("--optimizer", options->optimizer, "sgd, adam or adamw")
        ->capture_default_str();
    command->add_option("--profile", options->profile, "measured layer times (see 'profile')");
    command->add_option("--memory-limit", options->memoryLimit, "most bytes a device may hold");
    command
        ->add_option("--width", options->width,
            "parallel pipelines; 0: any, but 1 on CPU workers, where the plan can train at once")
        ->check(CLI::Range(0, 4096))
        ->capture_default_str();
    command->add_option("--top", options->top, "plans to show")->capture_default_str();
    command->add_option("-o,--output", options->output, "write the best plan to this file");
    command->add_flag("--json", options->json, "print one JSON document");
    command->callback([options, &chosen] { chosen = [options] { return runPlan(*options); }; });
}

} // namespace stageloom
