// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/simulate_input.h"

#include "core/model/profile.h"
#include "core/plan/prediction.h"
#include "core/schedule/registry.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stageloom {

namespace {

// One value stands for every stage; else there is one each.
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

Result<Simulated> timeIt(const SimulateOptions& options, const SimulationInput& input, int depth,
    const std::vector<bool>& recompute, const char* unit)
{
    if (options.microbatches < 1)
        return fail(
            ErrorKind::Invalid, "--microbatches is missing: how many microbatches make a batch");
    ScheduleRequest request;
    request.name = options.schedule;
    request.depth = depth;
    request.microbatches = options.microbatches;
    request.batches = options.batches;
    request.recompute = recompute;
    Result<Schedule> schedule = makeSchedule(request);
    if (!schedule)
        return failure(schedule);
    Result<Trace> trace = simulate(*schedule, input);
    if (!trace)
        return failure(trace);
    trace->timeUnit = unit;
    return Simulated { std::move(*schedule), std::move(*trace), options.schedule };
}

Result<Simulated> fromNumbers(const SimulateOptions& options)
{
    const Result<std::vector<double>> forward
        = spread(options.forward, options.stages, "--forward");
    if (!forward)
        return failure(forward);
    const Result<std::vector<double>> backward
        = spread(options.backward, options.stages, "--backward");
    if (!backward)
        return failure(backward);
    const Result<std::vector<double>> recompute
        = spread(options.recompute.empty() ? std::vector<double> { 0 } : options.recompute,
            options.stages, "--recompute");
    if (!recompute)
        return failure(recompute);
    SimulationInput input;
    std::vector<bool> again;
    for (std::size_t s = 0; s < std::size_t(options.stages); ++s) {
        input.stages.push_back(
            { .forward = (*forward)[s], .backward = (*backward)[s], .recompute = (*recompute)[s] });
        again.push_back((*recompute)[s] > 0);
    }
    input.hops.assign(std::size_t(options.stages), options.hop.value_or(0));
    input.blockingHops = options.blockingHops;
    return timeIt(options, input, options.stages, again, "");
}

// Contiguous cut with the smallest slowest stage: the cheapest limit that fits into `devices`
// parts, by bisection.
std::vector<int> balancedCut(const std::vector<LayerTime>& layers, int devices)
{
    const auto cost = [&](std::size_t i) { return layers[i].forward + layers[i].backward; };
    const auto cut = [&](double limit) {
        std::vector<int> counts { 0 };
        double sum = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const bool mustLeaveEnough = int(layers.size() - i) <= devices - int(counts.size());
            if (counts.back() > 0 && (sum + cost(i) > limit || mustLeaveEnough)) {
                counts.push_back(0);
                sum = 0;
            }
            sum += cost(i);
            ++counts.back();
        }
        return counts;
    };
    double low = 0, high = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        low = std::max(low, cost(i));
        high += cost(i);
    }
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (int(cut(middle).size()) <= devices ? high : low) = middle;
    }
    return cut(high);
}

Result<Simulated> fromProfile(const SimulateOptions& options)
{
    const Result<Profile> profile = readProfile(options.profile);
    if (!profile)
        return failure(profile);
    const int layers = int(profile->layers.size());
    std::vector<int> counts = options.stageLayers;
    const int devices = options.devices > 0 ? options.devices : int(counts.size());
    if (devices < 1)
        return fail(ErrorKind::Invalid,
            "--devices is missing: over how many devices {} is to be spread", options.profile);
    if (devices > layers)
        return fail(ErrorKind::Infeasible, "{} has {} layers, too few for {} devices",
            options.profile, layers, devices);
    if (counts.empty())
        counts = balancedCut(profile->layers, devices);
    if (int(counts.size()) != devices || std::accumulate(counts.begin(), counts.end(), 0) != layers
        || *std::min_element(counts.begin(), counts.end()) < 1)
        return fail(ErrorKind::Invalid,
            "--stage-layers must be {} counts of at least 1 that add up to the {} layers of {} "
            "(the head counts)",
            devices, layers, options.profile);
    SimulationInput input;
    std::size_t at = 0;
    for (const int count : counts) {
        StageTimes times { .forward = 0, .backward = 0 };
        for (int i = 0; i < count; ++i, ++at) {
            times.forward += profile->layers[at].forward;
            times.backward += profile->layers[at].backward;
        }
        input.stages.push_back(times);
    }
    input.hops.assign(counts.size(), options.hop.value_or(profile->hop));
    input.blockingHops = options.blockingHops;
    return timeIt(options, input, devices, {}, "s");
}

Result<Simulated> fromPlan(const SimulateOptions& options)
{
    const Result<Plan> plan = readPlan(options.plan);
    if (!plan)
        return failure(plan);
    Result<Prediction> prediction = predict(*plan, options.batches);
    if (!prediction)
        return failure(prediction);
    Simulated simulated { std::move(prediction->schedule), std::move(prediction->trace),
        plan->name };
    if (options.hop || options.blockingHops) {
        SimulationInput input = prediction->simulation;
        if (options.hop)
            input.hops.assign(input.stages.size(), *options.hop);
        input.blockingHops = options.blockingHops;
        Result<Trace> trace = simulate(simulated.schedule, input);
        if (!trace)
            return failure(trace);
        simulated.trace = std::move(*trace);
    }
    simulated.trace.timeUnit = "s";
    return simulated;
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
    if (!options.plan.empty())
        return fromPlan(options);
    if (!options.profile.empty())
        return fromProfile(options);
    if (options.forward.empty() || options.backward.empty())
        return fail(ErrorKind::Invalid,
            "--stages needs --forward and --backward with a time for all stages or one each");
    return fromNumbers(options);
}

} // namespace stageloom
