// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/topology.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

namespace stageloom {

namespace {

constexpr std::size_t kWidestMatrix = 16;

struct TopologyArguments {
    std::string source;
    bool json = false;
};

std::string memoryText(const Device& device)
{
    return device.memoryBytes ? formatBytes(*device.memoryBytes) : "memory not known";
}

void printDevices(const Topology& topology)
{
    for (const Device& device : topology.devices) {
        fmt::print("{:>4}  {:<22} {}", device.index, device.name, memoryText(device));
        if (device.flopsFp32)
            fmt::print(", {}FLOP/s fp32", formatCount(*device.flopsFp32));
        if (device.flopsFp16)
            fmt::print(", {}FLOP/s fp16", formatCount(*device.flopsFp16));
        if (device.numa)
            fmt::print(", NUMA {}", *device.numa);
        if (device.pcieSwitch)
            fmt::print(", {}", *device.pcieSwitch);
        fmt::print("\n");
    }
}

std::string cellOf(const Topology& topology, int a, int b)
{
    if (a == b)
        return "-";
    const Link* link = topology.linkBetween(a, b);
    if (!link)
        return "?";
    if (link->kind == LinkKind::NvLink || link->kind == LinkKind::NvSwitch)
        return fmt::format("nv{}", link->lanes);
    return link->kind == LinkKind::SharedMemory ? "shm" : toString(link->kind).substr(0, 4);
}

void printMatrix(const Topology& topology)
{
    fmt::print("\n    ");
    for (const Device& device : topology.devices)
        fmt::print("{:>6}", device.index);
    for (const Device& row : topology.devices) {
        fmt::print("\n{:>4}", row.index);
        for (const Device& column : topology.devices)
            fmt::print("{:>6}", cellOf(topology, row.index, column.index));
    }
    fmt::print("\n");
}

void printLinks(const Topology& topology)
{
    std::map<std::string, int> counts; // equal links share a line
    for (const Link& link : topology.links)
        ++counts[fmt::format("{}{}, {}", toString(link.kind),
            link.lanes > 0 ? fmt::format(" × {}", link.lanes) : "",
            link.bandwidth ? formatBandwidth(*link.bandwidth) + " one way"
                           : "bandwidth not known")];
    fmt::print("\n");
    for (const auto& [text, count] : counts)
        fmt::print("{:>6} pair{}  {}\n", count, count == 1 ? " " : "s", text);
}

void printTopology(const Topology& topology)
{
    fmt::print("{}: {}, {} device{}\n", topology.name, topology.title, topology.devices.size(),
        topology.devices.size() == 1 ? "" : "s");
    printDevices(topology);
    if (topology.devices.size() > 1 && topology.devices.size() <= kWidestMatrix)
        printMatrix(topology);
    printLinks(topology);
    if (topology.hostMemoryBytes)
        fmt::print("host memory {}\n", formatBytes(*topology.hostMemoryBytes));
    for (const std::string& note : topology.notes)
        fmt::print("note: {}\n", note);
}

Status showTopology(const TopologyArguments& arguments)
{
    const auto topology = readTopology(arguments.source);
    if (!topology)
        return failure(topology);
    if (arguments.json)
        std::fputs(dumpJson(toJson(*topology)).c_str(), stdout);
    else
        printTopology(*topology);
    return {};
}

} // namespace

void addTopologyCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* topology
        = parent.add_subcommand("topology", "Look at a machine's devices and their links.");
    topology->require_subcommand(1);
    topology->footer("Example:\n  stageloom topology show dgx1-v100-16g");
    CLI::App* show
        = topology->add_subcommand("show", "Print devices, links and what is not known of them.");
    show->footer(
        "Examples:\n  stageloom topology show local\n  stageloom topology show dgx-a100:4\n"
        "A machine of your own: print the nearest preset, edit it, give the file where a topology "
        "is asked for:\n"
        "  stageloom topology show rtx4090:2 --json > machine.json\n"
        "  stageloom plan --model gpt2 --topology machine.json --batch-size 32\n"
        "Presets: "
        + joined(topologyPresets(), ", ") + ".");
    const auto arguments = std::make_shared<TopologyArguments>();
    show->add_option("SOURCE", arguments->source, "A preset, 'local' or a topology JSON file")
        ->type_name("TOPOLOGY")
        ->required();
    show->add_flag("--json", arguments->json, "Print one JSON document");
    show->callback(
        [&chosen, arguments] { chosen = [arguments] { return showTopology(*arguments); }; });
}

} // namespace stageloom
