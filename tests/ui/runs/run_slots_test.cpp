// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_slots.h"

#include <gmock/gmock.h>
#include <set>

using namespace stageloom;
using testing::ElementsAre;

namespace {

std::vector<RunId> runs(std::initializer_list<int> ids)
{
    std::vector<RunId> result;
    for (const int id : ids)
        result.push_back(RunId { id });
    return result;
}

} // namespace

TEST(RunSlots, aRunThatComesBackHasTheColourItHad)
{
    RunSlots given(8);
    EXPECT_THAT(given.show(runs({ 5, 9 })), ElementsAre(0, 1));
    EXPECT_THAT(given.show(runs({ 9 })), ElementsAre(1));
    EXPECT_THAT(given.show(runs({ 7, 9 })), ElementsAre(2, 1)); // 5 may come back
    EXPECT_THAT(given.show(runs({ 5, 7 })), ElementsAre(0, 2));
}

TEST(RunSlots, whenAllColoursAreGivenTheOneUnseenForLongestGoes)
{
    RunSlots given(3);
    given.show(runs({ 1 }));
    given.show(runs({ 2 }));
    given.show(runs({ 3 }));
    EXPECT_THAT(given.show(runs({ 1 })), ElementsAre(0));
    EXPECT_THAT(given.show(runs({ 4 })), ElementsAre(1)); // 2 was seen before 3 and 1
    EXPECT_THAT(given.show(runs({ 3, 1 })), ElementsAre(2, 0));
}

TEST(RunSlots, onlyMoreRunsThanColoursGetPatterns)
{
    RunSlots given(3);
    EXPECT_THAT(given.show(runs({ 1, 2, 3, 4, 5 })), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(given.show(runs({ 4, 6 })), ElementsAre(3, 0)); // 4 keeps what it has
    EXPECT_THAT(given.show(runs({ 6, 2, 3, 7 })), ElementsAre(0, 1, 2, 3));
}

TEST(RunSlots, noTwoRunsShownTogetherShareASlot)
{
    RunSlots given(4);
    for (int turn = 0; turn < 200; ++turn) {
        std::vector<RunId> shown;
        for (int id = 1 + turn * 7 % 11; id < 30; id += 1 + turn % 5)
            shown.push_back(RunId { id });
        const std::vector<int> slots = given.show(shown);
        EXPECT_EQ(std::set<int>(slots.begin(), slots.end()).size(), shown.size()) << turn;
    }
}
