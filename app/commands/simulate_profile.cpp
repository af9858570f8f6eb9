// SPDX-License-Identifier: GPL-3.0-or-later
// Stage times out of a profile's layers.
#include "app/commands/simulate_input.h"
#include "core/model/profile.h"

#include <algorithm>
#include <numeric>

namespace stageloom::simulation {

namespace {

// Contiguous cut with the smallest slowest stage: the cheapest limit that fits into `devices`
// parts, by bisection.
std::vector<int> balancedCut(const std::vector<LayerTime>& layers, int devices)
{
    const auto cost = [&](std::size_t i) {
        return layers[i].forward + layers[i].recompute + layers[i].backward;
    };
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

// Which layers recompute: those that the file lets, or all where it is asked for, or none.
void decideRecompute(const SimulateOptions& options, Profile& profile)
{
    const bool own = profile.recomputes && !options.noRecompute;
    const bool all = options.recomputeAsked && options.recompute.empty();
    for (LayerTime& layer : profile.layers)
        if (!all && !(own && layer.recomputeGiven))
            layer.recompute = 0;
}

Result<std::vector<int>> stageCounts(const SimulateOptions& options, const Profile& profile)
{
    const int layers = int(profile.layers.size());
    std::vector<int> counts = options.stageLayers;
    const int devices = options.devices > 0 ? options.devices : int(counts.size());
    if (devices < 1)
        return fail(ErrorKind::Invalid,
            "--devices is missing: over how many devices {} is to be spread", options.profile);
    if (devices > layers)
        return fail(ErrorKind::Infeasible, "{} has {} layers, too few for {} devices",
            options.profile, layers, devices);
    if (counts.empty())
        counts = balancedCut(profile.layers, devices);
    if (int(counts.size()) != devices
        || std::accumulate(counts.begin(), counts.end(), std::int64_t(0)) != layers
        || *std::min_element(counts.begin(), counts.end()) < 1)
        return fail(ErrorKind::Invalid,
            "--stage-layers must be {} counts of at least 1 that add up to the {} layers of {} "
            "(the head counts)",
            devices, layers, options.profile);
    return counts;
}

} // namespace

Result<Simulated> fromProfile(const SimulateOptions& options)
{
    Result<Profile> profile = readProfile(options.profile);
    if (!profile)
        return failure(profile);
    const double unit = profile->secondsPerUnit();
    decideRecompute(options, *profile);
    const auto counts = stageCounts(options, *profile);
    if (!counts)
        return failure(counts);
    const auto given
        = spread(options.recompute.empty() ? std::vector<double> { 0 } : options.recompute,
            int(counts->size()), "--recompute");
    if (!given)
        return failure(given);
    SimulationInput input;
    std::size_t at = 0;
    for (const int count : *counts) {
        StageTimes times { .forward = 0, .backward = 0 };
        for (int i = 0; i < count; ++i, ++at) {
            times.forward += profile->layers[at].forward;
            times.recompute += profile->layers[at].recompute;
            times.backward += profile->layers[at].backward;
        }
        if (!options.recompute.empty())
            times.recompute = (*given)[input.stages.size()] * unit;
        input.stages.push_back(times);
    }
    input.hops.assign(counts->size(), options.hop ? *options.hop * unit : profile->hop);
    input.blockingHops = options.blockingHops;
    return timeIt(options, input, "s");
}

} // namespace stageloom::simulation
