// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/topology_state.h"

#include "inputs_fixture.h"
#include <QSignalSpy>

using namespace stageloom;

TEST(TopologyState, readsAMachineOffTheCallersThread)
{
    TopologyState state;
    QSignalSpy changed(&state, &TopologyState::changed);
    state.open(QStringLiteral("frontier:4"));
    EXPECT_FALSE(state.topology());
    EXPECT_TRUE(state.isBusy());
    ASSERT_TRUE(waitFor([&] { return changed.count() == 1; }));
    EXPECT_EQ(state.topology()->devices.size(), 32u);
    EXPECT_FALSE(state.isPlans());
}

TEST(TopologyState, showsTheLastOfTwoThatWereOpened)
{
    TopologyState state;
    state.open(QStringLiteral("frontier:32"));
    state.open(QStringLiteral("cpu:3"));
    ASSERT_TRUE(waitFor([&] { return state.topology().has_value(); }));
    QCoreApplication::processEvents();
    EXPECT_EQ(state.topology()->devices.size(), 3u);
}

TEST(TopologyState, saysWhyAMachineCannotBeOpened)
{
    TopologyState state;
    QSignalSpy failed(&state, &TopologyState::failed);
    state.open(QStringLiteral("rtx4090:99"));
    ASSERT_TRUE(waitFor([&] { return failed.count() == 1; }));
    EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("from 1 to 16")));
    EXPECT_FALSE(state.topology());
}

TEST(TopologyState, tellsOfThePlansMachineOnlyWhereItIsAnother)
{
    TopologyState state;
    QSignalSpy changed(&state, &TopologyState::changed);
    state.followPlan(*readTopology("v100-8x8"));
    state.followPlan(*readTopology("v100-8x8"));
    EXPECT_EQ(changed.count(), 1);
    state.show(*readTopology("cpu:2"));
    state.followPlan(*readTopology("v100-8x8")); // an edit of something else
    EXPECT_EQ(changed.count(), 2);
    EXPECT_FALSE(state.isPlans()); // the look at the other one goes on
    state.showPlans();
    EXPECT_TRUE(state.isPlans());
    state.show(*readTopology("cpu:2"));
    state.followPlan(*readTopology("dgx-a100")); // another plan
    EXPECT_TRUE(state.isPlans());
    EXPECT_EQ(state.topology()->devices.size(), 8U);
}

TEST(TopologyState, editsOfAMachineThatIsOnlyLookedAtUndo)
{
    TopologyState state;
    state.show(*readTopology("dgx1-v100-16g"));
    const std::size_t links = state.topology()->links.size();
    state.remove(7);
    state.addLike(0);
    state.unplug(0, 1);
    EXPECT_EQ(state.undoStack().count(), 3);
    while (state.undoStack().canUndo())
        state.undoStack().undo();
    EXPECT_TRUE(sameMachine(*state.topology(), *readTopology("dgx1-v100-16g")));
    EXPECT_EQ(state.topology()->links.size(), links);
    state.undoStack().redo();
    EXPECT_EQ(state.topology()->devices.size(), 7U);
    state.show(*readTopology("cpu:2")); // of another machine nothing is left to undo
    EXPECT_FALSE(state.undoStack().canUndo());
}

TEST(TopologyState, asksThePlanForEditsOfItsMachine)
{
    TopologyState state;
    QSignalSpy asked(&state, &TopologyState::planEditAsked);
    state.followPlan(*readTopology("dgx1-v100-16g"));
    state.unplug(0, 1);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].toString(), QStringLiteral("Unplug GPU 0 from GPU 1"));
    const auto edit = asked[0][1].value<MachineEdit>();
    EXPECT_EQ(edit.topology.linkBetween(0, 1)->kind, LinkKind::Host);
    EXPECT_EQ(
        state.topology()->linkBetween(0, 1)->kind, LinkKind::NvLink); // until the plan says so
    state.addLike(2);
    state.remove(7);
    EXPECT_EQ(asked.count(), 3);
}

TEST(TopologyState, editsAMachineThatIsOnlyLookedAtItself)
{
    TopologyState state;
    QSignalSpy asked(&state, &TopologyState::planEditAsked);
    state.show(*readTopology("cpu:2"));
    state.addLike(0);
    EXPECT_EQ(state.topology()->devices.size(), 3u);
    state.remove(1);
    EXPECT_EQ(state.topology()->devices.size(), 2u);
    EXPECT_EQ(asked.count(), 0);
}

TEST(TopologyState, keepsAtLeastOneDevice)
{
    TopologyState state;
    QSignalSpy failed(&state, &TopologyState::failed);
    state.show(*readTopology("cpu:1"));
    state.remove(0);
    EXPECT_EQ(failed.count(), 1);
    EXPECT_EQ(state.topology()->devices.size(), 1u);
}

TEST(TopologyState, dropsASelectionThatIsNoLongerThere)
{
    TopologyState state;
    state.show(*readTopology("rtx4090:4"));
    state.selectPair(3, 1);
    EXPECT_EQ(state.selection(), (MachineSelection { 1, 3 }));
    ASSERT_NE(state.selectedLink(), nullptr);
    state.selectPair(2, 2);
    EXPECT_TRUE(state.selection().isDevice());
    state.selectPair(1, 3);
    state.show(*readTopology("rtx4090:2"));
    EXPECT_FALSE(state.selection().isDevice() || state.selection().isPair());
    EXPECT_EQ(state.selectedLink(), nullptr);
}
