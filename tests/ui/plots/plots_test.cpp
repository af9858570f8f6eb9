// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_plot.h"
#include "ui/plots/parallel_plot.h"
#include "ui/plots/plot_sheet.h"
#include "ui/plots/scatter_plot.h"
#include <QTest>
#include <QWheelEvent>
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
    EXPECT_TRUE(plot.readoutAt(590).contains(QStringLiteral("30 tokens")));
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
    plot.setSmoothing(0.9); // the spike lifts the smooth curve by a nineteenth of itself
    EXPECT_GT(plot.verticalRange().high, 8);
    EXPECT_LT(plot.verticalRange().high, 11);
    EXPECT_LT(plot.verticalRange().low, 2.05);
    plot.setLogarithmic(true); // there it takes little room
    EXPECT_GT(plot.verticalRange().low, 1.5);
    EXPECT_GT(plot.verticalRange().high, 100);
}

TEST(CurvePlot, whatTheAxisLeavesOutIsNamedAtItsEdge)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ fallingWithASpike() });
    EXPECT_TRUE(plot.edgeNotes().isEmpty()); // every point is in sight
    plot.setSmoothing(0.9);
    ASSERT_EQ(plot.edgeNotes().size(), 1);
    EXPECT_TRUE(plot.edgeNotes().front().contains(QStringLiteral("max 100 at step 500")))
        << plot.edgeNotes().front().toStdString();
    plot.setRange(600, 900); // the spike is not there
    EXPECT_TRUE(plot.edgeNotes().isEmpty());
    plot.fitAll();
    EXPECT_TRUE(plot.edgeNotes().isEmpty());
    EXPECT_GT(plot.verticalRange().high, 100);
    plot.fit();
    EXPECT_LT(plot.verticalRange().high, 15);
}

TEST(CurvePlot, aSpikeThatIsNotHighIsShownWhole)
{
    Curve curve = fallingWithASpike();
    curve.values[500] = 7; // the others lie within 3
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setSmoothing(0.9);
    plot.setCurves({ curve });
    EXPECT_GT(plot.verticalRange().high, 7);
    EXPECT_TRUE(plot.edgeNotes().isEmpty());
}

TEST(CurvePlot, pointingReadsOutAtOnceAndLeavingPutsItAway)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ fallingWithASpike() });
    std::vector<bool> told;
    QObject::connect(&plot, &CurvePlot::cursorMoved,
        [&](const std::optional<double>& at) { told.push_back(at.has_value()); });
    QWidget* inner = plot.childAt(plot.rect().center());
    QTest::mouseMove(inner, inner->rect().center());
    EXPECT_TRUE(plot.readoutOfCursor().contains(QStringLiteral("step 4")))
        << plot.readoutOfCursor().toStdString();
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(inner, &leave);
    EXPECT_TRUE(plot.readoutOfCursor().isEmpty());
    EXPECT_EQ(told, (std::vector<bool> { true, false }));
}

TEST(CurvePlot, pointsThatComeOneByOneAreSmoothedAsIfAllHadBeenThere)
{
    Curve whole = fallingWithASpike(), begun = whole;
    for (auto* part : { &begun.steps, &begun.values })
        part->resize(10);
    CurvePlot once, grown;
    for (CurvePlot* plot : { &once, &grown }) {
        plot->resize(600, 300);
        plot->setSmoothing(0.8);
        plot->show();
    }
    once.setCurves({ whole });
    grown.setCurves({ begun });
    for (std::size_t i = 10; i < whole.values.size(); ++i) {
        grown.append(0, whole.steps[i], 0, 0, whole.values[i]);
        if (i % 7 == 0)
            QCoreApplication::processEvents(); // a frame between some of them
    }
    QCoreApplication::processEvents();
    for (const double at : { 0.0, 5.0, 480.0, 500.0, 990.0, 999.0 })
        EXPECT_NEAR(*once.valueAt(0, at), *grown.valueAt(0, at), 0.02) << at;
}

TEST(CurvePlot, withoutAPointThereIsNoAxisOfNumbers)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ Curve {} });
    EXPECT_TRUE(plot.isEmpty());
    plot.append(0, 1, 1, 1, 200);
    QCoreApplication::processEvents();
    EXPECT_FALSE(plot.isEmpty());
}

TEST(CurvePlot, aFlatCurveIsNotMadeACliff)
{
    Curve curve { QStringLiteral("memory"), Qt::blue, { 1, 2, 3 }, {}, {}, { 199, 200, 200 }, {},
        {} };
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ curve });
    EXPECT_GE(plot.verticalRange().high - plot.verticalRange().low, 10);
    plot.setFromZero(true);
    EXPECT_EQ(plot.verticalRange().low, 0);
}

TEST(PlotSheet, oneCursorAndOneRangeGoThroughAllPlots)
{
    PlotSheet sheet(2);
    for (const char* title : { "a", "b", "c" })
        sheet.addPlot(QLatin1String(title), QString()).setCurves({ fallingWithASpike() });
    sheet.resize(800, 500);
    sheet.show();
    QCoreApplication::processEvents();
    CurvePlot& first = *sheet.plots()[0];
    QWidget* inner = first.childAt(first.rect().center());
    QTest::mouseMove(inner, inner->rect().center());
    ASSERT_TRUE(sheet.cursor().has_value());
    for (const CurvePlot* plot : sheet.plots())
        EXPECT_EQ(plot->cursor(), sheet.cursor());
    QTest::keyClick(&first, Qt::Key_Plus);
    QTest::keyClick(&first, Qt::Key_Plus);
    for (CurvePlot* plot : sheet.plots()) // the spike at step 500 or its absence, the same in all
        EXPECT_EQ(plot->verticalRange().high, first.verticalRange().high);
}

