// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/scale.h"
#include <gtest/gtest.h>

using namespace stageloom;

TEST(TimeScale, mapsTheRangeOntoThePixelsAndBack)
{
    const TimeScale scale { { 10, 20 }, 100, 500 };
    struct Row {
        double time, pixel;
    };
    for (const Row row : { Row { 10, 100 }, Row { 20, 600 }, Row { 15, 350 }, Row { 8, 0 } }) {
        EXPECT_DOUBLE_EQ(scale.toPixel(row.time), row.pixel);
        EXPECT_DOUBLE_EQ(scale.toTime(row.pixel), row.time);
    }
}

TEST(TimeScale, zoomKeepsTheAnchorOnItsPixel)
{
    const TimeRange before { 0, 10 };
    const TimeRange after = zoomed(before, 0.5, 2);
    EXPECT_EQ(after, (TimeRange { 1, 6 }));
    EXPECT_DOUBLE_EQ(
        (TimeScale { before, 0, 100 }).toPixel(2), (TimeScale { after, 0, 100 }).toPixel(2));
}

TEST(TimeScale, clampedStaysInsideTheExtent)
{
    struct Row {
        TimeRange asked, expected;
    };
    for (const Row row : { Row { { -5, 5 }, { 0, 10 } }, Row { { 95, 105 }, { 90, 100 } },
             Row { { -50, 500 }, { 0, 100 } }, Row { { 50, 50.5 }, { 49.75, 50.75 } },
             Row { { 20, 30 }, { 20, 30 } } }) {
        const TimeRange got = clamped(row.asked, { 0, 100 }, 1);
        EXPECT_DOUBLE_EQ(got.begin, row.expected.begin);
        EXPECT_DOUBLE_EQ(got.end, row.expected.end);
    }
}

TEST(TimeScale, niceStepsAreOneTwoOrFive)
{
    struct Row {
        double atLeast, step;
    };
    for (const Row row : { Row { 0.7, 1 }, Row { 1, 1 }, Row { 1.1, 2 }, Row { 2.5, 5 },
             Row { 6, 10 }, Row { 0.03, 0.05 }, Row { 130, 200 } })
        EXPECT_NEAR(niceStep(row.atLeast), row.step, row.step * 1e-9) << row.atLeast;
}

TEST(TimeScale, ticksShareOneUnit)
{
    const auto marks = ticks({ { 0, 0.76 }, 0, 880 }, 90, true);
    ASSERT_EQ(marks.size(), 8U);
    EXPECT_EQ(marks.front().label, "0 ms");
    EXPECT_EQ(marks.back().label, "700 ms");
}

TEST(TimeScale, longTimesHaveTheirDigitsGrouped)
{
    EXPECT_EQ(ticks({ { 0, 25'000 }, 0, 300 }, 90, true).back().label, "20,000 s");
    EXPECT_EQ(ticks({ { 1.8, 3 }, 0, 900 }, 90, true)[1].label, "2,000 ms");
    EXPECT_EQ(ticks({ { -2000, 0 }, 0, 200 }, 90, true).front().label, "-2,000 s");
}

// To the pixel, in the unit of the ruler.
TEST(TimeScale, theCursorsTimeReadsLikeTheRuler)
{
    EXPECT_EQ(tickText(2.19042, { { 1.8, 3 }, 0, 800 }, true).toStdString(), "2,190 ms");
    EXPECT_EQ(tickText(0.5, { { 0, 9 }, 0, 900 }, true).toStdString(), "0.50 s");
    EXPECT_EQ(tickText(4, { { 0, 9 }, 0, 900 }, false).toStdString(), "4.00");
}

TEST(TimeScale, ticksOfAnEmptyRangeAreNone)
{
    EXPECT_TRUE(ticks({ { 3, 3 }, 0, 100 }, 50, true).empty());
}
