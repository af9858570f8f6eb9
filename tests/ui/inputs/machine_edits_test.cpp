// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/topology_edits.h"

#include "inputs_fixture.h"

using namespace stageloom;

namespace {

std::vector<int> devicesOf(const Plan& plan)
{
    std::vector<int> all;
    for (const PlanStage& stage : plan.stages)
        all.insert(all.end(), stage.devices.begin(), stage.devices.end());
    return all;
}

bool hasErrors(const Plan& plan)
{
    for (const PlanFinding& finding : validatePlan(plan))
        if (finding.severity == PlanFinding::Severity::Error)
            return true;
    return false;
}

// Every machine an edit leaves must be one that a file could hold.
void expectReadable(const Topology& machine)
{
    const Result<Topology> read = topologyFromJson(toJson(machine), "edited");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(sameMachine(*read, machine));
}

} // namespace

TEST(MachineEdits, anUnpluggedNvLinkGoesOverTheHost)
{
    const Topology dgx = *readTopology("dgx1-v100-16g");
    ASSERT_EQ(dgx.linkBetween(0, 3)->kind, LinkKind::NvLink);
    const MachineEdit edit = withLinkUnplugged(dgx, 3, 0);
    EXPECT_EQ(edit.topology.linkBetween(0, 3)->kind, LinkKind::Host);
    EXPECT_EQ(edit.topology.linkBetween(0, 3)->bandwidth, dgx.pcieUpBandwidth);
    EXPECT_EQ(edit.topology.links.size(), dgx.links.size());
    EXPECT_EQ(edit.topology.title, dgx.title + ", edited");
    expectReadable(edit.topology);
    // The host path itself unplugged: nothing is said of the pair any more.
    const MachineEdit bare = withLinkUnplugged(edit.topology, 0, 3);
    EXPECT_EQ(bare.topology.linkBetween(0, 3), nullptr);
    EXPECT_EQ(bare.topology.title, dgx.title + ", edited");
    expectReadable(bare.topology);
    EXPECT_TRUE(sameMachine(withLinkUnplugged(bare.topology, 0, 3).topology, bare.topology));
}

TEST(MachineEdits, aRemovedDeviceLetsLaterOnesMoveUp)
{
    const Topology dgx = *readTopology("dgx1-v100-16g");
    const MachineEdit edit = withoutDevice(dgx, 2);
    EXPECT_EQ(edit.topology.devices.size(), 7u);
    EXPECT_EQ(edit.topology.links.size(), 21u); // 7 · 6 / 2
    EXPECT_EQ(edit.place, (std::vector<int> { 0, 1, -1, 2, 3, 4, 5, 6 }));
    for (int a = 0; a < 8; ++a)
        for (int b = a + 1; b < 8; ++b)
            if (a != 2 && b != 2) {
                const Link* link = edit.topology.linkBetween(
                    edit.place[std::size_t(a)], edit.place[std::size_t(b)]);
                ASSERT_NE(link, nullptr);
                EXPECT_EQ(link->bandwidth, dgx.linkBetween(a, b)->bandwidth) << a << " " << b;
            }
    expectReadable(edit.topology);
    const Topology one = *readTopology("cpu:1");
    EXPECT_TRUE(sameMachine(withoutDevice(one, 0).topology, one));
    EXPECT_TRUE(sameMachine(withoutDevice(dgx, 8).topology, dgx));
}

TEST(MachineEdits, anAddedDeviceIsJoinedBySlowestLinkOfItsServer)
{
    const Topology dgx = *readTopology("dgx1-v100-16g");
    const MachineEdit edit = withDeviceLike(dgx, 5);
    ASSERT_EQ(edit.topology.devices.size(), 9u);
    EXPECT_EQ(edit.topology.devices.back().index, 8);
    EXPECT_EQ(edit.topology.devices.back().numa, 1);
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(edit.topology.linkBetween(i, 8)->kind, LinkKind::Host);
    expectReadable(edit.topology);
    const MachineEdit far = withDeviceLike(*readTopology("v100-8x8"), 63);
    EXPECT_EQ(far.topology.linkBetween(0, 64)->kind, LinkKind::Network);
    EXPECT_EQ(far.topology.linkBetween(60, 64)->kind, LinkKind::Host);
    expectReadable(far.topology);
}

TEST(MachineEdits, workersShareTheHostsMemoryAgain)
{
    Topology two = *readTopology("cpu:2");
    two.hostMemoryBytes = 12e9;
    EXPECT_DOUBLE_EQ(*withDeviceLike(two, 0).topology.devices[2].memoryBytes, 4e9);
    EXPECT_DOUBLE_EQ(*withoutDevice(two, 0).topology.devices[0].memoryBytes, 12e9);
}

TEST(MachineEdits, aStageMovesToAFreeDevice)
{
    const Plan plan = smallPlan(
        "rtx4090:4", { { 0, 1, { 0 }, false }, { 2, 3, { 2 }, true }, { 4, 5, { 3 } } });
    const Plan next = withMachine(plan, withoutDevice(plan.topology, 2));
    EXPECT_EQ(devicesOf(next), (std::vector<int> { 0, 1, 2 }));
    EXPECT_TRUE(next.stages[1].recompute);
    EXPECT_FALSE(hasErrors(next));
}

TEST(MachineEdits, aStageWithoutADeviceJoinsItsNeighbour)
{
    const Plan plan = smallPlan(
        "rtx4090:3", { { 0, 1, { 0 }, false }, { 2, 3, { 1 }, false }, { 4, 5, { 2 } } });
    for (int lost = 0; lost < 3; ++lost) {
        const Plan next = withMachine(plan, withoutDevice(plan.topology, lost));
        EXPECT_EQ(next.depth(), 2);
        EXPECT_EQ(devicesOf(next), (std::vector<int> { 0, 1 }));
        EXPECT_FALSE(hasErrors(next)) << lost;
    }
}

TEST(MachineEdits, wideStagesGiveUpAReplica)
{
    const Plan plan = smallPlan("rtx4090:4", { { 0, 2, { 0, 1 } }, { 3, 5, { 2, 3 } } });
    const Plan next = withMachine(plan, withoutDevice(plan.topology, 1));
    EXPECT_EQ(next.width(), 1);
    EXPECT_EQ(next.depth(), 2);
    EXPECT_EQ(devicesOf(next), (std::vector<int> { 0, 1 }));
    EXPECT_FALSE(hasErrors(next));
}

TEST(MachineEdits, aPlanFitsItselfToAnotherMachine)
{
    Plan plan = smallPlan("rtx4090:3", { { 0, 1, { 2 } }, { 2, 3, { 0 } }, { 4, 5, { 1 } } });
    plan.profile = Profile {};
    const Plan same = withOtherMachine(plan, *readTopology("dgx-h100"));
    EXPECT_EQ(devicesOf(same), (std::vector<int> { 0, 1, 2 }));
    EXPECT_EQ(same.topologySource, "dgx-h100");
    EXPECT_TRUE(same.profile);
    const Plan fewer = withOtherMachine(plan, *readTopology("cpu:2"));
    EXPECT_EQ(fewer.depth(), 2);
    EXPECT_FALSE(hasErrors(fewer));
    EXPECT_FALSE(fewer.profile); // it was measured on GPUs
}
