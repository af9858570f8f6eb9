// SPDX-License-Identifier: Apache-2.0
// "local": this machine's cores and NUMA nodes through hwloc, its memory from the kernel.
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/preset_parts.h"

#include <algorithm>
#include <charconv>
#include <hwloc.h>
#include <memory>
#include <unistd.h>

namespace stageloom {

namespace {

struct TopologyDeleter {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, TopologyDeleter>;

// Null where hwloc cannot read this machine.
HwlocTopology loadHwloc()
{
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        return nullptr;
    HwlocTopology topology(raw);
    return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

std::optional<int> numaOf(hwloc_topology_t topology, hwloc_obj_t core)
{
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
        if (node->nodeset && core->nodeset && hwloc_bitmap_intersects(node->nodeset, core->nodeset))
            return int(node->os_index);
    return std::nullopt;
}

// The driver's own list; its memory sizes are not there, so they stay open.
std::vector<std::string> nvidiaGpus()
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator it("/proc/driver/nvidia/gpus", error), end;
         !error && it != end; it.increment(error)) {
        std::string name = "NVIDIA GPU";
        if (const auto text = readTextFile(it->path() / "information", 1u << 20))
            for (const std::string_view line : split(*text, '\n'))
                if (line.starts_with("Model:"))
                    name = std::string(trim(line.substr(6)));
        names.push_back(name);
    }
    return names;
}

void addGpus(Topology& topology)
{
    const std::vector<std::string> names = nvidiaGpus();
    std::error_code error;
    if (names.empty() && !std::filesystem::exists("/proc/driver/nvidia/version", error)) {
        topology.notes.push_back("no NVIDIA driver found, so no GPU is listed");
        return;
    }
    for (const std::string& name : names) {
        Device device;
        device.index = int(topology.devices.size());
        device.name = name;
        topology.devices.push_back(device);
    }
    topology.notes.push_back(fmt::format("the NVIDIA driver names {} GPU{}; their memory and the "
                                         "links between them are left open",
        names.size(), names.size() == 1 ? "" : "s"));
}

void addCores(Topology& topology, hwloc_topology_t hwloc)
{
    const int cores = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_CORE);
    const bool known = cores > 0;
    const hwloc_obj_type_t type = known ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    const int count = known ? cores : hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU);
    addCpuWorkers(topology, count);
    for (Device& device : topology.devices)
        device.numa = numaOf(hwloc, hwloc_get_obj_by_type(hwloc, type, unsigned(device.index)));
    topology.notes.push_back(known
            ? "one CPU worker a physical core; each is given an equal part of the memory"
            : "physical cores are not told apart here: one CPU worker a hardware thread, each with "
              "an equal part of the memory");
    noteMemoryLimit(topology);
}

} // namespace

// From the kernel's own count: the NUMA nodes, whose sum hwloc gives, may know a part only (memory
// that a virtual machine was given later).
std::optional<double> hostMemory()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? std::optional<double>(double(pages) * double(size))
                                 : std::nullopt;
}

std::optional<double> usableMemory()
{
    std::optional<double> usable = hostMemory();
    const auto groups = readTextFile("/proc/self/cgroup", 1u << 20);
    if (!usable || !groups)
        return usable;
    for (const std::string_view line : split(*groups, '\n')) {
        if (!line.starts_with("0::/"))
            continue;
        const std::filesystem::path root("/sys/fs/cgroup");
        for (auto group = root / line.substr(4);; group = group.parent_path()) {
            // "max", or bytes; a limit of any group above this one holds, too.
            if (const auto limit = readTextFile(group / "memory.max", 4096)) {
                double bytes = 0;
                const auto [end, error]
                    = std::from_chars(limit->data(), limit->data() + limit->size(), bytes);
                if (error == std::errc() && end != limit->data() && bytes > 0)
                    usable = std::min(*usable, bytes);
            }
            if (group == root || !group.has_relative_path())
                break;
        }
    }
    return usable;
}

void addCpuWorkers(Topology& topology, int count)
{
    const std::optional<double> usable = usableMemory();
    for (int i = 0; i < count; ++i) {
        Device device;
        device.index = i;
        device.kind = DeviceKind::CpuWorker;
        device.name = "CPU worker";
        if (usable)
            device.memoryBytes = *usable / count;
        topology.devices.push_back(device);
    }
}

void noteMemoryLimit(Topology& topology)
{
    const auto host = hostMemory(), usable = usableMemory();
    if (host && usable && *usable < *host)
        topology.notes.push_back(fmt::format("a limit (cgroup) leaves {} of this machine's {} of "
                                             "memory to programs here: workers share that",
            formatBytes(*usable), formatBytes(*host)));
}

Result<Topology> localTopology()
{
    const HwlocTopology hwloc = loadHwloc();
    if (!hwloc)
        return fail(ErrorKind::Io,
            "hwloc cannot read this machine's topology; 'cpu:2' (any number) works without it");
    Topology topology;
    topology.name = "local";
    topology.hostMemoryBytes = hostMemory();
    addCores(topology, hwloc.get());
    const int workers = int(topology.devices.size());
    joinAllPairs(topology, [](int, int) { return linkOfKind(LinkKind::SharedMemory, {}); });
    addGpus(topology);
    topology.devicesPerServer = int(topology.devices.size());
    topology.title = fmt::format("this machine, {} CPU worker{}", workers, workers == 1 ? "" : "s");
    topology.notes.push_back("speeds of CPU workers and of hand-overs between them are left open; "
                             "'stageloom profile' measures layer times");
    return topology;
}

} // namespace stageloom
