// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_state.h"
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

class History : public testing::Test {
protected:
    History()
    {
        state.setClock([this] { return now; });
        state.setExtent({ 0, 100 });
    }
    TimelineState state;
    std::int64_t now = 0; // ms
};

} // namespace

TEST_F(History, everyJumpCanBeLeftAgain)
{
    EXPECT_FALSE(state.canGoBack());
    state.setVisible({ 10, 20 });
    state.setVisible({ 40, 50 });
    state.fit();
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 40, 50 }));
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 10, 20 }));
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 0, 100 }));
    EXPECT_FALSE(state.canGoBack());
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 0, 100 }));
}

TEST_F(History, stepsWithinHalfASecondAreOne)
{
    for (int i = 0; i < 5; ++i) {
        state.zoom(0.8, 50);
        now += 400;
    }
    const TimeRange zoomed = state.visible();
    now += 200; // 600 ms of rest: a new gesture
    state.pan(5);
    now += 100;
    state.pan(5);
    state.back();
    EXPECT_EQ(state.visible(), zoomed);
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 0, 100 }));
}

TEST_F(History, aDragIsOneHoweverLongItRests)
{
    state.setVisible({ 10, 20 });
    state.beginGesture();
    for (int i = 0; i < 5; ++i) {
        state.pan(3);
        now += 2000;
    }
    state.endGesture();
    state.pan(3); // at once, but another gesture
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 25, 35 }));
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 10, 20 }));
}

TEST_F(History, aJumpEndsAGesture)
{
    state.zoom(0.5, 50);
    state.setVisible({ 1, 2 });
    state.zoom(2, 1.5);
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 1, 2 }));
    state.back();
    EXPECT_EQ(state.visible(), (TimeRange { 25, 75 }));
}

TEST_F(History, forgetsTheOldest)
{
    for (int i = 1; i <= 200; ++i)
        state.setVisible({ 0.1 * i, 0.1 * i + 10 });
    std::size_t steps = 0;
    for (; state.canGoBack(); ++steps)
        state.back();
    EXPECT_EQ(steps, ViewHistory::kMost);
    EXPECT_NEAR(state.visible().begin, 0.1 * (200 - static_cast<double>(ViewHistory::kMost)), 1e-9);
}

TEST_F(History, whatNewContentBringsIsNoJump)
{
    state.setExtent({ 0, 200 }); // all stays all
    EXPECT_EQ(state.visible(), (TimeRange { 0, 200 }));
    EXPECT_FALSE(state.canGoBack());
}

TEST_F(History, passesOverWhatIsNoLongerThere)
{
    state.setVisible({ 10, 20 });
    state.setVisible({ 80, 90 });
    state.setExtent({ 60, 160 });
    state.back(); // 10 … 20 is gone; all of it was 0 … 100
    EXPECT_EQ(state.visible(), (TimeRange { 60, 160 }));
}
