// SPDX-License-Identifier: Apache-2.0
// Facts from NVIDIA's data sheets and white papers (V100, A100, H100, RTX 4090; DGX-1, DGX A100,
// DGX H100 user guides) and Amazon's p3.16xlarge page. FLOP/s are dense peaks; fp16 is the tensor
// cores' with fp32 accumulation.
#include "core/cluster/preset_parts.h"

namespace stageloom {

namespace {

constexpr double kNvLinkBrick = 25e9; // bytes/s one way, NVLink 2 to 4
constexpr double kNetwork = 25e9 / 8; // 25 Gb/s, p3.16xlarge

struct GpuFacts {
    const char* name;
    double memoryGib, fp32, fp16, memoryBandwidth;
};
constexpr GpuFacts kV100 { "Tesla V100-SXM2-16GB", 16, 15.7e12, 125e12, 900e9 };
constexpr GpuFacts kA100 { "A100-SXM4-40GB", 40, 19.5e12, 312e12, 1555e9 };
constexpr GpuFacts kH100 { "H100-SXM5-80GB", 80, 67e12, 989.4e12, 3350e9 };
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
    topology.devicesPerServer = gpus;
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

Topology nvSwitchServer(const GpuFacts& facts, int bricks)
{
    Topology topology;
    addServer(topology, facts, 8);
    joinAllPairs(topology, [bricks](int, int) {
        return linkOfKind(LinkKind::NvSwitch, bricks * kNvLinkBrick, bricks);
    });
    return topology;
}

} // namespace

Result<Topology> rtx4090Preset(int gpus)
{
    Topology topology;
    topology.title = fmt::format("{} × RTX 4090", gpus);
    addServer(topology, kRtx4090, gpus);
    joinAllPairs(topology, [](int, int) { return linkOfKind(LinkKind::Host, kPcie4); });
    setPcie(topology, kPcie4);
    topology.notes = { kMemoryNote,
        "no NVLink and no peer access: transfers go over PCIe 4.0 x16 and host memory, at the "
        "bus's "
        "nominal 31.5 GB/s",
        "host memory, sockets and switches depend on the mainboard and are left open" };
    return topology;
}

Topology dgx1Preset()
{
    Topology topology;
    topology.title = "DGX-1, 8 × V100 16 GB";
    addServer(topology, kV100, 8);
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

Topology v100ServersPreset()
{
    Topology topology;
    topology.title = "8 servers of 8 × V100 16 GB";
    for (int server = 0; server < 8; ++server)
        addServer(topology, kV100, 8);
    joinAllPairs(topology, [](int a, int b) {
        return a / 8 == b / 8 ? cubeMeshLink(a, b) : linkOfKind(LinkKind::Network, kNetwork);
    });
    placeOnSockets(topology);
    for (int server = 0; server < 8; ++server)
        topology.nics.push_back(Nic { fmt::format("server {} nic", server), kNetwork, {} });
    setPcie(topology, kPcie3);
    topology.hostMemoryBytes = 488 * kGibibyte;
    topology.notes = { kMemoryNote,
        "servers as Amazon's p3.16xlarge: NVLink hybrid cube mesh inside, 25 Gb/s (3.125 GB/s) "
        "between, which the 8 GPUs of a server share",
        "the host's memory is one server's" };
    return topology;
}

Topology dgxA100Preset()
{
    Topology topology = nvSwitchServer(kA100, 12);
    topology.title = "DGX A100, 8 × A100 40 GB";
    nameSwitches(topology, 6, 0);
    nameNics(topology, 8, 25e9);
    setPcie(topology, kPcie4);
    topology.hostMemoryBytes = 1024 * kGibibyte;
    topology.notes = { kMemoryNote,
        "the model with 40 GB a GPU (320 GB in all, 1 TB of host memory); the 80 GB one is not "
        "meant",
        "NUMA nodes depend on the BIOS's setting and are left open, as are PCIe switches" };
    return topology;
}

Topology dgxH100Preset()
{
    Topology topology = nvSwitchServer(kH100, 18);
    topology.title = "DGX H100, 8 × H100 80 GB";
    nameSwitches(topology, 4, 0);
    nameNics(topology, 8, 50e9);
    setPcie(topology, kPcie5);
    topology.hostMemoryBytes = 2048 * kGibibyte;
    topology.notes = { kMemoryNote, "NUMA nodes and PCIe switches are left open" };
    return topology;
}

} // namespace stageloom
