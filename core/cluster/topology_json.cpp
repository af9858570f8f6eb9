// SPDX-License-Identifier: Apache-2.0
// The document of `topology show --json`, written and read back. Unknown keys are let through.
#include "core/base/check.h"
#include "core/base/json_fields.h"
#include "core/cluster/topology.h"

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

constexpr std::int64_t kMostDevices = 4096;
constexpr std::int64_t kMostLanes = 1024;
constexpr LinkKind kLinkKinds[] = { LinkKind::NvLink, LinkKind::NvSwitch, LinkKind::Pcie,
    LinkKind::Host, LinkKind::SharedMemory, LinkKind::Network, LinkKind::Xgmi };

void readDevice(JsonFields& fields, Device& device)
{
    int index = device.index;
    std::string kind = "gpu", pcieSwitch;
    fields.integer("index", index, { 0, kMostDevices });
    if (index != device.index)
        fields.refuse("index", "indices count up from 0 without a gap");
    fields.text("kind", kind);
    if (kind != "gpu" && kind != "cpu-worker")
        fields.refuse("kind", "write gpu or cpu-worker");
    device.kind = kind == "cpu-worker" ? DeviceKind::CpuWorker : DeviceKind::Gpu;
    fields.text("name", device.name);
    fields.number("memory_bytes", device.memoryBytes, NumberRange::AboveZero);
    fields.integer("numa", device.numa, { 0, kMostDevices });
    fields.text("pcie_switch", pcieSwitch);
    if (!pcieSwitch.empty())
        device.pcieSwitch = std::move(pcieSwitch);
    fields.integer("server", device.server, { 0, kMostDevices });
    fields.number("flops_fp32", device.flopsFp32, NumberRange::AboveZero);
    fields.number("flops_fp16", device.flopsFp16, NumberRange::AboveZero);
    fields.number("memory_bandwidth_bytes_per_s", device.memoryBandwidth, NumberRange::AboveZero);
}

void readLink(JsonFields& fields, Link& link, int devices)
{
    int a = 0, b = 0;
    fields.integer("a", a, { 0, devices - 1 }, Need::Required);
    fields.integer("b", b, { 0, devices - 1 }, Need::Required);
    if (a == b)
        fields.refuse("b", "'a' and 'b' must be two different device indices");
    link.a = std::min(a, b);
    link.b = std::max(a, b);
    std::string kind;
    fields.text("kind", kind);
    const auto known = std::find_if(std::begin(kLinkKinds), std::end(kLinkKinds),
        [&](LinkKind candidate) { return kind == toString(candidate); });
    if (known == std::end(kLinkKinds))
        fields.refuse("kind", "write nvlink, nvswitch, pcie, host, shared-memory, network or xgmi");
    else
        link.kind = *known;
    fields.number("bandwidth_bytes_per_s", link.bandwidth, NumberRange::AboveZero);
    fields.number("measured_bandwidth_bytes_per_s", link.measuredBandwidth, NumberRange::AboveZero);
    fields.integer("lanes", link.lanes, { 0, kMostLanes });
    fields.number("latency_s", link.latency, NumberRange::AboveZero);
}

void readNic(JsonFields& fields, Nic& nic)
{
    fields.text("name", nic.name);
    fields.number("bandwidth_bytes_per_s", nic.bandwidth, NumberRange::AboveZero);
    fields.integer("numa", nic.numa, { 0, kMostDevices });
}

// `read` for each object of the list under `key`, with its number.
template <typename Read> void readEach(JsonFields& fields, const char* key, Read&& read)
{
    std::size_t index = 0;
    for (const Json& object : fields.list(key)) {
        if (!fields.status())
            return; // the first fault is the one that is told
        JsonFields inner(object, fields.where(), fields.pointerOf(key) + fmt::format("/{}", index));
        if (inner.status())
            read(inner, index);
        fields.keep(inner);
        ++index;
    }
}

Topology readTopologyFields(JsonFields& fields)
{
    Topology topology;
    const Json& devices = fields.list("devices");
    if (devices.empty() || devices.size() > std::size_t(kMostDevices)) {
        fields.refuse("devices",
            fmt::format("write a list of 1 to {} devices, as 'stageloom topology show PRESET "
                        "--json' prints it",
                kMostDevices));
        return topology;
    }
    const int count = int(devices.size());
    fields.text("name", topology.name);
    fields.text("title", topology.title);
    if (topology.name.empty())
        topology.name = fields.where();
    readEach(fields, "devices", [&](JsonFields& inner, std::size_t index) {
        topology.devices.emplace_back().index = int(index);
        readDevice(inner, topology.devices.back());
    });
    readEach(fields, "links", [&](JsonFields& inner, std::size_t) {
        readLink(inner, topology.links.emplace_back(), count);
    });
    readEach(fields, "nics",
        [&](JsonFields& inner, std::size_t) { readNic(inner, topology.nics.emplace_back()); });
    topology.switches = fields.words("switches");
    topology.notes = fields.words("notes");
    topology.devicesPerServer = count;
    fields.integer("devices_per_server", topology.devicesPerServer, { 0, kMostDevices });
    if (auto host = fields.object("host")) {
        host->number("memory_bytes", topology.hostMemoryBytes, NumberRange::AboveZero);
        host->number("pcie_up_bytes_per_s", topology.pcieUpBandwidth, NumberRange::AboveZero);
        host->number("pcie_down_bytes_per_s", topology.pcieDownBandwidth, NumberRange::AboveZero);
        fields.keep(*host);
    }
    return topology;
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
    JsonFields fields(document, where);
    Topology topology = readTopologyFields(fields);
    if (!fields.status())
        return failure(fields.status());
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
