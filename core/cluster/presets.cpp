// SPDX-License-Identifier: Apache-2.0
// Names of presets and their counts. The facts of NVIDIA and AMD servers are in presets_*.cpp.
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/cluster/preset_parts.h"

#include <charconv>

namespace stageloom {

namespace {

struct Preset {
    const char* name;
    const char* argument; // what follows a colon
    int all; // the count without a colon; 0: a count is needed
    int most;
    Result<Topology> (*make)(int);
};

const Preset kPresets[] = {
    { "cpu", "K", 0, 256, cpuPreset },
    { "rtx3090", "N", 0, 16, rtx3090Preset },
    { "rtx4090", "N", 0, 16, rtx4090Preset },
    { "dgx1-v100-16g", "N", 8, 8, dgx1Preset },
    { "v100-8x8", "N", 64, 64, v100ServersPreset },
    { "dgx-a100", "N", 8, 8, dgxA100Preset },
    { "dgx-a100-80g", "N", 8, 8, dgxA100Preset80 },
    { "dgx-h100", "N", 8, 8, dgxH100Preset },
    { "frontier", "N", 0, 32, frontierPreset },
};

std::string formOf(const Preset& preset)
{
    return fmt::format(preset.all > 0 ? fmt::runtime("{}[:{}]") : fmt::runtime("{}:{}"),
        preset.name, preset.argument);
}

Result<Topology> makePreset(const Preset& preset, const std::string& source, std::size_t colon)
{
    int number = preset.all;
    if (colon != std::string::npos || preset.all == 0) {
        const char* end = source.data() + source.size();
        const char* begin = colon == std::string::npos ? end : source.data() + colon + 1;
        const auto [stop, error] = std::from_chars(begin, end, number);
        if (error != std::errc() || stop != end || number < 1 || number > preset.most)
            return fail(ErrorKind::Invalid,
                "the topology '{}' needs a whole number from 1 to {} after the colon; '{}:2' is "
                "one",
                source, preset.most, preset.name);
    }
    auto topology = preset.make(number);
    if (topology)
        topology->name = source;
    return topology;
}

} // namespace

void joinAllPairs(Topology& topology, const std::function<Link(int, int)>& linkOf)
{
    const int count = int(topology.devices.size());
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            Link link = linkOf(a, b);
            link.a = a;
            link.b = b;
            topology.links.push_back(link);
        }
}

Link linkOfKind(LinkKind kind, std::optional<double> bandwidth, int lanes)
{
    Link link;
    link.kind = kind;
    link.bandwidth = bandwidth;
    link.lanes = lanes;
    return link;
}

std::vector<std::string> topologyPresets()
{
    std::vector<std::string> forms;
    for (const Preset& preset : kPresets)
        forms.push_back(formOf(preset));
    return forms;
}

std::vector<TopologyPreset> topologyPresetTable()
{
    std::vector<TopologyPreset> table;
    for (const Preset& preset : kPresets)
        table.push_back({ preset.name, preset.all, preset.most });
    return table;
}

std::vector<std::string> topologyPresetNames()
{
    std::vector<std::string> names;
    for (const Preset& preset : kPresets)
        names.push_back(preset.name);
    return names;
}

std::optional<Result<Topology>> presetTopology(const std::string& source)
{
    const std::size_t colon = source.find(':');
    for (const Preset& preset : kPresets) {
        if (source.substr(0, colon) != preset.name)
            continue;
        std::error_code error; // a file of that name is what was meant
        if (preset.all == 0 && colon == std::string::npos && std::filesystem::exists(source, error))
            return std::nullopt;
        return makePreset(preset, source, colon);
    }
    return std::nullopt;
}

Result<Topology> cpuPreset(int workers)
{
    Topology topology;
    topology.title = fmt::format("{} CPU worker{}", workers, workers == 1 ? "" : "s");
    topology.hostMemoryBytes = hostMemory();
    topology.devicesPerServer = workers;
    addCpuWorkers(topology, workers);
    joinAllPairs(topology, [](int, int) { return linkOfKind(LinkKind::SharedMemory, {}); });
    topology.notes = { "workers share this machine's memory: each is given an equal part",
        "speeds of CPU workers and of hand-overs between them are not taken from a data sheet; "
        "'stageloom profile' measures layer times" };
    noteMemoryLimit(topology);
    return topology;
}

} // namespace stageloom
