// SPDX-License-Identifier: Apache-2.0
// The document of `topology show --json`, written and read back. Unknown keys are let through.
#include "core/base/check.h"
#include "core/cluster/topology.h"
#include "core/cluster/topology_reader.h"

#include <algorithm>

namespace stageloom {

namespace {

template <typename T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json deviceJson(const Device& device)
{
    return { { "index", device.index }, { "kind", kindName(device.kind) }, { "name", device.name },
        { "memory_bytes", orNull(device.memoryBytes) }, { "numa", orNull(device.numa) },
        { "pcie_switch", orNull(device.pcieSwitch) }, { "server", device.server },
        { "flops_fp32", orNull(device.flopsFp32) }, { "flops_fp16", orNull(device.flopsFp16) },
        { "memory_bandwidth_bytes_per_s", orNull(device.memoryBandwidth) } };
}

Json linkJson(const Link& link)
{
    Json json { { "a", link.a }, { "b", link.b }, { "kind", toString(link.kind) },
        { "bandwidth_bytes_per_s", orNull(link.bandwidth) } };
    if (link.measuredBandwidth)
        json["measured_bandwidth_bytes_per_s"] = *link.measuredBandwidth;
    if (link.lanes > 0)
        json["lanes"] = link.lanes;
    if (link.latency)
        json["latency_s"] = *link.latency;
    return json;
}

} // namespace

const char* kindName(DeviceKind kind)
{
    return kind == DeviceKind::Gpu ? "gpu" : "cpu-worker";
}

std::string toString(LinkKind kind)
{
    switch (kind) {
    case LinkKind::NvLink:
        return "nvlink";
    case LinkKind::NvSwitch:
        return "nvswitch";
    case LinkKind::Pcie:
        return "pcie";
    case LinkKind::Host:
        return "host";
    case LinkKind::SharedMemory:
        return "shared-memory";
    case LinkKind::Network:
        return "network";
    case LinkKind::Xgmi:
        return "xgmi";
    }
    STAGELOOM_CHECK(false, "a link kind without a name");
}

Json toJson(const Topology& topology)
{
    Json json { { "name", topology.name }, { "title", topology.title },
        { "devices_per_server", topology.devicesPerServer } };
    json["devices"] = Json::array();
    for (const Device& device : topology.devices)
        json["devices"].push_back(deviceJson(device));
    json["nics"] = Json::array();
    for (const Nic& nic : topology.nics)
        json["nics"].push_back({ { "name", nic.name },
            { "bandwidth_bytes_per_s", orNull(nic.bandwidth) }, { "numa", orNull(nic.numa) } });
    json["switches"] = topology.switches;
    json["links"] = Json::array();
    for (const Link& link : topology.links)
        json["links"].push_back(linkJson(link));
    json["host"] = { { "memory_bytes", orNull(topology.hostMemoryBytes) },
        { "pcie_up_bytes_per_s", orNull(topology.pcieUpBandwidth) },
        { "pcie_down_bytes_per_s", orNull(topology.pcieDownBandwidth) } };
    json["notes"] = topology.notes;
    return json;
}

Result<Topology> topologyFromJson(const Json& document, const std::string& where)
{
    TopologyReader reader(where);
    Topology topology = reader.read(document);
    if (!reader.error().empty())
        return fail(ErrorKind::Invalid, "{}", reader.error());
    // In order, linkBetween() finds a pair by its place.
    std::sort(topology.links.begin(), topology.links.end(), [](const Link& one, const Link& other) {
        return std::pair(one.a, one.b) < std::pair(other.a, other.b);
    });
    for (std::size_t i = 1; i < topology.links.size(); ++i) {
        const Link& link = topology.links[i];
        if (topology.links[i - 1].a == link.a && topology.links[i - 1].b == link.b)
            return fail(ErrorKind::Invalid,
                "{}: the pair {}-{} is listed twice in 'links'; leave one", where, link.a, link.b);
    }
    return topology;
}

} // namespace stageloom
