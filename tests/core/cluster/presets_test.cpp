// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/cluster/topology.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>

using namespace stageloom;

namespace {

Topology preset(const std::string& name)
{
    auto topology = readTopology(name);
    EXPECT_TRUE(topology) << topology.error().message;
    return topology ? *topology : Topology();
}

std::map<LinkKind, int> kindsOf(const Topology& topology)
{
    std::map<LinkKind, int> kinds;
    for (const Link& link : topology.links)
        ++kinds[link.kind];
    return kinds;
}

} // namespace

TEST(TopologyPresets, dgx1HasSixBricksAGpuAndTwelvePairsWithout)
{
    const Topology dgx = preset("dgx1-v100-16g");
    std::map<int, int> pairs;
    std::vector<int> bricks(8);
    for (const Link& link : dgx.links) {
        ++pairs[link.lanes];
        bricks[std::size_t(link.a)] += link.lanes;
        bricks[std::size_t(link.b)] += link.lanes;
        if (link.lanes > 0) {
            EXPECT_DOUBLE_EQ(*link.bandwidth, link.lanes * 25e9);
        }
    }
    EXPECT_EQ(pairs, (std::map<int, int> { { 0, 12 }, { 1, 8 }, { 2, 8 } }));
    EXPECT_EQ(bricks, std::vector<int>(8, 6));
    EXPECT_EQ(dgx.linkBetween(0, 3)->lanes, 2);
    EXPECT_EQ(dgx.linkBetween(4, 0)->lanes, 2);
    EXPECT_EQ(dgx.linkBetween(0, 5)->kind, LinkKind::Host);
    EXPECT_EQ(*dgx.devices[4].numa, 1);
}

// The table that a real DGX-1 prints, cell by cell.
TEST(TopologyPresets, dgx1IsTheMachineThatNvidiaSmiShows)
{
    const auto table = std::filesystem::path(STAGELOOM_SOURCE_DIR)
        / "../shared/cases/topo/dgx1-v100-nv1-nv2.txt";
    if (!std::filesystem::exists(table))
        GTEST_SKIP() << "no cases beside this checkout";
    const Topology dgx = preset("dgx1-v100-16g");
    const auto text = readTextFile(table, 1u << 20);
    ASSERT_TRUE(text);
    const auto lines = split(*text, '\n');
    for (std::size_t a = 0; a < 8; ++a) {
        const auto cells = split(lines[a + 1], '\t');
        for (std::size_t b = 0; b < 8; ++b) {
            const std::string cell(trim(cells[b + 1]));
            const int expected = cell.starts_with("NV") ? std::stoi(cell.substr(2)) : 0;
            if (a != b) {
                EXPECT_EQ(dgx.linkBetween(int(a), int(b))->lanes, expected) << a << "-" << b;
            }
        }
    }
}

TEST(TopologyPresets, switchedServersJoinEveryPairAtFullSpeed)
{
    for (const auto& [name, bandwidth] :
        { std::pair("dgx-a100", 300e9), std::pair("dgx-h100", 450e9) }) {
        const Topology topology = preset(name);
        EXPECT_EQ(topology.devices.size(), 8u);
        EXPECT_EQ(kindsOf(topology)[LinkKind::NvSwitch], 28);
        EXPECT_DOUBLE_EQ(*topology.linkBetween(2, 7)->bandwidth, bandwidth);
    }
}

// Sizes as the vendors' data sheets give them, in GiB and GB/s.
TEST(TopologyPresets, aPartOfAServerIsItsFirstGpus)
{
    struct Row {
        const char* source;
        std::size_t gpus;
        double gib, memoryBandwidth;
    };
    for (const Row& row : { Row { "dgx-a100:4", 4, 40, 1555e9 }, Row { "dgx-a100", 8, 40, 1555e9 },
             Row { "dgx-a100-80g", 8, 80, 2039e9 }, Row { "dgx-a100-80g:2", 2, 80, 2039e9 },
             Row { "dgx-h100:1", 1, 80, 3350e9 }, Row { "rtx3090:4", 4, 24, 936e9 },
             Row { "rtx4090:2", 2, 24, 1008e9 }, Row { "dgx1-v100-16g:4", 4, 16, 900e9 },
             Row { "v100-8x8:12", 12, 16, 900e9 } }) {
        const Topology part = preset(row.source);
        EXPECT_EQ(part.name, row.source);
        ASSERT_EQ(part.devices.size(), row.gpus) << row.source;
        EXPECT_EQ(part.links.size(), row.gpus * (row.gpus - 1) / 2) << row.source;
        EXPECT_DOUBLE_EQ(*part.devices[0].memoryBytes, row.gib * 1024 * 1024 * 1024) << row.source;
        EXPECT_DOUBLE_EQ(*part.devices[0].memoryBandwidth, row.memoryBandwidth) << row.source;
    }
    EXPECT_EQ(preset("dgx1-v100-16g:4").linkBetween(0, 3)->lanes, 2);
    EXPECT_EQ(preset("v100-8x8:12").devices.back().server, 1);
    EXPECT_EQ(preset("v100-8x8:12").linkBetween(3, 8)->kind, LinkKind::Network);
    EXPECT_EQ(preset("rtx3090:2").linkBetween(0, 1)->kind, LinkKind::Host);
}

