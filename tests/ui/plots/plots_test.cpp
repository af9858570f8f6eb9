// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_plot.h"
#include "ui/plots/parallel_plot.h"
#include "ui/plots/scatter_plot.h"
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>

using namespace stageloom;

TEST(CurvePlot, drawsPixelsNotPoints)
{
    Curve curve { QStringLiteral("loss"), Qt::blue, {}, {}, {}, {}, {}, {} };
    for (int i = 0; i < 200'000; ++i) {
        curve.steps.push_back(i);
        curve.values.push_back(std::sin(i));
    }
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ curve });
    EXPECT_GT(plot.pointsDrawn(), 600U);
    EXPECT_LE(plot.pointsDrawn(), 1202U);
}

TEST(CurvePlot, readsTheNewestPointAtTheRightEdge)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ Curve {
        QStringLiteral("loss"), Qt::blue, { 1, 2 }, { 10, 20 }, { 0.5, 1 }, { 5, 4 }, {}, {} } });
    plot.append(0, 3, 30, 1.5, 3.25);
    EXPECT_TRUE(plot.readoutAt(590).contains(QStringLiteral("loss: 3.25")));
    plot.setAxis(CurveAxis::Tokens);
    EXPECT_TRUE(plot.readoutAt(590).contains(QStringLiteral("tokens 30")));
}

namespace {

// Falls from 5 to 2 over 1000 steps; one of them flies off to 100.
Curve fallingWithASpike()
{
    Curve curve { QStringLiteral("loss"), Qt::blue, {}, {}, {}, {}, {}, {} };
    for (int i = 0; i < 1000; ++i) {
        curve.steps.push_back(i);
        curve.values.push_back(i == 500 ? 100 : 5 - 0.003 * i);
    }
    return curve;
}

} // namespace

TEST(CurvePlot, fitsTheVerticalAxisToWhatIsInSight)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ fallingWithASpike() });
    EXPECT_GT(plot.verticalRange().high, 100); // on its own, every point counts
    plot.setRange(600, 900);
    EXPECT_NEAR(plot.verticalRange().high, 3.2, 0.1);
    EXPECT_NEAR(plot.verticalRange().low, 2.3, 0.1);
    plot.fit();
    EXPECT_GT(plot.verticalRange().high, 100);
}

TEST(CurvePlot, smoothedItIsNotPressedDownByOneStep)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ fallingWithASpike() });
    plot.setSmoothing(0.9); // the spike lifts the smooth curve to a tenth of itself
    EXPECT_GT(plot.verticalRange().high, 12);
    EXPECT_LT(plot.verticalRange().high, 15);
    EXPECT_LT(plot.verticalRange().low, 2.05);
    plot.setLogarithmic(true);
    EXPECT_GT(plot.verticalRange().low, 1.5);
    EXPECT_LT(plot.verticalRange().high, 15);
}

TEST(ScatterPlot, clickAndArrowsChooseAPoint)
{
    ScatterPlot plot;
    plot.resize(300, 200);
    plot.setPoints({ { 3, 1, true, {} }, { 1, 2, false, {} }, { 2, 5, true, {} } });
    plot.show();
    std::vector<int> chosen;
    QObject::connect(&plot, &ScatterPlot::activated, [&](int index) { chosen.push_back(index); });
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.place(1).toPoint());
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Left);
    EXPECT_EQ(chosen, (std::vector<int> { 1, 2, 0, 2 }));
}

TEST(ParallelPlot, draggingAnAxisKeepsTheRowsInside)
{
    ParallelPlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setData({ QStringLiteral("a"), QStringLiteral("b") },
        { { 0, 10 }, { 5, 20 }, { 10, std::nan("") } });
    EXPECT_EQ(plot.selectedRows().size(), 3U);
    const QPoint from = plot.place(0, 4).toPoint(), to = plot.place(0, 11).toPoint();
    QTest::mousePress(&plot, Qt::LeftButton, {}, from);
    QTest::mouseMove(&plot, to);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
    EXPECT_EQ(plot.selectedRows(), (std::vector<int> { 1, 2 }));
    plot.setBrush(1, std::pair(30.0, 15.0)); // either order; a row without a value is outside
    EXPECT_EQ(plot.selectedRows(), (std::vector<int> { 1 }));
    QTest::mouseClick(&plot, Qt::LeftButton, {}, from); // drops the first brush
    EXPECT_EQ(plot.selectedRows(), (std::vector<int> { 1 }));
    plot.setBrush(1, std::nullopt);
    EXPECT_EQ(plot.selectedRows().size(), 3U);
}
