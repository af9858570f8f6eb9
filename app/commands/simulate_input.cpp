// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/simulate_input.h"

#include "core/base/resources.h"
#include "core/base/units.h"
#include "core/schedule/registry.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace simulation {

Result<std::vector<double>> spread(const std::vector<double>& given, int stages, const char* option)
{
    for (const double value : given)
        if (!std::isfinite(value) || value < 0)
            return fail(
                ErrorKind::Invalid, "{} has the value {}; times are 0 or more", option, value);
    if (given.size() == 1)
        return std::vector<double>(std::size_t(stages), given[0]);
    if (int(given.size()) != stages)
        return fail(ErrorKind::Invalid, "{} has {} values for {} stages; give one for all, or {}",
            option, given.size(), stages, stages);
    return given;
}

Status checkSize(int stages, int microbatches, int batches)
{
    // An action, its place in the simulator, its span and what the metrics keep of it; measured.
    constexpr double kBytesAnAction = 170;
    const double actions = 2.0 * stages * microbatches * batches; // a forward, a backward
    const std::optional<double> available = availableMemory();
    if (!available || actions * kBytesAnAction <= *available)
        return {};
    return fail(ErrorKind::Infeasible,
        "{} batches of {} microbatches on {} stages are {} actions, which need about {} of memory; "
        "{} is free: ask for fewer batches (--batches) or microbatches",
        batches, microbatches, stages, formatCount(actions), formatBytes(actions * kBytesAnAction),
        formatBytes(*available));
}

Result<Simulated> timeIt(
    const SimulateOptions& options, const SimulationInput& input, const char* unit)
{
    if (options.microbatches < 1)
        return fail(
            ErrorKind::Invalid, "--microbatches is missing: how many microbatches make a batch");
    if (const Status size
        = checkSize(int(input.stages.size()), options.microbatches, options.batches);
        !size)
        return failure(size);
    ScheduleRequest request;
    request.name = options.schedule.empty() ? kDefaultSchedule : options.schedule;
    request.depth = int(input.stages.size());
    request.microbatches = options.microbatches;
    request.batches = options.batches;
    for (const StageTimes& stage : input.stages)
        request.recompute.push_back(stage.recompute > 0);
    Result<Schedule> schedule = makeSchedule(request);
    if (!schedule)
        return failure(schedule);
    Result<Trace> trace = simulate(*schedule, input);
    if (!trace)
        return failure(trace);
    if (!std::isfinite(trace->makespan()))
        return fail(ErrorKind::Invalid,
            "the times add up to more than a number can hold; give "
            "them in a larger unit");
    trace->timeUnit = unit;
    return Simulated { std::move(*schedule), std::move(*trace), request.name };
}

} // namespace simulation

namespace {

Result<Simulated> fromNumbers(const SimulateOptions& options)
{
    if (options.forward.empty() || options.backward.empty())
        return fail(ErrorKind::Invalid,
            "--stages needs --forward and --backward with a time for all stages or one each");
    if (options.recomputeAsked && options.recompute.empty())
        return fail(ErrorKind::Invalid,
            "--recompute needs a time beside --stages: one for all stages, or {}", options.stages);
    const auto forward = simulation::spread(options.forward, options.stages, "--forward");
    if (!forward)
        return failure(forward);
    const auto backward = simulation::spread(options.backward, options.stages, "--backward");
    if (!backward)
        return failure(backward);
    const auto recompute = simulation::spread(
        options.recompute.empty() ? std::vector<double> { 0 } : options.recompute, options.stages,
        "--recompute");
    if (!recompute)
        return failure(recompute);
    SimulationInput input;
    for (std::size_t s = 0; s < std::size_t(options.stages); ++s)
        input.stages.push_back(
            { .forward = (*forward)[s], .backward = (*backward)[s], .recompute = (*recompute)[s] });
    input.hops.assign(std::size_t(options.stages), options.hop.value_or(0));
    input.blockingHops = options.blockingHops;
    return simulation::timeIt(options, input, "");
}

// Options that belong to another source of times are refused, never passed over.
Status checkFit(const SimulateOptions& o)
{
    struct Rule {
        bool given;
        const char* option;
        bool plan, profile, stages; // where it belongs
    };
    const Rule rules[] = {
        { o.devices > 0, "--devices", false, true, false },
        { !o.stageLayers.empty(), "--stage-layers", false, true, false },
        { !o.forward.empty(), "--forward", false, false, true },
        { !o.backward.empty(), "--backward", false, false, true },
        { o.recomputeAsked, "--recompute", false, true, true },
        { o.noRecompute, "--no-recompute", false, true, false },
    };
    for (const Rule& rule : rules) {
        const bool fits
            = o.plan.empty() ? o.profile.empty() ? rule.stages : rule.profile : rule.plan;
        if (rule.given && !fits)
            return fail(ErrorKind::Invalid, "{} does not go with {}: {}", rule.option,
                !o.plan.empty()          ? "a plan"
                    : !o.profile.empty() ? "--profile"
                                         : "--stages",
                !o.plan.empty()    ? "the plan's stages say it; edit the plan"
                    : rule.profile ? "it belongs to --profile"
                                   : "it belongs to --stages");
    }
    if (o.hop && !(std::isfinite(*o.hop) && *o.hop >= 0))
        return fail(ErrorKind::Invalid, "--hop is {}; a transfer time is 0 or more", *o.hop);
    if (o.recomputeAsked && o.noRecompute)
        return fail(ErrorKind::Invalid, "--recompute and --no-recompute exclude each other");
    return {};
}

} // namespace

Result<Simulated> simulateOptions(const SimulateOptions& options)
{
    const int sources
        = int(!options.plan.empty()) + int(!options.profile.empty()) + int(options.stages > 0);
    if (sources != 1)
        return fail(ErrorKind::Invalid,
            "simulate needs one source of times: a plan file, --profile with --devices, or "
            "--stages with --forward and --backward{}",
            sources > 1 ? "; more than one was given" : "");
    if (const Status fit = checkFit(options); !fit)
        return failure(fit);
    if (!options.plan.empty())
        return simulation::fromPlan(options);
    return options.profile.empty() ? fromNumbers(options) : simulation::fromProfile(options);
}

} // namespace stageloom
