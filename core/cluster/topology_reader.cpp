// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/topology_reader.h"
#include "core/model/config_reader.h"

#include <cmath>

namespace stageloom {

namespace {

constexpr std::size_t kMostDevices = 4096;
constexpr LinkKind kLinkKinds[] = { LinkKind::NvLink, LinkKind::NvSwitch, LinkKind::Pcie,
    LinkKind::Host, LinkKind::SharedMemory, LinkKind::Network, LinkKind::Xgmi };

const Json* valueOf(const Json& object, const char* key)
{
    if (!object.is_object())
        return nullptr;
    const auto at = object.find(key);
    return at == object.end() || at->is_null() ? nullptr : &*at;
}

} // namespace

void TopologyReader::refuse(const std::string& place, const std::string& what)
{
    if (m_error.empty())
        m_error = m_where + ": " + place + (place.empty() ? "" : ": ") + what;
}

const Json& TopologyReader::list(const Json& object, const char* key)
{
    static const Json kEmpty = Json::array();
    const Json* value = valueOf(object, key);
    if (value && !value->is_array())
        refuse("", fmt::format("'{}' is {}, but it must be a list", key, shown(*value)));
    return value && value->is_array() ? *value : kEmpty;
}

std::optional<double> TopologyReader::positive(
    const Json& object, const char* key, const std::string& place)
{
    const Json* value = valueOf(object, key);
    if (!value)
        return std::nullopt;
    if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() <= 0) {
        refuse(place,
            fmt::format("'{}' is {}, but it must be a number above 0, or null where it is "
                        "not known",
                key, shown(*value)));
        return std::nullopt;
    }
    return value->get<double>();
}

std::optional<int> TopologyReader::whole(
    const Json& object, const char* key, const std::string& place, int most)
{
    const Json* value = valueOf(object, key);
    if (!value)
        return std::nullopt;
    const double number = value->is_number() ? value->get<double>() : -1;
    if (number < 0 || number > most || number != std::floor(number)) {
        refuse(place,
            fmt::format("'{}' is {}, but it must be a whole number from 0 to {}", key,
                shown(*value), most));
        return std::nullopt;
    }
    return int(number);
}

std::string TopologyReader::text(const Json& object, const char* key, const std::string& place)
{
    const Json* value = valueOf(object, key);
    if (!value)
        return {};
    if (!value->is_string()) {
        refuse(place, fmt::format("'{}' is {}, but it must be text in quotes", key, shown(*value)));
        return {};
    }
    return value->get<std::string>();
}

Device TopologyReader::readDevice(const Json& object, std::size_t index)
{
    const std::string place = fmt::format("device {}", index);
    Device device;
    device.index = int(index);
    if (!object.is_object()) {
        refuse(place, shown(object) + " is no object in braces");
        return device;
    }
    const int most = int(kMostDevices);
    if (whole(object, "index", place, most).value_or(int(index)) != int(index))
        refuse(place, "'index' must count up from 0 without a gap");
    const std::string kind = text(object, "kind", place);
    if (!kind.empty() && kind != "gpu" && kind != "cpu-worker")
        refuse(place, "'kind' is \"" + kind + "\", but it must be gpu or cpu-worker");
    device.kind = kind == "cpu-worker" ? DeviceKind::CpuWorker : DeviceKind::Gpu;
    device.name = text(object, "name", place);
    device.memoryBytes = positive(object, "memory_bytes", place);
    device.numa = whole(object, "numa", place, most);
    if (std::string name = text(object, "pcie_switch", place); !name.empty())
        device.pcieSwitch = std::move(name);
    device.server = whole(object, "server", place, most).value_or(0);
    device.flopsFp32 = positive(object, "flops_fp32", place);
    device.flopsFp16 = positive(object, "flops_fp16", place);
    device.memoryBandwidth = positive(object, "memory_bandwidth_bytes_per_s", place);
    return device;
}

Link TopologyReader::readLink(const Json& object, std::size_t index, int devices)
{
    const std::string place = fmt::format("link {}", index);
    Link link;
    const auto a = whole(object, "a", place, devices - 1),
               b = whole(object, "b", place, devices - 1);
    if (!a || !b || *a == *b) {
        refuse(place, "'a' and 'b' must be two different device indices");
        return link;
    }
    link.a = std::min(*a, *b);
    link.b = std::max(*a, *b);
    const std::string kind = text(object, "kind", place);
    bool known = false;
    for (const LinkKind candidate : kLinkKinds)
        if (kind == toString(candidate)) {
            link.kind = candidate;
            known = true;
        }
    if (!known)
        refuse(place,
            "'kind' is \"" + kind
                + "\", but it must be nvlink, nvswitch, pcie, host, shared-memory, network or "
                  "xgmi");
    link.bandwidth = positive(object, "bandwidth_bytes_per_s", place);
    link.measuredBandwidth = positive(object, "measured_bandwidth_bytes_per_s", place);
    link.lanes = whole(object, "lanes", place, 1024).value_or(0);
    link.latency = positive(object, "latency_s", place);
    return link;
}

Nic TopologyReader::readNic(const Json& object, std::size_t index)
{
    const std::string place = fmt::format("network card {}", index);
    return { text(object, "name", place), positive(object, "bandwidth_bytes_per_s", place),
        whole(object, "numa", place, int(kMostDevices)) };
}

Topology TopologyReader::read(const Json& document)
{
    Topology topology;
    const Json& devices = list(document, "devices");
    if (devices.empty() || devices.size() > kMostDevices) {
        refuse("",
            fmt::format("'devices' must be a list of 1 to {} devices, as 'stageloom topology "
                        "show PRESET --json' prints it",
                kMostDevices));
        return topology;
    }
    topology.name = text(document, "name", "");
    topology.title = text(document, "title", "");
    if (topology.name.empty())
        topology.name = m_where;
    for (const Json& device : devices)
        topology.devices.push_back(readDevice(device, topology.devices.size()));
    for (const Json& link : list(document, "links"))
        topology.links.push_back(readLink(link, topology.links.size(), int(devices.size())));
    for (const Json& nic : list(document, "nics"))
        topology.nics.push_back(readNic(nic, topology.nics.size()));
    for (const char* key : { "switches", "notes" })
        for (const Json& word : list(document, key))
            if (word.is_string())
                (*key == 's' ? topology.switches : topology.notes)
                    .push_back(word.get<std::string>());
    topology.devicesPerServer = whole(document, "devices_per_server", "", int(kMostDevices))
                                    .value_or(int(devices.size()));
    if (const Json* host = valueOf(document, "host")) {
        topology.hostMemoryBytes = positive(*host, "memory_bytes", "host");
        topology.pcieUpBandwidth = positive(*host, "pcie_up_bytes_per_s", "host");
        topology.pcieDownBandwidth = positive(*host, "pcie_down_bytes_per_s", "host");
    }
    return topology;
}

} // namespace stageloom
