// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/cluster/topology.h"

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
    EXPECT_DOUBLE_EQ(sum, workers.hostMemoryBytes.value_or(0));
    EXPECT_EQ(kindsOf(workers)[LinkKind::SharedMemory], 6);
    EXPECT_TRUE(preset("cpu:1").links.empty());
}

TEST(TopologyPresets, thisMachineHasAWorkerAndMemory)
{
    const Topology local = preset("local");
    EXPECT_FALSE(local.devices.empty());
    EXPECT_GT(local.hostMemoryBytes.value_or(0), 1e8);
    EXPECT_FALSE(local.notes.empty());
}

TEST(TopologyPresets, wrongCountsAndNamesAreOneClearSentence)
{
    for (const char* wrong : { "cpu", "cpu:", "cpu:0", "cpu:-1", "cpu:abc", "cpu:2x", "cpu:1.5",
             "rtx4090:99999", "frontier:99999999999999999999" }) {
        const auto topology = readTopology(wrong);
        ASSERT_FALSE(topology) << wrong;
        EXPECT_NE(topology.error().message.find("whole number from 1 to"), std::string::npos)
            << topology.error().message;
    }
    EXPECT_NE(
        readTopology("dgx-a100:2").error().message.find("takes no number"), std::string::npos);
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
