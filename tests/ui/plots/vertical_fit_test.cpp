// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/axis_units.h"
#include "ui/plots/vertical_fit.h"
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

// A hundred points that rise from 1 to 2, and one more.
std::vector<DrawnPoint> risingAnd(double spike)
{
    std::vector<DrawnPoint> points;
    for (int i = 0; i < 100; ++i)
        points.push_back({ static_cast<double>(i), 1 + i / 99.0 });
    points.push_back({ 71, spike });
    return points;
}

const MinMax kSmooth { 1, 2 };

} // namespace

TEST(VerticalFit, showsAllWhereASpikeTakesNoMoreThanThreeTimesTheRest)
{
    for (const double spike : { 1.5, 3.9, -0.9 }) {
        const VerticalFit fit = fitVertical(kSmooth, risingAnd(spike), false, false);
        EXPECT_EQ(fit.range.low, std::min(1.0, spike));
        EXPECT_EQ(fit.range.high, std::max(2.0, spike));
        EXPECT_FALSE(fit.above || fit.below);
    }
}

TEST(VerticalFit, leavesAFarSpikeOutAndSaysWhereItIs)
{
    const VerticalFit high = fitVertical(kSmooth, risingAnd(48.2), false, false);
    EXPECT_EQ(high.range.high, 2);
    ASSERT_TRUE(high.above.has_value());
    EXPECT_EQ(high.above->x, 71);
    EXPECT_EQ(high.above->y, 48.2);
    EXPECT_FALSE(high.below.has_value());
    const VerticalFit low = fitVertical(kSmooth, risingAnd(-30), false, false);
    EXPECT_EQ(low.range.low, 1);
    ASSERT_TRUE(low.below.has_value());
    EXPECT_EQ(low.below->y, -30);
    EXPECT_EQ(fitVertical(kSmooth, risingAnd(48.2), false, true).range.high, 48.2);
}

TEST(VerticalFit, theOtherEndOfASpikeIsNotLeftOutForLittle)
{
    std::vector<DrawnPoint> points = risingAnd(48.2);
    points.push_back({ 99, 0.7 });
    const VerticalFit fit = fitVertical(kSmooth, points, false, false);
    EXPECT_TRUE(fit.above.has_value());
    EXPECT_FALSE(fit.below.has_value());
    EXPECT_EQ(fit.range.low, 0.7);
}

TEST(VerticalFit, comparesHeightsByTheirLogarithmsOnALogarithmicAxis)
{
    // 1 to 2 is a doubling: three of them reach 8.
    EXPECT_FALSE(fitVertical(kSmooth, risingAnd(7.9), true, false).above.has_value());
    EXPECT_TRUE(fitVertical(kSmooth, risingAnd(8.1), true, false).above.has_value());
    EXPECT_TRUE(fitVertical(kSmooth, risingAnd(7.9), false, false).above.has_value());
}

TEST(VerticalFit, whatIsFirmIsNeverLeftOut)
{
    const VerticalFit fit = fitVertical({ 0, 60 }, risingAnd(48.2), false, false);
    EXPECT_EQ(fit.range.high, 60);
    EXPECT_FALSE(fit.above.has_value());
    EXPECT_TRUE(fitVertical({}, {}, false, false).range.empty());
}

TEST(AxisUnits, aPlaceIsSaidInTheUnitThatFits)
{
    EXPECT_EQ(placeText(CurveAxis::Step, 71), QStringLiteral("step 71"));
    EXPECT_EQ(placeText(CurveAxis::Seconds, 12.5), QStringLiteral("12.5 s"));
    EXPECT_EQ(placeText(CurveAxis::Seconds, 252), QStringLiteral("4.2 min"));
    EXPECT_EQ(placeText(CurveAxis::Seconds, 3 * 3600 + 1800), QStringLiteral("3.5 h"));
    EXPECT_EQ(axisUnit(CurveAxis::Tokens, 3e9).size, 1e9);
    EXPECT_EQ(axisUnit(CurveAxis::Tokens, 900).size, 1);
}