TEST(CurvePlot, theHorizontalAxisNamesItsUnit)
{
    Curve curve { QStringLiteral("loss"), Qt::blue, {}, {}, {}, {}, {}, {} };
    for (int i = 0; i <= 100; ++i) {
        curve.steps.push_back(i);
        curve.tokens.push_back(i * 5e5);
        curve.seconds.push_back(i * 60);
        curve.values.push_back(1 + i % 3);
    }
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ curve });
    EXPECT_EQ(plot.horizontalTitle(), QStringLiteral("step"));
    plot.setAxis(CurveAxis::Tokens);
    EXPECT_EQ(plot.horizontalTitle(), QStringLiteral("tokens, millions"));
    plot.setAxis(CurveAxis::Seconds);
    EXPECT_EQ(plot.horizontalTitle(), QStringLiteral("time, min"));
    plot.setRange(0, 100);
    EXPECT_EQ(plot.horizontalTitle(), QStringLiteral("time, s"));
    plot.setRange(0, 20'000);
    EXPECT_EQ(plot.horizontalTitle(), QStringLiteral("time, h"));
}

TEST(CurvePlot, keysReadOutZoomAndFit)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ fallingWithASpike() });
    EXPECT_EQ(plot.focusPolicy() & Qt::TabFocus, Qt::TabFocus);
    EXPECT_TRUE(plot.readoutOfCursor().isEmpty());
    QTest::keyClick(&plot, Qt::Key_End);
    EXPECT_TRUE(plot.readoutOfCursor().startsWith(QStringLiteral("step 999")))
        << plot.readoutOfCursor().toStdString();
    EXPECT_TRUE(plot.readoutOfCursor().contains(QStringLiteral("loss: 2.003")));
    QTest::keyClick(&plot, Qt::Key_Left);
    EXPECT_FALSE(plot.readoutOfCursor().startsWith(QStringLiteral("step 999")));
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_TRUE(plot.readoutOfCursor().startsWith(QStringLiteral("step 999")));
    QTest::keyClick(&plot, Qt::Key_Home);
    EXPECT_TRUE(plot.readoutOfCursor().startsWith(QStringLiteral("step 0")));
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(&plot, Qt::Key_Plus);
    EXPECT_LT(plot.verticalRange().high, 6); // the spike at step 500 is out of sight
    QTest::keyClick(&plot, Qt::Key_0);
    EXPECT_GT(plot.verticalRange().high, 100);
    QTest::keyClick(&plot, Qt::Key_Up);
    EXPECT_LT(plot.verticalRange().high, 100);
    QTest::keyClick(&plot, Qt::Key_A);
    EXPECT_GT(plot.verticalRange().high, 100);
    QTest::keyClick(&plot, Qt::Key_Escape);
    EXPECT_TRUE(plot.readoutOfCursor().isEmpty());
}

TEST(CurvePlot, shiftAndWheelZoomVerticallyAboutTheMouse)
{
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ fallingWithASpike() });
    const MinMax before = plot.verticalRange();
    QWidget* at = plot.childAt(plot.rect().center());
    ASSERT_NE(at, nullptr);
    const QPointF place = at->mapFrom(&plot, plot.rect().center());
    QWheelEvent turn(place, at->mapToGlobal(place), {}, { 0, 120 }, Qt::NoButton, Qt::ShiftModifier,
        Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(at, &turn);
    const MinMax after = plot.verticalRange();
    EXPECT_NEAR((after.high - after.low) / (before.high - before.low), 0.85, 0.01);
    EXPECT_LT(after.high, before.high);
    EXPECT_GT(after.low, before.low);
    plot.setRange(100, 900); // moving along keeps what the hand chose
    EXPECT_EQ(plot.verticalRange().high, after.high);
    plot.fit();
    EXPECT_EQ(plot.verticalRange().high, before.high);
}

TEST(CurvePlot, validationRingsCountOnEveryAxis)
{
    Curve curve { QStringLiteral("loss"), Qt::blue, { 1, 2, 3 }, { 10, 20, 30 }, { 5, 6, 7 },
        { 2, 2, 2 }, { 2 }, { 9 } };
    curve.markerTokens = { 20 };
    curve.markerSeconds = { 6 };
    CurvePlot plot;
    plot.resize(600, 300);
    plot.show();
    plot.setCurves({ curve });
    for (const CurveAxis axis : { CurveAxis::Step, CurveAxis::Tokens, CurveAxis::Seconds }) {
        plot.setAxis(axis);
        EXPECT_GT(plot.verticalRange().high, 9) << static_cast<int>(axis);
    }
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
    std::vector<ParallelAxis> axes(2);
    axes[0].title = QStringLiteral("a");
    axes[1].title = QStringLiteral("b");
    plot.setAxes(axes, { { 0, 10 }, { 5, 20 }, { 10, std::nan("") } });
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
