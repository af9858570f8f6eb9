// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

enum class DeviceKind { Gpu, CpuWorker };
const char* kindName(DeviceKind kind); // "gpu", "cpu-worker"

// A place where a stage can run. What a source leaves open is nullopt, never guessed.
struct Device {
    int index = 0;
    DeviceKind kind = DeviceKind::Gpu;
    std::string name; // "Tesla V100-SXM2-16GB", "CPU worker"
    std::optional<double> memoryBytes;
    std::optional<double> flopsFp32, flopsFp16; // peak, FLOP/s, dense
    std::optional<double> memoryBandwidth; // bytes/s
    std::optional<int> numa;
    std::optional<std::string> pcieSwitch;
    int server = 0; // machine index within the topology
};

enum class LinkKind { NvLink, NvSwitch, Pcie, Host, SharedMemory, Network, Xgmi };
std::string toString(LinkKind kind);

// One pair of devices, each pair once (a < b). Bandwidth is bytes/s one way.
struct Link {
    int a = 0, b = 0;
    LinkKind kind = LinkKind::Pcie;
    std::optional<double> bandwidth;
    std::optional<double> measuredBandwidth;
    int lanes = 0; // NVLink bricks, where known
    std::optional<double> latency; // seconds
};

struct Nic {
    std::string name;
    std::optional<double> bandwidth;
    std::optional<int> numa;
};

// A machine (or a group of equal servers): devices, the links between them, host memory, PCIe.
struct Topology {
    std::string name; // preset name or file
    std::string title; // for people: "4 × RTX 4090"
    std::vector<Device> devices;
    std::vector<Link> links;
    std::vector<Nic> nics;
    std::vector<std::string> switches;
    std::optional<double> hostMemoryBytes;
    std::optional<double> pcieUpBandwidth, pcieDownBandwidth; // bytes/s, device to host and back
    int devicesPerServer = 0;
    std::vector<std::string> notes;

    [[nodiscard]] const Link* linkBetween(int a, int b) const; // null: none known
};

// A preset ("cpu:2", "dgx1-v100-16g", …), "local" (this machine) or a topology JSON file.
Result<Topology> readTopology(const std::string& source);
std::vector<std::string> topologyPresets(); // forms for help: "cpu:K", "dgx-a100[:N]", …
// A preset's name and numbers: what "NAME:N" takes.
struct TopologyPreset {
    std::string name;
    int all = 0; // the count without a colon; 0: a count is needed
    int most = 0;
};
std::vector<TopologyPreset> topologyPresetTable();
std::vector<std::string> topologyPresetNames(); // "cpu", "dgx-a100", …
Json toJson(
    const Topology& topology); // the document of `topology show --json`; fromJson reads it back
Result<Topology> topologyFromJson(const Json& document, const std::string& where);

} // namespace stageloom
