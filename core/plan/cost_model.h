// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/sim/simulator.h"

namespace stageloom {

// Times beyond those of layers, in seconds. Every default that stands in for an open value of a
// topology is in cost_model.cpp, with its reason.
struct Speeds {
    static double compute(const Device& device, Dtype dtype); // FLOP/s reached, not the peak
    static double memory(const Device& device); // bytes/s
    static double link(const Topology& topology, int a, int b); // bytes/s one way
    static double latency(const Topology& topology, int a, int b); // seconds
};

// The plan's profile where it was measured on such a device; null: none, or on another kind.
const Profile* profileFor(const Plan& plan, int device);
// One way, for `bytes` from device a to b; a profile's own hop beats it.
double transferTime(const Plan& plan, int a, int b, double bytes);
// Optimizer step over `parameters` elements of this plan on `device`.
double updateTime(const Plan& plan, double parameters, int device);
// What each device sends in a ring all-reduce of fp32 gradients: 2(w-1)/w · |W| (2bw.md §3.2).
double allReduceBytes(double parameters, std::size_t replicas);
// The same in seconds, at the slowest link of the ring over the devices of one stage.
double allReduceTime(const Plan& plan, double parameters, const std::vector<int>& devices);
// Completes a stage's times, whose forward, backward and recompute are given, with its update and
// the sum of its replicas' gradients. `reduces`: the list has reductions, which run beside the
// compute; else the worker stands for what cannot hide behind a batch's compute, which is what
// exceeds it where a gradient may be a batch late, and all of it elsewhere.
StageTimes withUpdate(
    const Plan& plan, StageTimes times, double update, double allReduce, bool reduces);
// Layer times from the plan's profile, else from FLOPs, bytes and the device's peak.
std::vector<LayerTime> layerTimes(const Plan& plan, const Model& model, int device);
// What a microbatch hands over where stage `border` ends: activations on, as much gradient back.
double borderBytes(const Plan& plan, const Model& model, int border);
// Of each stage border, one way, seconds.
std::vector<double> hopTimes(const Plan& plan, const Model& model);

} // namespace stageloom
