// SPDX-License-Identifier: Apache-2.0
// "local": this machine's cores and NUMA nodes through hwloc, its memory from the kernel.
#include "core/base/files.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/preset_parts.h"

#include <algorithm>
#include <hwloc.h>
#include <memory>

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
    if (hwloc_topology_load(raw) != 0)
        return nullptr;
    // Cores outside this process's affinity mask are not ours.
    if (hwloc_bitmap_t mask = hwloc_bitmap_alloc()) {
        if (hwloc_topology_is_thissystem(raw)
            && hwloc_get_cpubind(raw, mask, HWLOC_CPUBIND_PROCESS) == 0)
            hwloc_topology_restrict(raw, mask, 0);
        hwloc_bitmap_free(mask);
    }
    return topology;
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
    const int found = known ? cores : hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU);
    int count = found;
    // A described machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE) has no limits of this one.
    if (const auto quota = cgroupLimits().cores; quota && hwloc_topology_is_thissystem(hwloc))
        count = std::clamp(int(std::min(*quota, 1e6)), 1, found);
    if (count < found)
        topology.notes.push_back(fmt::format("a limit (cgroup) leaves {:.3g} of the {} cores here "
                                             "to programs: that many workers",
            *cgroupLimits().cores, found));
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
