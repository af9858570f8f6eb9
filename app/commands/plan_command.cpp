// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/numbers.h"
#include "app/commands/output_files.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/plan/explain.h"
#include "core/plan/optimizer_json.h"
#include "core/schedule/registry.h"
#include "core/sim/trace_forms.h"
#include "engine/client/engine_capabilities.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

namespace stageloom {

namespace {

constexpr int kTimelineColumns = 100;
constexpr std::size_t kRejectedShown = 6;

struct PlanOptions {
    std::string model, topology, dtype = "fp32", schedule = kDefaultSchedule, planner = "auto",
                                 optimizer = "adamw", profile, output;
    std::int64_t batchSize = 0, seq = 0;
    int width = 0, stages = 0, microbatchSize = 0, microbatches = 0, top = 5; // 0: any
    std::optional<double> memoryLimit; // bytes
    bool json = false;
};

std::vector<std::string> schedulesOf(const std::string& text)
{
    std::vector<std::string> names;
    for (const std::string_view name : split(text, ','))
        if (trim(name) == "all")
            return scheduleNames();
        else if (std::find(names.begin(), names.end(), trim(name)) == names.end())
            names.emplace_back(trim(name));
    return names;
}

Result<PlannerRequest> requestOf(const PlanOptions& options)
{
    const auto dtype = parseDtype(options.dtype);
    if (!dtype)
        return failure(dtype);
    const auto kind = parseOptimizerKind(options.optimizer);
    if (!kind)
        return failure(kind);
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
    request.schedules = schedulesOf(options.schedule);
    request.optimizer.kind = *kind;
    request.top = options.top;
    request.stages = options.stages;
    request.microbatchSize = options.microbatchSize;
    request.microbatches = options.microbatches;
    // CPU workers are there to train on at once, and the engine trains one pipeline.
    const bool cpu = request.topology.devices.front().kind == DeviceKind::CpuWorker;
    request.width = options.width == 0 && cpu ? 1 : options.width;
    if (!options.profile.empty()) {
        auto profile = readProfile(options.profile);
        if (!profile)
            return failure(profile);
        request.profile = std::move(*profile);
    }
    if (options.memoryLimit)
        for (Device& device : request.topology.devices)
            device.memoryBytes
                = std::min(device.memoryBytes.value_or(*options.memoryLimit), *options.memoryLimit);
    return request;
}

std::string layersText(const PlanStage& stage)
{
    return fmt::format("{}–{}", stage.firstLayer, stage.lastLayer);
}

std::string rankingText(const PlannerAnswer& answer)
{
    constexpr const char* kRow = "{:>2}  {:<10} {:>17} {:>5} {:>6}  {:>10} {:>17} {:>8} {:>10}\n";
    std::string text = fmt::format(fmt::runtime(kRow), "", "schedule", "stages × replicas", "b",
        "m", "a batch", "rate", "bubble", "memory");
    for (std::size_t i = 0; i < answer.plans.size(); ++i) {
        const Plan& plan = answer.plans[i].plan;
        const Prediction& p = answer.plans[i].prediction;
        text += fmt::format(fmt::runtime(kRow), i + 1, plan.schedule,
            fmt::format("{} × {}", plan.depth(), plan.width()), plan.microbatchSize,
            plan.microbatches, timeText(p, p.stepTime), rateText(p),
            p.metrics.steadyBubbleFraction ? formatPercent(*p.metrics.steadyBubbleFraction)
                                           : "none",
            formatBytes(p.peakMemory));
    }
    return text;
}

// What a pipeline takes to fill and drain: once a run, or in every batch where the schedule
// flushes.
std::string fillText(const Prediction& p)
{
    const double both = p.metrics.fill + p.metrics.drain;
    if (p.schedule.stages < 2 || both < 0.01 * p.stepTime)
        return {};
    return fmt::format("The bubble is that of the steady state; filling and draining the pipeline "
                       "take {} {}.\n",
        timeText(p, both), fillsEachBatch(p.schedule.name) ? "of every batch in it" : "once a run");
}

std::string stagesText(const Plan& plan, const Prediction& p)
{
    std::string text = fmt::format(
        "{:>5}  {:<9} {:<12} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10} {:>10}\n", "stage", "layers",
        "devices", "F+B", "weights", "gradients", "optimizer", "activations", "buffers", "room");
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        const PlanStage& stage = plan.stages[s];
        const StagePrediction& sp = p.stages[s];
        const StageTimes& t = sp.times;
        text += fmt::format(
            "{:>5}  {:<9} {:<12} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10} {:>10}{}\n", s,
            layersText(stage), fmt::format("{}", fmt::join(stage.devices, ",")),
            timeText(p, t.forward + t.backward + t.recompute), formatBytes(sp.memory.weights),
            formatBytes(sp.memory.gradients), formatBytes(sp.memory.optimizer),
            formatBytes(sp.memory.activations), formatBytes(sp.memory.buffers),
            sp.capacityBytes > 0 ? formatBytes(sp.capacityBytes) : "unknown",
            stage.recompute ? "  recompute" : "");
    }
    return text;
}

// For people: the ranking, why, the winner's timeline and memory, the notes.
std::string planText(const PlannerAnswer& answer)
{
    const RankedPlan& best = answer.plans.front();
    std::string text = best.plan.name + "\n\n" + rankingText(answer) + "\n";
    for (std::size_t i = 0; i < answer.plans.size(); ++i)
        text += fmt::format("{}. {}\n", i + 1, answer.plans[i].why);
    text += fillText(best.prediction);
    text += "\n" + stagesText(best.plan, best.prediction) + "\n";
    text += asciiTimeline(best.prediction.trace, kTimelineColumns);
    for (const PlanFinding& finding : best.prediction.findings)
        text += fmt::format("{}: {}\n",
            finding.severity == PlanFinding::Severity::Warning ? "warning" : "note",
            finding.message);
    const std::size_t shown = std::min(answer.rejected.size(), kRejectedShown);
    for (std::size_t i = 0; i < shown; ++i)
        text
            += fmt::format("rejected {}: {}\n", answer.rejected[i].plan, answer.rejected[i].reason);
    if (shown < answer.rejected.size())
        text += fmt::format(
            "and {} more rejected (--json lists them)\n", answer.rejected.size() - shown);
    text += fmt::format(
        "{} plans compared in {}\n", answer.considered, formatSeconds(answer.seconds));
    return text;
}

Status runPlan(const PlanOptions& options, const CommandContext& context)
{
    const std::filesystem::path model(options.model);
    if (const Status output = checkOutputs({ { "--output", options.output } },
            { { "the model", model }, { "the model", model / "config.json" },
                { "the topology", options.topology }, { "the profile", options.profile } },
            context);
        !output)
        return output;
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
    const std::string text = options.json ? dumpJson(toJson(*answer)) : planText(*answer);
    std::fputs(text.c_str(), stdout);
    return {};
}

} // namespace

void addPlanCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand(
        "plan", "Find the fastest way to cut a model over devices, and say why it is the fastest.");
    command->footer("Examples:\n"
                    "  stageloom plan --model gpt2/config.json --topology cpu:2 --batch-size 16\n"
                    "  stageloom plan --model gpt2 --topology dgx1-v100-16g --batch-size 64 "
                    "-o gpt2.plan.json\n"
                    "  stageloom plan --model gpt2 --topology rtx4090:4 --batch-size 32 "
                    "--schedule 2bw,1f1b --stages 4 --json\n"
                    "  stageloom plan --model gpt2-xl --topology dgx-a100:4 --batch-size 64 "
                    "--schedule all --memory-limit 30GiB\n"
                    "A machine of your own: edit what 'stageloom topology show PRESET --json' "
                    "prints, and give that file.");
    const auto options = std::make_shared<PlanOptions>();
    command->add_option("--model", options->model, "config.json, its folder, or preset:NAME")
        ->type_name("MODEL")
        ->required();
    command->add_option("--topology", options->topology, "Preset (cpu:2), file, or local")
        ->type_name("TOPOLOGY")
        ->required();
    addNumber(*command, "--batch-size", options->batchSize, "Samples an optimizer step", { 1 })
        ->required();
    addNumber(
        *command, "--seq", options->seq, "Tokens a sample (default: the model's maximum)", { 1 });
    command->add_option("--dtype", options->dtype, "fp32, bf16 or fp16")
        ->type_name("DTYPE")
        ->capture_default_str();
    command
        ->add_option("--schedule", options->schedule,
            joined(scheduleNames(), ", ") + "; several with commas, or all, in one ranking")
        ->type_name("SCHEDULE")
        ->capture_default_str();
    addNumber(
        *command, "--stages", options->stages, "Stages of a pipeline (default 0: any)", { 0 });
    addNumber(*command, "--width", options->width,
        "Replicas of each stage (default 0: any, but 1 on CPU workers, where the plan can train at "
        "once)",
        { 0 });
    addNumber(*command, "--microbatch-size", options->microbatchSize,
        "Samples a microbatch (default 0: any)", { 0 });
    addNumber(*command, "--microbatches", options->microbatches,
        "Microbatches a batch and pipeline (default 0: any)", { 0 });
    command
        ->add_option("--planner", options->planner,
            "auto (a flush competes where the batch is small for the schedule) or 2bw (it does "
            "not)")
        ->type_name("PLANNER")
        ->capture_default_str();
    command
        ->add_option("--optimizer", options->optimizer,
            "sgd (its momentum a running mean, m = beta m + (1-beta) g), adam (L2 decay) or adamw")
        ->type_name("OPTIMIZER")
        ->capture_default_str();
    command->add_option("--profile", options->profile, "Measured layer times (see 'profile')")
        ->type_name("FILE");
    command
        ->add_option_function<std::string>(
            "--memory-limit",
            [options](const std::string& text) {
                options->memoryLimit = readBytes("--memory-limit", text);
            },
            "Most that a device may hold, with a GPU's context or a CPU worker's share of the "
            "program: "
            "22GB, 20GiB")
        ->type_name("SIZE");
    addNumber(*command, "--top", options->top, "Plans to show (default 5)", { 1, 1000 });
    command->add_option("-o,--output", options->output, "Write the best plan to this file")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print one JSON document");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return runPlan(*options, context); };
    });
}

} // namespace stageloom
