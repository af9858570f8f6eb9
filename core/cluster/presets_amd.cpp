// SPDX-License-Identifier: Apache-2.0
// Facts from AMD's MI250X data sheet and the Frontier user guide of the Oak Ridge computing
// facility.
#include "core/cluster/preset_parts.h"

namespace stageloom {

namespace {

constexpr int kDiesANode = 8; // GCDs, two on a card
constexpr double kOnPackage = 200e9; // four Infinity Fabric links
constexpr double kFabricLink = 50e9;
constexpr double kSlingshot = 25e9; // 200 Gb/s, one card an MI250X
constexpr double kHostFabric = 36e9; // CPU to GCD, each way

Device die(int index)
{
    Device device;
    device.index = index;
    device.name = "MI250X GCD";
    device.memoryBytes = 64 * kGibibyte;
    device.flopsFp32 = 23.95e12; // half a card's 47.9, vector
    device.flopsFp16 = 191.5e12; // half a card's 383, matrix
    device.memoryBandwidth = 1.6e12;
    device.server = index / kDiesANode;
    return device;
}

Link linkOf(int a, int b)
{
    if (a / kDiesANode != b / kDiesANode)
        return linkOfKind(LinkKind::Network, kSlingshot);
    if (a / 2 == b / 2)
        return linkOfKind(LinkKind::Xgmi, kOnPackage, 4);
    return linkOfKind(LinkKind::Xgmi, kFabricLink);
}

} // namespace

Result<Topology> frontierPreset(int nodes)
{
    Topology topology;
    topology.title
        = fmt::format("{} Frontier node{}, 8 × MI250X GCD each", nodes, nodes == 1 ? "" : "s");
    for (int i = 0; i < nodes * kDiesANode; ++i)
        topology.devices.push_back(die(i));
    joinAllPairs(topology, linkOf);
    for (int node = 0; node < nodes; ++node)
        for (int card = 0; card < kDiesANode / 2; ++card)
            topology.nics.push_back(
                Nic { fmt::format("node {} hsn{}", node, card), kSlingshot, {} });
    topology.devicesPerServer = kDiesANode;
    topology.hostMemoryBytes = 512 * kGibibyte;
    topology.pcieUpBandwidth = topology.pcieDownBandwidth = kHostFabric;
    topology.notes = { "the two dies of a card are joined at 200 GB/s each way",
        "other dies of a node are 50 to 100 GB/s apart, by the number of links on the way: the "
        "lower end is taken for all of them",
        "between nodes a die has its card's Slingshot port of 25 GB/s, which two dies share",
        "the host's memory is one node's" };
    return topology;
}

} // namespace stageloom
