// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/parallel_plot.h"

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <gmock/gmock.h>

using namespace stageloom;
using testing::ElementsAre;

namespace {

std::vector<ParallelAxis> twoAxes(const std::vector<ParallelRow>& rows)
{
    std::vector<ParallelAxis> axes(2);
    axes[0].title = QStringLiteral("a");
    axes[1].title = QStringLiteral("b");
    fitAxis(axes[0], 0, rows);
    fitAxis(axes[1], 1, rows);
    return axes;
}

const std::vector<ParallelRow> kRows { { 0, 10 }, { 5, 20 }, { 10, NAN }, { 7, 15 } };

} // namespace

TEST(ParallelAxis, sharesAndValuesAreInverse)
{
    ParallelAxis axis;
    axis.low = 1e-4;
    axis.high = 1e-2;
    for (const bool logarithmic : { false, true }) {
        axis.logarithmic = logarithmic;
        for (const double share : { 0.0, 0.1, 0.5, 1.0 })
            EXPECT_NEAR(axis.shareOf(axis.valueAt(share)), share, 1e-9);
    }
    EXPECT_NEAR(axis.valueAt(0.5), 1e-3, 1e-12);
    EXPECT_EQ(axis.valueAt(7), axis.high); // the end exactly
}

TEST(ParallelAxis, oneValueAloneHasRoomAndNoValueIsHarmless)
{
    ParallelAxis axis;
    fitAxis(axis, 0, { { 4 }, { 4 } });
    EXPECT_LT(axis.low, 4);
    EXPECT_GT(axis.high, 4);
    fitAxis(axis, 0, { { NAN } });
    EXPECT_LT(axis.low, axis.high);
    axis.logarithmic = true;
    fitAxis(axis, 0, { { 0 }, { 1 } });
    EXPECT_FALSE(axis.logarithmic); // 0 has no place on it
}

TEST(ParallelAxis, aRunHasToBeInsideEveryBrush)
{
    auto axes = twoAxes(kRows);
    EXPECT_THAT(rowsInside(axes, kRows), ElementsAre(0, 1, 2, 3));
    axes[0].brush = std::pair(4.0, 10.0);
    EXPECT_THAT(rowsInside(axes, kRows), ElementsAre(1, 2, 3));
    axes[1].brush = std::pair(15.0, 16.0);
    EXPECT_THAT(rowsInside(axes, kRows), ElementsAre(3));
    axes[1].brush = std::pair(-1e9, 1e9);
    EXPECT_THAT(rowsInside(axes, kRows), ElementsAre(1, 3)); // without a value: outside
}

TEST(ParallelAxis, aBrushMovesAsAWholeAndKeepsALength)
{
    ParallelAxis axis;
    axis.low = 0;
    axis.high = 100;
    const auto top = movedBrush(axis, { 80, 90 }, 0.5);
    EXPECT_NEAR(top.first, 90, 1e-9);
    EXPECT_NEAR(top.second, 100, 1e-9);
    const auto moved = movedBrush(axis, { 80, 90 }, -2);
    EXPECT_NEAR(moved.first, 0, 1e-9);
    EXPECT_NEAR(moved.second, 10, 1e-9);
    const auto narrow = widenedBrush(axis, { 50, 60 }, -0.5);
    EXPECT_NEAR(narrow.second - narrow.first, 2, 1e-9);
    EXPECT_EQ(widenedBrush(axis, { 50, 60 }, 3), std::pair(0.0, 100.0));
}

TEST(ParallelPlotBrush, mouseAndKeysBrushMoveAndDrop)
{
    ParallelPlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setAxes(twoAxes(kRows), kRows);
    QSignalSpy changes(&plot, &ParallelPlot::brushChanged);
    const QPoint from = plot.place(0, 4).toPoint(), to = plot.place(0, 8).toPoint();
    QTest::mousePress(&plot, Qt::LeftButton, {}, from);
    QTest::mouseMove(&plot, to);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
    EXPECT_THAT(plot.selectedRows(), ElementsAre(1, 3));
    // The brush dragged to the top end.
    QTest::mousePress(&plot, Qt::LeftButton, {}, plot.place(0, 6).toPoint());
    QTest::mouseMove(&plot, plot.place(0, 6).toPoint() - QPoint(0, 250));
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, plot.place(0, 10).toPoint());
    EXPECT_THAT(plot.selectedRows(), ElementsAre(2, 3));
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_EQ(plot.currentAxis(), 1);
    QTest::keyClick(&plot, Qt::Key_Return); // the upper half of b as well
    EXPECT_THAT(plot.selectedRows(), ElementsAre(3));
    QTest::keyClick(&plot, Qt::Key_Delete);
    EXPECT_THAT(plot.selectedRows(), ElementsAre(2, 3));
    QTest::keyClick(&plot, Qt::Key_Escape);
    EXPECT_FALSE(plot.isBrushed());
    EXPECT_EQ(plot.selectedRows().size(), 4U);
    EXPECT_GE(changes.count(), 5);
}

TEST(ParallelPlotBrush, staysOnItsAxisWhenRunsAreAdded)
{
    ParallelPlot plot;
    plot.setAxes(twoAxes(kRows), kRows);
    plot.setBrush(1, std::pair(20.0, 14.0));
    auto more = kRows;
    more.push_back({ 6, 18 });
    plot.setAxes(twoAxes(more), more);
    EXPECT_THAT(plot.selectedRows(), ElementsAre(1, 3, 4));
}
