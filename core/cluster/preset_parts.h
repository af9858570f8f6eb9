// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cluster/topology.h"
#include <functional>

namespace stageloom {

// Decimal gigabytes a second, as link speeds are sold; binary gibibytes, as memory is built.
inline constexpr double kGigabyte = 1e9, kGibibyte = 1024.0 * 1024 * 1024;
// 16 lanes, one way, after 128b/130b coding.
inline constexpr double kPcie3 = 15.75e9, kPcie4 = 31.5e9, kPcie5 = 63.0e9;

// Every pair a < b once, in order; `linkOf` says what joins them.
void joinAllPairs(Topology& topology, const std::function<Link(int a, int b)>& linkOf);
Link linkOfKind(LinkKind kind, std::optional<double> bandwidth, int lanes = 0);

Result<Topology> cpuPreset(int workers);
Result<Topology> rtx3090Preset(int gpus);
Result<Topology> rtx4090Preset(int gpus);
// The first `gpus` of the machine; what they share (host memory, switches, NICs) is the machine's.
Result<Topology> dgx1Preset(int gpus);
Result<Topology> v100ServersPreset(int gpus);
Result<Topology> dgxA100Preset(int gpus);
Result<Topology> dgxA100Preset80(int gpus);
Result<Topology> dgxH100Preset(int gpus);
Result<Topology> frontierPreset(int nodes);
// This machine through hwloc, and the NVIDIA driver's /proc files where there are any.
Result<Topology> localTopology();
// One device a worker, each with an equal part of that memory.
void addCpuWorkers(Topology& topology, int count);
// Adds a note where hostMemory() and usableMemory() differ.
void noteMemoryLimit(Topology& topology);

// What a topology is named when it is asked for; null: no such preset.
std::optional<Result<Topology>> presetTopology(const std::string& source);

} // namespace stageloom