// A document printed, edited and given back is the edited machine.
TEST(TopologyPresets, aPrintedDocumentMayBeEditedAndGivenBack)
{
    Json document = toJson(preset("dgx-a100:2"));
    document["devices"][1]["memory_bytes"] = 1e9;
    const auto path = std::filesystem::temp_directory_path() / "stageloom-edited-topology.json";
    ASSERT_TRUE(writeFileAtomically(path, dumpJson(document)));
    const Topology edited = preset(path.string());
    EXPECT_DOUBLE_EQ(*edited.devices[1].memoryBytes, 1e9);
    EXPECT_EQ(edited.linkBetween(0, 1)->kind, LinkKind::NvSwitch);
    std::filesystem::remove(path);
}

TEST(TopologyPresets, filesOfOtherToolsAreNamedWithWhatHelps)
{
    const auto path = std::filesystem::temp_directory_path() / "stageloom-other-topology.txt";
    const std::pair<std::string, const char*> files[] {
        { "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0-3\nGPU1\tNV4\t X \t0-3\n",
            "nvidia-smi topo -m" },
        { "<!-- by hand -->\n<system version=\"1\">\n</system>\n", "topology file of NCCL" },
        { "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology/>",
            "topology of hwloc" },
        { "<html></html>", "is XML" },
    };
    for (const auto& [text, words] : files) {
        ASSERT_TRUE(writeFileAtomically(path, text));
        const auto topology = readTopology(path.string());
        ASSERT_FALSE(topology);
        EXPECT_NE(topology.error().message.find(words), std::string::npos)
            << topology.error().message;
        EXPECT_EQ(topology.error().message.find("not valid JSON"), std::string::npos);
    }
    std::filesystem::remove(path);
}

TEST(TopologyPresets, clustersSeparateServers)
{
    const Topology eight = preset("v100-8x8");
    EXPECT_EQ(eight.devices.size(), 64u);
    EXPECT_EQ(eight.links.size(), 64u * 63 / 2);
    EXPECT_EQ(kindsOf(eight)[LinkKind::NvLink], 8 * 16);
    EXPECT_EQ(kindsOf(eight)[LinkKind::Network], 64 * 63 / 2 - 8 * 28);
    EXPECT_EQ(eight.linkBetween(7, 8)->kind, LinkKind::Network);
    EXPECT_EQ(eight.linkBetween(60, 63)->lanes, 2);
    const Topology frontier = preset("frontier:2");
    EXPECT_EQ(frontier.devices.size(), 16u);
    EXPECT_EQ(frontier.devices[8].server, 1);
    EXPECT_DOUBLE_EQ(*frontier.linkBetween(14, 15)->bandwidth, 200e9);
    EXPECT_EQ(frontier.linkBetween(7, 8)->kind, LinkKind::Network);
}

TEST(TopologyPresets, cpuWorkersShareMemoryEqually)
{
    const Topology workers = preset("cpu:4");
    EXPECT_EQ(workers.devices.size(), 4u);
    double sum = 0;
    for (const Device& device : workers.devices) {
        EXPECT_EQ(device.kind, DeviceKind::CpuWorker);
        EXPECT_FALSE(device.flopsFp32) << "nothing was measured";
        sum += device.memoryBytes.value_or(0);
    }
    EXPECT_DOUBLE_EQ(sum, usableMemory().value_or(0));
    EXPECT_EQ(kindsOf(workers)[LinkKind::SharedMemory], 6);
    EXPECT_TRUE(preset("cpu:1").links.empty());
}

TEST(TopologyPresets, thisMachineHasAWorkerAndMemory)
{
    const Topology local = preset("local");
    const auto workers = std::count_if(local.devices.begin(), local.devices.end(),
        [](const Device& d) { return d.kind == DeviceKind::CpuWorker; });
    EXPECT_GE(workers, 1);
    EXPECT_LE(workers, usableThreads());
    EXPECT_GT(local.hostMemoryBytes.value_or(0), 1e8);
    EXPECT_FALSE(local.notes.empty());
}

TEST(TopologyPresets, wrongCountsAndNamesAreOneClearSentence)
{
    for (const char* wrong : { "cpu", "cpu:", "cpu:0", "cpu:-1", "cpu:abc", "cpu:2x", "cpu:1.5",
             "rtx4090:99999", "dgx-a100:9", "dgx-h100:0", "dgx1-v100-16g:x", "v100-8x8:65",
             "frontier:99999999999999999999" }) {
        const auto topology = readTopology(wrong);
        ASSERT_FALSE(topology) << wrong;
        EXPECT_NE(topology.error().message.find("whole number from 1 to"), std::string::npos)
            << topology.error().message;
    }
    EXPECT_NE(
        readTopology("dgx-a10").error().message.find("did you mean 'dgx-a100'"), std::string::npos);
}

TEST(TopologyPresets, everyPairIsFoundFromBothSides)
{
    const Topology gpus = preset("rtx4090:5");
    for (int a = 0; a < 5; ++a)
        for (int b = 0; b < 5; ++b) {
            const Link* link = gpus.linkBetween(a, b);
            ASSERT_EQ(link == nullptr, a == b);
            if (link) {
                EXPECT_TRUE(link->a == std::min(a, b) && link->b == std::max(a, b));
            }
        }
    EXPECT_EQ(gpus.linkBetween(0, 5), nullptr);
    EXPECT_EQ(gpus.linkBetween(-1, 2), nullptr);
}
