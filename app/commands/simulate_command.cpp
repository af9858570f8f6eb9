// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/idle_text.h"
#include "app/commands/numbers.h"
#include "app/commands/output_files.h"
#include "app/commands/simulate_input.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/schedule/registry.h"
#include "core/sim/trace_forms.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

constexpr int kColumns = 100, kBlocks = 4,
              kBlocksAsked = 40; // of the timeline, without and with --ascii

std::string timeText(const Trace& trace, double value)
{
    return trace.timeUnit.empty() ? fmt::format("{:.6g}", value) : formatSeconds(value);
}

void printReport(const Simulated& simulated, const TraceMetrics& metrics, bool ascii)
{
    const Trace& trace = simulated.trace;
    const Schedule& schedule = simulated.schedule;
    fmt::print("{}: {} stages, {} microbatches a batch, {} batches\n\n", schedule.name,
        schedule.stages, schedule.microbatches, schedule.batches);
    if (trace.stages > 1)
        fmt::print("steady bubble          {}\n",
            metrics.steadyBubbleFraction ? formatPercent(*metrics.steadyBubbleFraction)
                                         : "not seen in so few batches; --batches 3 shows it");
    fmt::print("steady time a batch    {}\n", timeText(trace, metrics.periodPerBatch));
    fmt::print("steady a microbatch    {}\n", timeText(trace, metrics.periodPerMicrobatch));
    if (trace.stages > 1)
        fmt::print("filling, draining      {} and {}, {}\n", timeText(trace, metrics.fill),
            timeText(trace, metrics.drain), fillsEachBatch(schedule.name) ? "each batch" : "once");
    fmt::print("makespan               {}{}\n\n", timeText(trace, metrics.makespan),
        trace.stages > 1
            ? fmt::format(", bubble {} with them", formatPercent(metrics.bubbleFraction))
            : std::string());
    if (const std::string idle = idleText(trace, 0, 23); !idle.empty())
        fmt::print("{}\n", idle);
    fmt::print("{:>5} {:>6} {:>10} {:>10} {:>9} {:>9}\n", "stage", "device", "busy", "idle",
        "in flight", "versions");
    for (const StageMetrics& stage : metrics.stages)
        fmt::print("{:>5} {:>6} {:>10} {:>10} {:>9} {:>9}\n", stage.stage,
            trace.deviceOf(stage.device), timeText(trace, stage.busy), timeText(trace, stage.idle),
            stage.peakStash, stage.peakVersions);
    if (ascii || trace.makespan() <= 120 || !trace.timeUnit.empty())
        fmt::print("\n{}", asciiTimeline(trace, kColumns, ascii ? kBlocksAsked : kBlocks));
}

Status runSimulate(const SimulateOptions& options, const CommandContext& context)
{
    if (const Status outputs
        = checkOutputs({ { "--csv", options.csv }, { "--chrome-trace", options.chromeTrace } },
            { { "the plan", options.plan }, { "the profile", options.profile } }, context);
        !outputs)
        return outputs;
    const Result<Simulated> simulated = simulateOptions(options);
    if (!simulated)
        return failure(simulated);
    const TraceMetrics metrics = measure(simulated->trace);
    const Trace& trace = simulated->trace;
    if (!options.csv.empty())
        if (const Status status = writeFileAtomically(options.csv,
                [&](const TextSink& sink) {
                    writeTraceCsv(trace, sink);
                    return Status {};
                });
            !status)
            return status;
    if (!options.chromeTrace.empty())
        if (const Status status = writeFileAtomically(options.chromeTrace,
                [&](const TextSink& sink) {
                    ChromeTraceWriter writer(sink);
                    writer.add(trace, simulated->title, 0);
                    writer.finish();
                    return Status {};
                });
            !status)
            return status;
    if (options.json)
        writeTraceJson(trace, metrics, printText);
    else
        printReport(*simulated, metrics, options.ascii);
    return {};
}

} // namespace

void addSimulateCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand("simulate",
        "Time a pipeline before it runs: a plan, a profile, or stage times of your own.");
    auto options = std::make_shared<SimulateOptions>();
    command->add_option("plan", options->plan, "Plan file (*.plan.json)")->type_name("PLAN");
    command->add_option("--profile", options->profile, "Profile file with layer times")
        ->type_name("FILE");
    addNumber(*command, "--devices", options->devices,
        "Devices to spread the profile's layers over", { 1, 4096 });
    addNumber(*command, "--stage-layers", options->stageLayers,
        "Layers of each stage, the head included: 4,4,4,5", { 1 });
    addNumber(*command, "--stages", options->stages, "Number of stages", { 1, 4096 });
    addNumber(
        *command, "--forward", options->forward, "Forward time, of all stages or one each", { 0 });
    addNumber(*command, "--backward", options->backward, "Backward time, of all stages or one each",
        { 0 });
    command
        ->add_option_function<std::string>(
            "--recompute",
            [options](const std::string& text) {
                options->recomputeAsked = true;
                options->recompute.clear(); // without a time: the profile's own
                for (const std::string_view place : split(text, ','))
                    if (!text.empty())
                        options->recompute.push_back(
                            readNumber("--recompute", std::string(place), Range<double> { 0 }));
            },
            "Recompute time, of all stages or one each (0: none); with --profile and no time, the "
            "file's own times")
        ->expected(0, 1)
        ->type_name("[N[,N...]]");
    command->add_flag("--no-recompute", options->noRecompute,
        "Leave out the recompute times that a profile gives");
    addNumber(*command, "--microbatches,-m", options->microbatches,
        "Microbatches a batch (default: the plan's)", { 1, 1'000'000 });
    addNumber(*command, "--batches,-n", options->batches, "Batches in a row (default 3)",
        { 1, 1'000'000 });
    command
        ->add_option("--schedule", options->schedule,
            "Schedule, see `stageloom schedules` (default: the plan's, else 2bw)")
        ->type_name("SCHEDULE");
    addNumber(*command, "--hop", options->hop,
        "One-way transfer time between neighbours: seconds for a plan, the file's unit for a "
        "profile, whose own it beats",
        { 0 });
    command->add_flag("--blocking-hops", options->blockingHops, "Transfers hold both workers");
    command->add_flag("--ascii", options->ascii, "Draw more of the timeline as text");
    command->add_option("--csv", options->csv, "Write the spans to this file")->type_name("FILE");
    command
        ->add_option("--chrome-trace", options->chromeTrace,
            "Write a trace for chrome://tracing or Perfetto")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "One JSON document with all spans");
    command->footer("Examples:\n"
                    "  stageloom simulate --stages 4 --forward 1 --backward 2 --microbatches 4 "
                    "--batches 4 --schedule 2bw\n"
                    "  stageloom simulate --profile times.json --devices 4 --microbatches 8 "
                    "--schedule 1f1b --json\n"
                    "  stageloom simulate gpt2.plan.json --chrome-trace trace.json\n"
                    "  stageloom simulate gpt2.plan.json --schedule 1f1b --microbatches 16");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return runSimulate(*options, context); };
    });
}

} // namespace stageloom
