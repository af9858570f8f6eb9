// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/topology_edits.h"

#include <QCoreApplication>
#include <algorithm>
#include <numeric>
#include <tuple>

namespace stageloom {

namespace {

void markEdited(Topology& topology)
{
    const std::string edited
        = QCoreApplication::translate("stageloom::TopologyState", ", edited").toStdString();
    std::string& title = topology.title.empty() ? topology.name : topology.title;
    if (!title.ends_with(edited))
        title += edited;
}

MachineEdit unchanged(const Topology& topology)
{
    MachineEdit edit { topology, std::vector<int>(topology.devices.size()) };
    std::iota(edit.place.begin(), edit.place.end(), 0);
    return edit;
}

bool hasDevice(const Topology& topology, int index)
{
    return index >= 0 && index < static_cast<int>(topology.devices.size());
}

Device& deviceAt(Topology& topology, int index)
{
    return topology.devices[static_cast<std::size_t>(index)];
}

// Workers of one host share its memory in equal parts.
void shareHostMemory(Topology& topology)
{
    const auto isWorker = [](const Device& device) { return device.kind == DeviceKind::CpuWorker; };
    const auto workers = std::count_if(topology.devices.begin(), topology.devices.end(), isWorker);
    if (!topology.hostMemoryBytes)
        return;
    for (Device& device : topology.devices)
        if (isWorker(device))
            device.memoryBytes = *topology.hostMemoryBytes / static_cast<double>(workers);
}

std::optional<Link> hostPath(const Topology& topology, const Link& unplugged)
{
    const bool faster = unplugged.kind == LinkKind::NvLink || unplugged.kind == LinkKind::NvSwitch
        || unplugged.kind == LinkKind::Xgmi || unplugged.kind == LinkKind::Pcie;
    if (!faster || !topology.pcieUpBandwidth)
        return std::nullopt;
    Link link;
    link.a = unplugged.a;
    link.b = unplugged.b;
    link.kind = LinkKind::Host;
    link.bandwidth = std::min(
        *topology.pcieUpBandwidth, topology.pcieDownBandwidth.value_or(*topology.pcieUpBandwidth));
    return link;
}

void sortLinks(Topology& topology)
{
    std::sort(topology.links.begin(), topology.links.end(),
        [](const Link& x, const Link& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
}

// How a new device reaches the others of its server: as the slowest pair there does.
Link linkInServer(const Topology& topology, int server)
{
    Link slowest;
    slowest.kind = LinkKind::Host;
    bool found = false;
    for (const Link& link : topology.links) {
        if (topology.devices[static_cast<std::size_t>(link.a)].server != server
            || topology.devices[static_cast<std::size_t>(link.b)].server != server)
            continue;
        if (!found || link.bandwidth.value_or(0) < slowest.bandwidth.value_or(0))
            slowest = link;
        found = true;
    }
    slowest.measuredBandwidth.reset(); // nobody measured this one
    if (!found && !topology.devices.empty()
        && topology.devices.front().kind == DeviceKind::CpuWorker)
        slowest.kind = LinkKind::SharedMemory;
    else if (!found)
        slowest.bandwidth = topology.pcieUpBandwidth;
    return slowest;
}

} // namespace

MachineEdit withLinkUnplugged(const Topology& topology, int a, int b)
{
    MachineEdit edit = unchanged(topology);
    const auto [low, high] = std::minmax(a, b);
    auto& links = edit.topology.links;
    const auto found = std::find_if(links.begin(), links.end(),
        [low = low, high = high](const Link& link) { return link.a == low && link.b == high; });
    if (found == links.end())
        return edit;
    if (const std::optional<Link> host = hostPath(topology, *found))
        *found = *host;
    else
        links.erase(found);
    markEdited(edit.topology);
    return edit;
}

MachineEdit withoutDevice(const Topology& topology, int index)
{
    MachineEdit edit = unchanged(topology);
    Topology& next = edit.topology;
    if (!hasDevice(topology, index) || topology.devices.size() < 2)
        return edit;
    next.devices.erase(next.devices.begin() + index);
    for (int i = 0; i < static_cast<int>(topology.devices.size()); ++i)
        edit.place[static_cast<std::size_t>(i)] = i == index ? -1 : i - (i > index ? 1 : 0);
    for (int i = index; i < static_cast<int>(next.devices.size()); ++i)
        deviceAt(next, i).index = i;
    std::erase_if(
        next.links, [index](const Link& link) { return link.a == index || link.b == index; });
    for (Link& link : next.links) {
        link.a = edit.place[static_cast<std::size_t>(link.a)];
        link.b = edit.place[static_cast<std::size_t>(link.b)];
    }
    shareHostMemory(next);
    markEdited(next);
    return edit;
}

MachineEdit withDeviceLike(const Topology& topology, int index)
{
    MachineEdit edit = unchanged(topology);
    Topology& next = edit.topology;
    if (!hasDevice(topology, index))
        return edit;
    Device device = topology.devices[static_cast<std::size_t>(index)];
    device.index = static_cast<int>(next.devices.size());
    const Link near = linkInServer(topology, device.server);
    for (const Device& other : topology.devices) {
        Link link = near;
        if (other.server != device.server) {
            const Link* far = topology.linkBetween(index, other.index);
            if (far == nullptr)
                continue;
            link = *far;
            link.measuredBandwidth.reset();
        }
        link.a = other.index;
        link.b = device.index;
        next.links.push_back(link);
    }
    next.devices.push_back(std::move(device));
    sortLinks(next);
    shareHostMemory(next);
    markEdited(next);
    return edit;
}

bool sameMachine(const Topology& a, const Topology& b)
{
    const auto deviceFacts = [](const Device& d) {
        return std::tie(d.index, d.kind, d.name, d.memoryBytes, d.flopsFp32, d.flopsFp16,
            d.memoryBandwidth, d.numa, d.pcieSwitch, d.server);
    };
    const auto linkFacts = [](const Link& l) {
        return std::tie(l.a, l.b, l.kind, l.bandwidth, l.measuredBandwidth, l.lanes, l.latency);
    };
    const auto facts = [](const Topology& t) {
        return std::tie(t.name, t.title, t.switches, t.hostMemoryBytes, t.pcieUpBandwidth,
            t.pcieDownBandwidth, t.notes);
    };
    return facts(a) == facts(b)
        && std::equal(a.devices.begin(), a.devices.end(), b.devices.begin(), b.devices.end(),
            [&](const Device& x, const Device& y) { return deviceFacts(x) == deviceFacts(y); })
        && std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(),
            [&](const Link& x, const Link& y) { return linkFacts(x) == linkFacts(y); });
}

} // namespace stageloom
