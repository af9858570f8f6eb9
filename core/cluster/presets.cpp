// SPDX-License-Identifier: Apache-2.0
// Names of presets and their counts. The facts of NVIDIA and AMD servers are in presets_*.cpp.
#include "core/base/text.h"
#include "core/cluster/preset_parts.h"

#include <charconv>

namespace stageloom {

namespace {

struct Preset {
    const char* name;
    const char* argument; // what follows a colon; empty: nothing
    int most;
    Result<Topology> (*make)(int);
};

const Preset kPresets[] = {
    { "cpu", "K", 256, cpuPreset },
    { "rtx4090", "N", 16, rtx4090Preset },
    { "dgx1-v100-16g", "", 1, [](int) { return Result<Topology>(dgx1Preset()); } },
    { "v100-8x8", "", 1, [](int) { return Result<Topology>(v100ServersPreset()); } },
    { "dgx-a100", "", 1, [](int) { return Result<Topology>(dgxA100Preset()); } },
    { "dgx-h100", "", 1, [](int) { return Result<Topology>(dgxH100Preset()); } },
    { "frontier", "N", 32, frontierPreset },
};

std::string formOf(const Preset& preset)
{
    return *preset.argument ? std::string(preset.name) + ":" + preset.argument : preset.name;
}

Result<Topology> makePreset(const Preset& preset, const std::string& source, const char* count)
{
    int number = 1;
    if (*preset.argument) {
        const char* end = source.data() + source.size();
        const auto [stop, error] = std::from_chars(count, end, number);
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

std::optional<Result<Topology>> presetTopology(const std::string& source)
{
    const std::size_t colon = source.find(':');
    const std::string name = source.substr(0, colon);
    for (const Preset& preset : kPresets) {
        if (name != preset.name)
            continue;
        if (*preset.argument && colon == std::string::npos) {
            std::error_code error; // a file of that name is what was meant
            if (std::filesystem::exists(source, error))
                return std::nullopt;
        }
        if (!*preset.argument && colon != std::string::npos)
            return Result<Topology>(fail(ErrorKind::Invalid,
                "the topology '{}' takes no number; write '{}'", source, preset.name));
        const std::size_t begin = colon == std::string::npos ? source.size() : colon + 1;
        return makePreset(preset, source, source.data() + begin);
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
