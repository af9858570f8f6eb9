// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/lane_cursor.h"
#include "ui/timeline/memory_curve.h"
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

struct Laid {
    TimelineModel model;
    TimelineState state;
    LaneLayout layout;
    Laid(int devices, const QSizeF& size, TimelineMode mode = TimelineMode::Plan, double scroll = 0)
    {
        model.setTrace(TraceSide::Plan, test::longPipeline(devices, 4));
        if (mode != TimelineMode::Plan)
            model.setTrace(TraceSide::Run, test::longPipeline(devices, 4, 2));
        state.setExtent(model.extent());
        state.setMode(mode);
        layout = layOut(model, state, { size, scroll, false });
    }
};

} // namespace

TEST(LaneLayout, lanesGrowWithTheRoomUpToALimit)
{
    struct Row {
        int devices;
        double height, lane;
        bool scrolls;
    };
    for (const Row row : { Row { 2, 600, 64, false }, Row { 4, 600, 64, false },
             Row { 4, 300, 48, false }, Row { 8, 400, 36, false }, Row { 64, 500, 18, true } }) {
        const Laid laid(row.devices, { 900, row.height });
        EXPECT_NEAR(laid.layout.rows.front().height, row.lane, 8) << row.devices;
        EXPECT_EQ(laid.layout.height > laid.layout.bottom, row.scrolls) << row.devices;
    }
}

TEST(LaneLayout, rowsFollowEachOtherWithoutOverlap)
{
    for (const TimelineMode mode :
        { TimelineMode::Plan, TimelineMode::Both, TimelineMode::Run, TimelineMode::Difference })
        for (const double height : { 160.0, 300.0, 700.0 }) {
            const Laid laid(4, { 900, height }, mode);
            double bottom = LaneLayout::kRuler;
            for (const LaneRow& row : laid.layout.rows) {
                EXPECT_GE(row.top, bottom - 1e-9);
                EXPECT_GT(row.height, 0);
                bottom = row.top + row.height;
            }
            EXPECT_GE(laid.layout.height, bottom);
        }
}

TEST(LaneLayout, scrollingMovesRowsAndNothingElse)
{
    const Laid still(64, { 900, 400 }), scrolled(64, { 900, 400 }, TimelineMode::Plan, 100);
    EXPECT_DOUBLE_EQ(still.layout.height, scrolled.layout.height);
    for (std::size_t i = 0; i < still.layout.rows.size(); ++i) {
        EXPECT_DOUBLE_EQ(still.layout.rows[i].top - 100, scrolled.layout.rows[i].top);
        EXPECT_DOUBLE_EQ(still.layout.rows[i].height, scrolled.layout.rows[i].height);
    }
}

TEST(LaneLayout, planAloneIsShownUntilSomethingIsMeasured)
{
    Laid laid(2, { 900, 400 });
    laid.state.setMode(TimelineMode::Both);
    const LaneLayout alone = layOut(laid.model, laid.state, { { 900, 400 }, 0, false });
    EXPECT_TRUE(alone.shows(TraceSide::Plan));
    EXPECT_FALSE(alone.shows(TraceSide::Run));
    EXPECT_EQ(shownSide(laid.model, TimelineMode::Both), TraceSide::Plan);
    laid.model.setTrace(TraceSide::Run, test::twoStages());
    const LaneLayout both = layOut(laid.model, laid.state, { { 900, 400 }, 0, false });
    EXPECT_TRUE(both.both && both.shows(TraceSide::Plan) && both.shows(TraceSide::Run));
}

TEST(LaneCursor, walksALaneAndFromLaneToLane)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    TimelineState state;
    state.setExtent(model.extent());
    const LaneLayout layout = layOut(model, state, { { 900, 300 }, 0, false });
    const auto moved = [&](std::optional<std::uint32_t> from, int along, int down) {
        const auto ref = from ? std::optional(SpanRef { TraceSide::Plan, *from }) : std::nullopt;
        return movedCursor(model, layout, ref, along, down)->index;
    };
    EXPECT_EQ(moved(std::nullopt, 1, 0), 0U); // the first in sight
    EXPECT_EQ(moved(0, 1, 0), 1U);
    EXPECT_EQ(moved(1, -1, 0), 0U);
    EXPECT_EQ(moved(0, -1, 0), 0U); // the lane's end holds
    EXPECT_EQ(moved(3, 1, 0), 3U);
    EXPECT_EQ(moved(1, 0, 1), 4U); // F2 of stage 0, 1-2, is over F1 of stage 1
    EXPECT_EQ(moved(7, 0, -1), 3U); // B2 of stage 1, 5-7, middle 6: what ends after it is B2, 7-9
    EXPECT_EQ(moved(4, 0, 1), 4U); // no lane below
}

TEST(MemoryCurve, keepsEveryPeakHoweverNarrow)
{
    std::vector<Trace::MemorySample> samples;
    for (int i = 0; i < 50'000; ++i)
        samples.push_back({ i * 0.1, i == 31'415 ? 900.0 : 100.0 + i % 7 });
    const MemoryCurve curve(samples);
    EXPECT_DOUBLE_EQ(curve.peak(), 900);
    EXPECT_DOUBLE_EQ(curve.at(-1), 0);
    EXPECT_DOUBLE_EQ(curve.at(3141.55), 900);
    const TimeScale scale { { 0, 5000 }, 10, 500 };
    const auto steps = curve.steps(scale);
    EXPECT_LE(steps.size(), 502U);
    double highest = 0, x = 0;
    for (const CurveStep& step : steps) {
        highest = std::max(highest, step.high);
        EXPECT_GE(step.x, x);
        EXPECT_LE(step.low, step.last);
        EXPECT_LE(step.last, step.high);
        x = step.x;
    }
    EXPECT_DOUBLE_EQ(highest, 900);
}
