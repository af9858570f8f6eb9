// SPDX-License-Identifier: Apache-2.0
// Facts from NVIDIA's data sheets and white papers (V100, A100, H100; GA102 and Ada white papers
// for RTX 3090 and 4090; DGX-1, DGX A100, DGX H100 user guides) and Amazon's p3.16xlarge page.
// FLOP/s are dense peaks; fp16 is the tensor cores' with fp32 accumulation. A vendor's "GB" of
// device memory is GiB.
#include "core/cluster/preset_parts.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr double kNvLinkBrick = 25e9; // bytes/s one way, NVLink 2 to 4
constexpr double kP3Network = 25e9 / 8; // 25 Gb/s, p3.16xlarge

struct GpuFacts {
    const char* name;
    double memoryGib, fp32, fp16, memoryBandwidth;
};
constexpr GpuFacts kV100 { "Tesla V100-SXM2-16GB", 16, 15.7e12, 125e12, 900e9 };
constexpr GpuFacts kA100 { "A100-SXM4-40GB", 40, 19.5e12, 312e12, 1555e9 };
constexpr GpuFacts kA100With80 { "A100-SXM4-80GB", 80, 19.5e12, 312e12, 2039e9 };
constexpr GpuFacts kH100 { "H100-SXM5-80GB", 80, 67e12, 989.4e12, 3350e9 };
constexpr GpuFacts kRtx3090 { "GeForce RTX 3090", 24, 35.6e12, 71e12, 936e9 };
constexpr GpuFacts kRtx4090 { "GeForce RTX 4090", 24, 82.6e12, 165.2e12, 1008e9 };

const char* const kMemoryNote
    = "device memory is the chip's full size in GiB; the driver keeps some";

void addServer(Topology& topology, const GpuFacts& facts, int gpus)
{
    const int server = topology.devices.empty() ? 0 : topology.devices.back().server + 1;
    for (int i = 0; i < gpus; ++i) {
        Device device;
        device.index = int(topology.devices.size());
        device.name = facts.name;
        device.memoryBytes = facts.memoryGib * kGibibyte;
        device.flopsFp32 = facts.fp32;
        device.flopsFp16 = facts.fp16;
        device.memoryBandwidth = facts.memoryBandwidth;
        device.server = server;
        topology.devices.push_back(device);
    }
    topology.devicesPerServer = std::max(topology.devicesPerServer, gpus);
}

void setPcie(Topology& topology, double bandwidth)
{
    topology.pcieUpBandwidth = topology.pcieDownBandwidth = bandwidth;
}

// Bricks between the GPUs of one DGX-1: two squares with diagonals, joined at their corners
// (hybrid cube mesh). Each V100 has six.
constexpr int kCubeMesh[8][8] = {
    { 0, 1, 1, 2, 2, 0, 0, 0 },
    { 1, 0, 2, 1, 0, 2, 0, 0 },
    { 1, 2, 0, 2, 0, 0, 1, 0 },
    { 2, 1, 2, 0, 0, 0, 0, 1 },
    { 2, 0, 0, 0, 0, 1, 1, 2 },
    { 0, 2, 0, 0, 1, 0, 2, 1 },
    { 0, 0, 1, 0, 1, 2, 0, 2 },
    { 0, 0, 0, 1, 2, 1, 2, 0 },
};

Link cubeMeshLink(int a, int b)
{
    if (const int bricks = kCubeMesh[a % 8][b % 8]; bricks > 0)
        return linkOfKind(LinkKind::NvLink, bricks * kNvLinkBrick, bricks);
    return linkOfKind(LinkKind::Host, kPcie3);
}

// GPUs 0-3 hang on the first socket, 4-7 on the second; two share a PCIe switch.
void placeOnSockets(Topology& topology)
{
    for (Device& device : topology.devices) {
        const int local = device.index % 8;
        device.numa = local / 4;
        device.pcieSwitch = fmt::format("{}PCIe switch {}",
            device.server > 0 ? fmt::format("server {} ", device.server) : "", local / 2);
    }
}

void nameSwitches(Topology& topology, int nvSwitches, int pcieSwitches)
{
    for (int i = 0; i < pcieSwitches; ++i)
        topology.switches.push_back(fmt::format("PCIe switch {}", i));
    for (int i = 0; i < nvSwitches; ++i)
        topology.switches.push_back(fmt::format("NVSwitch {}", i));
}

void nameNics(Topology& topology, int count, double bandwidth)
{
    for (int i = 0; i < count; ++i)
        topology.nics.push_back(Nic { fmt::format("nic{}", i), bandwidth, {} });
}

// "DGX A100, 8 × A100 40 GB", and "4 of 8 × A100 40 GB in a DGX A100".
std::string titleOf(const char* machine, const char* gpu, int gpus, int all)
{
    return gpus == all ? fmt::format("{}, {} × {}", machine, all, gpu)
                       : fmt::format("{} of {} × {} in {}", gpus, all, gpu, machine);
}

Topology nvSwitchServer(const GpuFacts& facts, int gpus, int bricks, int switches)
{
    Topology topology;
    addServer(topology, facts, gpus);
    joinAllPairs(topology, [bricks](int, int) {
        return linkOfKind(LinkKind::NvSwitch, bricks * kNvLinkBrick, bricks);
    });
    nameSwitches(topology, switches, 0);
    return topology;
}

