// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/simulate_input.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/sim/metrics.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

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
    fmt::print("makespan               {}\n", timeText(trace, metrics.makespan));
    fmt::print("bubble                 {}\n", formatPercent(metrics.bubbleFraction));
    fmt::print("steady time a batch    {}\n", timeText(trace, metrics.periodPerBatch));
    fmt::print("steady a microbatch    {}\n\n", timeText(trace, metrics.periodPerMicrobatch));
    fmt::print("{:>5} {:>6} {:>10} {:>10} {:>9} {:>9}\n", "stage", "device", "busy", "idle",
        "in flight", "versions");
    for (const StageMetrics& stage : metrics.stages)
        fmt::print("{:>5} {:>6} {:>10} {:>10} {:>9} {:>9}\n", stage.stage, stage.device,
            timeText(trace, stage.busy), timeText(trace, stage.idle), stage.peakStash,
            stage.peakVersions);
    if (ascii || trace.makespan() <= 120 || !trace.timeUnit.empty())
        fmt::print("\n{}", asciiTimeline(trace, 100));
}

// "0.5,0.5,0": anything else is wrong use of the option.
std::vector<double> timesIn(const std::string& text)
{
    std::vector<double> times;
    for (const std::string_view word :
        text.empty() ? std::vector<std::string_view> {} : split(text, ',')) {
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size())
            throw CLI::ConversionError(
                fmt::format("--recompute: '{}' is not a number", std::string(word)));
        times.push_back(value);
    }
    return times;
}

Status runSimulate(const SimulateOptions& options)
{
    const Result<Simulated> simulated = simulateOptions(options);
    if (!simulated)
        return failure(simulated);
    const TraceMetrics metrics = measure(simulated->trace);
    if (!options.csv.empty())
        if (const Status status = writeFileAtomically(options.csv, traceCsv(simulated->trace));
            !status)
            return status;
    if (!options.chromeTrace.empty())
        if (const Status status = writeFileAtomically(
                options.chromeTrace, chromeTrace(simulated->trace, simulated->title));
            !status)
            return status;
    if (options.json)
        std::fputs((toJson(simulated->trace, metrics).dump() + "\n").c_str(), stdout);
    else
        printReport(*simulated, metrics, options.ascii);
    return {};
}

} // namespace

void addSimulateCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand("simulate",
        "Time a pipeline before it runs: a plan, a profile, or stage times of your own.");
    auto options = std::make_shared<SimulateOptions>();
    command->add_option("plan", options->plan, "Plan file (*.plan.json)");
    command->add_option("--profile", options->profile, "Profile file with layer times");
    command
        ->add_option("--devices", options->devices, "Devices to spread the profile's layers over")
        ->check(CLI::Range(1, 4096));
    command
        ->add_option("--stage-layers", options->stageLayers,
            "Layers of each stage, the head included: 4,4,4,5")
        ->delimiter(',');
    command->add_option("--stages", options->stages, "Number of stages")
        ->check(CLI::Range(1, 4096));
    command->add_option("--forward", options->forward, "Forward time, of all stages or one each")
        ->delimiter(',');
    command->add_option("--backward", options->backward, "Backward time, of all stages or one each")
        ->delimiter(',');
    command
        ->add_option_function<std::string>(
            "--recompute",
            [options](const std::string& text) {
                options->recomputeAsked = true;
                options->recompute = timesIn(text);
            },
            "Recompute time, of all stages or one each (0: none); with --profile and no time, the "
            "file's own times")
        ->expected(0, 1)
        ->type_name("[R[,R…]]");
    command->add_flag("--no-recompute", options->noRecompute,
        "Leave out the recompute times that a profile gives");
    command
        ->add_option("--microbatches,-m", options->microbatches,
            "Microbatches a batch (default: the plan's)")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--batches,-n", options->batches, "Batches in a row (default 3)")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--schedule", options->schedule,
        "Schedule, see `stageloom schedules` (default: the plan's, else 2bw)");
    command
        ->add_option("--hop", options->hop,
            "One-way transfer time between neighbours: seconds for a plan, the file's unit for a "
            "profile, whose own it beats")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--blocking-hops", options->blockingHops, "Transfers hold both workers");
    command->add_flag("--ascii", options->ascii, "Draw the timeline as text, however long");
    command->add_option("--csv", options->csv, "Write the spans to this file");
    command->add_option(
        "--chrome-trace", options->chromeTrace, "Write a trace for chrome://tracing or Perfetto");
    command->add_flag("--json", options->json, "One JSON document with all spans");
    command->footer("Examples:\n"
                    "  stageloom simulate --stages 4 --forward 1 --backward 2 --microbatches 4 "
                    "--batches 4 --schedule 2bw\n"
                    "  stageloom simulate --profile times.json --devices 4 --microbatches 8 "
                    "--schedule 1f1b --json\n"
                    "  stageloom simulate gpt2.plan.json --chrome-trace trace.json\n"
                    "  stageloom simulate gpt2.plan.json --schedule 1f1b --microbatches 16");
    command->callback([options, &chosen] { chosen = [options] { return runSimulate(*options); }; });
}

} // namespace stageloom
