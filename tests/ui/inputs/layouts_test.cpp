// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_strip_layout.h"
#include "ui/topology/known_machines.h"
#include "ui/topology/machine_layout.h"

#include "inputs_fixture.h"

using namespace stageloom;

TEST(StackedBlocks, fillTheAreaInOrderAsHighAsTheirValues)
{
    const auto blocks = stackedBlocks({ 1, 3, 0 }, QRectF(5, 10, 50, 134), 10, 2);
    ASSERT_EQ(blocks.size(), 3u);
    // 134 - two gaps of 2 - three times 10 leaves 100 to share: 25, 75, 0.
    EXPECT_EQ(blocks[0], QRectF(5, 10, 50, 35));
    EXPECT_EQ(blocks[1], QRectF(5, 47, 50, 85));
    EXPECT_EQ(blocks[2], QRectF(5, 134, 50, 10));
}

TEST(StackedBlocks, giveUpGapsThenHeightWhereThereAreMany)
{
    const auto tight = stackedBlocks(std::vector<double>(20, 1), QRectF(0, 0, 10, 100), 5, 2);
    EXPECT_DOUBLE_EQ(tight[19].bottom(), 100);
    EXPECT_DOUBLE_EQ(tight[0].height(), 5);
    const auto many = stackedBlocks(std::vector<double>(1000, 0), QRectF(0, 0, 10, 100), 5, 2);
    EXPECT_NEAR(many[999].bottom(), 100, 1e-9);
    EXPECT_NEAR(many[500].height(), 0.1, 1e-9);
    EXPECT_TRUE(stackedBlocks({}, QRectF(0, 0, 10, 100), 5, 2).empty());
}

TEST(StackedBlocks, areFoundWhereTheyLie)
{
    const auto blocks = stackedBlocks({ 1, 3, 0 }, QRectF(0, 0, 50, 134), 10, 4);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(blockAt(blocks, blocks[static_cast<std::size_t>(i)].center().y()), i);
    EXPECT_EQ(blockAt(blocks, -5), 0);
    EXPECT_EQ(blockAt(blocks, 500), 2);
    EXPECT_EQ(blockAt(blocks, blocks[0].bottom() + 1), 0);
    EXPECT_EQ(blockAt(blocks, blocks[1].top() - 1), 1);
    EXPECT_EQ(blockAt({}, 3), -1);
}

TEST(MachineLayout, keepsEveryKnownMachineInsideAndApart)
{
    for (const char* name : { "cpu:1", "cpu:7", "cpu:64", "rtx4090:4", "dgx1-v100-16g", "v100-8x8",
             "dgx-a100", "dgx-h100", "frontier:4", "frontier:32" }) {
        const Topology machine = *readTopology(name);
        const QSizeF least = leastMachineSize(machine);
        for (const QSizeF size : { QSizeF(760, 700), QSizeF(620, 480), least }) {
            const QSizeF used = size.expandedTo(least);
            const MachineLayout layout = layOutMachine(machine, used);
            const QRectF all(QPointF(0, 0), used);
            for (std::size_t i = 0; i < layout.devices.size(); ++i) {
                EXPECT_TRUE(all.contains(layout.devices[i])) << name << " " << i;
                EXPECT_GE(layout.devices[i].width(), 7) << name;
                EXPECT_GE(layout.devices[i].height(), 5) << name;
                EXPECT_EQ(layout.deviceAt(layout.devices[i].center()), static_cast<int>(i));
                for (std::size_t k = i + 1; k < layout.devices.size(); ++k)
                    EXPECT_FALSE(layout.devices[i].intersects(layout.devices[k])) << name;
                for (const LinkHub& hub : layout.hubs)
                    EXPECT_FALSE(layout.devices[i].intersects(hub.rect)) << name << " " << i;
            }
        }
    }
}

TEST(MachineLayout, placesDevicesInTheirServers)
{
    const Topology machine = *readTopology("v100-8x8");
    const MachineLayout layout = layOutMachine(machine, QSizeF(800, 600));
    std::vector<QRectF> servers;
    for (const MachineFrame& frame : layout.frames)
        if (frame.isServer)
            servers.push_back(frame.rect);
    ASSERT_EQ(servers.size(), 8u);
    for (std::size_t i = 0; i < 64; ++i)
        EXPECT_TRUE(servers[i / 8].contains(layout.devices[i])) << i;
    EXPECT_EQ(layout.network.ports.size(), 8u);
}

TEST(MachineLayout, leadsLinksFromDeviceToDevice)
{
    for (const char* name : { "rtx4090:4", "dgx1-v100-16g", "dgx-a100" }) {
        const Topology machine = *readTopology(name);
        const MachineLayout layout = layOutMachine(machine, QSizeF(760, 700));
        for (const Link& link : machine.links) {
            const QPainterPath way = layout.way(machine, link);
            EXPECT_EQ(layout.deviceAt(way.pointAtPercent(0)), link.a);
            EXPECT_EQ(layout.deviceAt(way.pointAtPercent(1)), link.b);
        }
    }
}

TEST(MachineLayout, leadsNoLinkThroughAnotherDevice)
{
    for (const char* name : { "rtx4090:4", "dgx1-v100-16g", "dgx-a100", "dgx-h100" }) {
        const Topology machine = *readTopology(name);
        const MachineLayout layout = layOutMachine(machine, QSizeF(760, 600));
        for (const Link& link : machine.links) {
            const QPainterPath way = layout.way(machine, link);
            for (double at = 0; at <= 1; at += 0.005) {
                const int met = layout.deviceAt(way.pointAtPercent(at));
                ASSERT_TRUE(met < 0 || met == link.a || met == link.b)
                    << name << ": " << link.a << " to " << link.b << " meets " << met;
            }
        }
    }
}

TEST(MachineLayout, keepsLinksOfAServerOffTheNamesOfOthers)
{
    const Topology machine = *readTopology("v100-8x8");
    const MachineLayout layout = layOutMachine(machine, QSizeF(800, 700));
    std::vector<QRectF> servers;
    for (const MachineFrame& frame : layout.frames)
        if (frame.isServer)
            servers.push_back(frame.rect);
    for (const Link& link : machine.links) {
        if (!isDrawnDirectly(link.kind))
            continue;
        const auto server
            = static_cast<std::size_t>(machine.devices[static_cast<std::size_t>(link.a)].server);
        const QRectF below = servers[server].adjusted(0, 16, 0, 0); // the name stands above
        const QPainterPath way = layout.way(machine, link);
        for (double at = 0; at <= 1; at += 0.02)
            ASSERT_TRUE(below.contains(way.pointAtPercent(at))) << link.a << " to " << link.b;
    }
}

TEST(KnownMachines, areAllReadable)
{
    for (const KnownMachine& machine : knownMachines()) {
        const QString source = machine.source(machine.usual);
        const Result<Topology> read = readTopology(source.toStdString());
        ASSERT_TRUE(read) << read.error().message;
        int count = -1;
        EXPECT_EQ(knownMachine(QString::fromStdString(read->name), count), &machine);
        EXPECT_EQ(count, machine.usual);
        if (!machine.counted.isEmpty()) {
            EXPECT_FALSE(readTopology(machine.source(machine.most + 1).toStdString()));
        }
    }
    // Every preset of the commands is in the menu.
    for (const std::string& name : topologyPresetNames()) {
        int count = 0;
        EXPECT_NE(knownMachine(QString::fromStdString(name), count), nullptr) << name;
    }
}