// No NVLink and no peer access between GeForce cards on PCIe: transfers go through host memory.
Topology geForceHost(const GpuFacts& facts, const char* shortName, int gpus)
{
    Topology topology;
    topology.title = fmt::format("{} × {}", gpus, shortName);
    addServer(topology, facts, gpus);
    joinAllPairs(topology, [](int, int) { return linkOfKind(LinkKind::Host, kPcie4); });
    setPcie(topology, kPcie4);
    topology.notes = { kMemoryNote,
        "no NVLink and no peer access: transfers go over PCIe 4.0 x16 and host memory, at the "
        "bus's nominal 31.5 GB/s",
        "host memory, sockets and switches depend on the mainboard and are left open" };
    return topology;
}

Topology dgxA100(const GpuFacts& facts, int gpus)
{
    Topology topology = nvSwitchServer(facts, gpus, 12, 6);
    topology.title
        = titleOf("DGX A100", fmt::format("A100 {:.0f} GB", facts.memoryGib).c_str(), gpus, 8);
    nameNics(topology, 8, 25e9);
    setPcie(topology, kPcie4);
    return topology;
}

const char* const kOpenPlaces
    = "NUMA nodes depend on the BIOS's setting and are left open, as are PCIe switches";

} // namespace

Result<Topology> rtx3090Preset(int gpus)
{
    Topology topology = geForceHost(kRtx3090, "RTX 3090", gpus);
    topology.notes.push_back("two cards with an NVLink bridge (56.25 GB/s one way) are not meant; "
                             "edit the pair's link in the printed document");
    return topology;
}

Result<Topology> rtx4090Preset(int gpus)
{
    return geForceHost(kRtx4090, "RTX 4090", gpus);
}

Result<Topology> dgx1Preset(int gpus)
{
    Topology topology;
    topology.title = titleOf("DGX-1", "V100 16 GB", gpus, 8);
    addServer(topology, kV100, gpus);
    joinAllPairs(topology, cubeMeshLink);
    placeOnSockets(topology);
    nameSwitches(topology, 0, 4);
    nameNics(topology, 4, 12.5e9);
    for (std::size_t i = 0; i < topology.nics.size(); ++i)
        topology.nics[i].numa = int(i / 2);
    setPcie(topology, kPcie3);
    topology.hostMemoryBytes = 512 * kGibibyte;
    topology.notes = { kMemoryNote, "NVLink: 25 GB/s a brick each way, in a hybrid cube mesh",
        "pairs without NVLink go over PCIe 3.0 x16 and the host, at its nominal 15.75 GB/s" };
    return topology;
}

Result<Topology> v100ServersPreset(int gpus)
{
    Topology topology;
    topology.title = gpus == 64 ? "8 servers of 8 × V100 16 GB"
                                : fmt::format("{} × V100 16 GB in servers of 8", gpus);
    for (int left = gpus; left > 0; left -= 8)
        addServer(topology, kV100, std::min(left, 8));
    joinAllPairs(topology, [](int a, int b) {
        return a / 8 == b / 8 ? cubeMeshLink(a, b) : linkOfKind(LinkKind::Network, kP3Network);
    });
    placeOnSockets(topology);
    for (int server = 0; server <= topology.devices.back().server; ++server)
        topology.nics.push_back(Nic { fmt::format("server {} nic", server), kP3Network, {} });
    setPcie(topology, kPcie3);
    topology.hostMemoryBytes = 488 * kGibibyte;
    topology.notes = { kMemoryNote,
        "servers as Amazon's p3.16xlarge: NVLink hybrid cube mesh inside, 25 Gb/s (3.125 GB/s) "
        "between, which the 8 GPUs of a server share",
        "the host's memory is one server's" };
    return topology;
}

Result<Topology> dgxA100Preset(int gpus)
{
    Topology topology = dgxA100(kA100, gpus);
    topology.hostMemoryBytes = 1024 * kGibibyte;
    topology.notes = { kMemoryNote,
        "the model with 40 GB a GPU (320 GB in all, 1 TB of host memory); 'dgx-a100-80g' is the "
        "one with 80 GB",
        kOpenPlaces };
    return topology;
}

Result<Topology> dgxA100Preset80(int gpus)
{
    Topology topology = dgxA100(kA100With80, gpus);
    topology.hostMemoryBytes = 2048 * kGibibyte;
    topology.notes = { kMemoryNote,
        "the model with 80 GB a GPU (640 GB in all, 2 TB of host memory)", kOpenPlaces };
    return topology;
}

Result<Topology> dgxH100Preset(int gpus)
{
    Topology topology = nvSwitchServer(kH100, gpus, 18, 4);
    topology.title = titleOf("DGX H100", "H100 80 GB", gpus, 8);
    nameNics(topology, 8, 50e9);
    setPcie(topology, kPcie5);
    topology.hostMemoryBytes = 2048 * kGibibyte;
    topology.notes = { kMemoryNote, "NUMA nodes and PCIe switches are left open" };
    return topology;
}

} // namespace stageloom
