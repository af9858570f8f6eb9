// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/timeline_view.h"
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QWheelEvent>
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

class Timeline : public testing::Test {
protected:
    Timeline()
    {
        view.resize(1000, 400);
        view.setPlan(test::twoStages());
        view.show();
    }
    // Where a span of the plan is drawn, found through the widget's own layout rules.
    QPoint middleOf(std::size_t index)
    {
        const LaneLayout layout = layOut(view.model(), view.state(), { view.size(), 0, false });
        const SpanRef ref { TraceSide::Plan, static_cast<std::uint32_t>(index) };
        const Span& s = view.model().span(ref);
        return layout.rect(*layout.rowOf(view.model(), ref), { s.start, s.end }).center().toPoint();
    }
    void wheel(const QPoint& at, int turns)
    {
        QWheelEvent event(at, view.mapToGlobal(at), {}, { 0, 120 * turns }, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }
    TimelineView view;
};

} // namespace

TEST_F(Timeline, showsAllOfANewTrace)
{
    EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
}

TEST_F(Timeline, keysZoomPanAndFit)
{
    QTest::keyClick(&view, Qt::Key_W);
    const TimeRange zoomedIn = view.state().visible();
    EXPECT_NEAR(zoomedIn.length(), 9 * 0.8, 1e-9);
    EXPECT_NEAR(zoomedIn.begin, 0.9, 1e-9);
    QTest::keyClick(&view, Qt::Key_D);
    EXPECT_NEAR(view.state().visible().begin, 0.9 + 0.12 * 7.2, 1e-9);
    QTest::keyClick(&view, Qt::Key_A);
    EXPECT_NEAR(view.state().visible().begin, 0.9, 1e-9);
    QTest::keyClick(&view, Qt::Key_S);
    EXPECT_NEAR(view.state().visible().length(), 9, 1e-9);
    QTest::keyClick(&view, Qt::Key_W);
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
}

TEST_F(Timeline, backLeadsToWhereTheDragBeganAndOutOfTheZoom)
{
    view.state().setVisible({ 3, 6 });
    QTest::mousePress(&view, Qt::LeftButton, {}, { 500, 60 });
    for (const int x : { 520, 560, 620 })
        QTest::mouseMove(&view, { x, 60 });
    QTest::mouseRelease(&view, Qt::LeftButton, {}, { 620, 60 });
    ASSERT_LT(view.state().visible().begin, 3);
    QTest::mouseClick(&view, Qt::BackButton, {}, { 500, 60 });
    EXPECT_EQ(view.state().visible(), (TimeRange { 3, 6 }));
    QTest::keyClick(&view, Qt::Key_Backspace);
    EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
    QTest::keyClick(&view, Qt::Key_Backspace); // nowhere further back
    EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
    for (const auto& [key, with] :
        { std::pair(Qt::Key_Backspace, Qt::ShiftModifier), { Qt::Key_0, Qt::ControlModifier } }) {
        view.state().setVisible({ 3, 6 });
        QTest::keyClick(&view, key, with);
        EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
    }
}

TEST_F(Timeline, fitShowsTheSelectionThenTheMicrobatchThenAll)
{
    view.state().followMicrobatch(0); // 0 … 6
    view.state().select(TimeRange { 4, 5 });
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_NEAR(view.state().visible().begin, 3.9, 1e-9);
    EXPECT_NEAR(view.state().visible().end, 5.1, 1e-9);
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
    view.state().select(std::nullopt);
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_LE(view.state().visible().begin, 0.001);
    EXPECT_NEAR(view.state().visible().length(), 7.2, 1e-9);
    view.state().followMicrobatch(std::nullopt);
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(view.state().visible(), (TimeRange { 0, 9 }));
}

// What was followed in the former trace is not what F shows of the next, before anything is
// painted.
TEST_F(Timeline, fitAfterANewTraceShowsItsMicrobatch)
{
    view.state().followMicrobatch(0);
    view.setPlan(test::longPipeline(3, 8));
    QTest::keyClick(&view, Qt::Key_F);
    TimeRange all { 1e9, 0 };
    for (const Span& s : view.model().trace(TraceSide::Plan).spans)
        if (s.microbatch == 0)
            all = { std::min(all.begin, s.start), std::max(all.end, s.end) };
    EXPECT_LE(view.state().visible().begin, all.begin);
    EXPECT_NEAR(view.state().visible().length(), 1.2 * all.length(), 0.2 * all.length());
    EXPECT_GE(view.state().visible().end, all.end);
}

// Ten and more are written too: in a smaller face before they get none.
TEST_F(Timeline, twoDigitsFitWhereOneDoes)
{
    Trace trace;
    trace.devices = trace.stages = 1;
    for (int i = 0; i < 60; ++i)
        trace.spans.push_back(test::span(ActionKind::Forward, 0, i, i, i + 1));
    view.setPlan(trace);
    view.resize(static_cast<int>(LaneLayout::kLabels + LaneLayout::kRight) + 60 * 15, 200);
    QImage image(view.size(), QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintOn(painter);
    painter.end();
    for (const std::size_t i : { 8U, 9U, 30U, 59U }) {
        const QPoint middle = middleOf(i);
        int inked = 0;
        for (int x = -5; x <= 5; ++x)
            for (int y = -6; y <= 6; ++y)
                inked += image.pixelColor(middle + QPoint(x, y)) != theme().stageForward(0) ? 1 : 0;
        EXPECT_GT(inked, 5) << i + 1;
    }
}

TEST_F(Timeline, wheelZoomsAboutTheCursor)
{
    const QPoint at = middleOf(2); // B1 of stage 0: 4 … 6
    wheel(at, 3);
    const TimeRange visible = view.state().visible();
    EXPECT_NEAR(visible.length(), 9 * 0.8 * 0.8 * 0.8, 1e-9);
    const LaneLayout layout = layOut(view.model(), view.state(), { view.size(), 0, false });
    EXPECT_NEAR(layout.scale.toTime(at.x()), 5, 9.0 / 900);
}

TEST_F(Timeline, dragPans)
{
    wheel(middleOf(2), 4);
    const TimeRange before = view.state().visible();
    QTest::mousePress(&view, Qt::LeftButton, {}, { 500, 60 });
    QTest::mouseMove(&view, { 520, 60 });
    QTest::mouseMove(&view, { 550, 60 });
    QTest::mouseRelease(&view, Qt::LeftButton, {}, { 550, 60 });
    const double perPixel = before.length() / (1000 - LaneLayout::kLabels - 12);
    EXPECT_NEAR(view.state().visible().begin, before.begin - 50 * perPixel, perPixel);
    EXPECT_NEAR(view.state().visible().length(), before.length(), 1e-9);
}

TEST_F(Timeline, shiftDragSelectsARangeWithItsStatistics)
{
    const LaneLayout layout = layOut(view.model(), view.state(), { view.size(), 0, false });
    const QPoint from(static_cast<int>(layout.scale.toPixel(6)), 60);
    const QPoint to(static_cast<int>(layout.scale.toPixel(2)), 60); // leftwards
    QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(&view, to);
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, to);
    ASSERT_TRUE(view.state().selection());
    EXPECT_NEAR(view.state().selection()->begin, 2, 0.02);
    EXPECT_NEAR(view.state().selection()->end, 6, 0.02);
    EXPECT_FALSE(view.selectionSummary().isEmpty());
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(view.state().selection());
}

TEST_F(Timeline, everySpanIsHitInItsMiddle)
{
    for (std::size_t i = 0; i < view.model().trace(TraceSide::Plan).spans.size(); ++i)
        EXPECT_EQ(
            view.spanAt(middleOf(i)), (SpanRef { TraceSide::Plan, static_cast<std::uint32_t>(i) }));
    EXPECT_FALSE(view.spanAt(QPointF(10, 60))); // the labels
    EXPECT_FALSE(view.spanAt((middleOf(1) + middleOf(2)) / 2)); // the gap 2 … 4
}

TEST_F(Timeline, clickFollowsTheMicrobatchThroughAllStages)
{
    QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(6)); // F2 of stage 1
    EXPECT_EQ(view.state().microbatch(), 1);
    ASSERT_TRUE(view.state().selected());
    EXPECT_EQ(view.state().selected()->index, 6U);
    // F2 at stage 0, F2 at 1, B2 at 1, B2 at 0.
    std::vector<std::uint32_t> order;
    for (const SpanRef ref : view.model().microbatch(TraceSide::Plan, 1))
        order.push_back(ref.index);
    EXPECT_EQ(order, (std::vector<std::uint32_t> { 1, 6, 7, 3 }));
    QTest::mouseClick(&view, Qt::LeftButton, {}, (middleOf(1) + middleOf(2)) / 2);
    EXPECT_FALSE(view.state().microbatch());
    EXPECT_TRUE(view.state().selected()); // its details are being read
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(view.state().selected());
}

TEST_F(Timeline, searchGoesRoundItsHits)
{
    EXPECT_EQ(view.setSearch("B2"), 2U);
    EXPECT_EQ(view.state().currentHit()->index, 7U);
    view.searchNext();
    EXPECT_EQ(view.state().currentHit()->index, 3U);
    QTest::keyClick(&view, Qt::Key_N);
    EXPECT_EQ(view.state().currentHit()->index, 7U);
    QTest::keyClick(&view, Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(view.state().currentHit()->index, 3U);
}

TEST_F(Timeline, paintsForwardAndBackwardInTheColoursOfTheStage)
{
    QImage image(view.size(), QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintOn(painter);
    const Theme& t = theme();
    // Away from the number in the middle.
    EXPECT_EQ(image.pixelColor(middleOf(0) + QPoint(-20, -10)), t.stageForward(0));
    EXPECT_EQ(image.pixelColor(middleOf(2) + QPoint(-20, -10)), t.stage(0));
    EXPECT_EQ(image.pixelColor(middleOf(7) + QPoint(-20, -10)), t.stage(1));
}

TEST(TimelineBoxes, staySoFewAsPixelsHoweverManySpans)
{
    Trace trace;
    trace.devices = 1;
    for (int i = 0; i < 200'000; ++i)
        trace.spans.push_back(
            test::span(i % 3 ? ActionKind::Backward : ActionKind::Forward, 0, i, i, i + 0.5));
    TimelineModel model;
    model.setTrace(TraceSide::Plan, std::move(trace));
    TimelineState state;
    state.setExtent(model.extent());
    const LaneLayout layout = layOut(model, state, { { 1000, 300 }, 0, false });
    const auto boxes = visibleBoxes(model, layout, layout.rows.front());
    EXPECT_LE(boxes.size(), 1000U);
    EXPECT_GE(boxes.size(), 900U);
    for (const VisibleBox& box : boxes)
        EXPECT_NEAR(box.coverage, 0.5, 0.05);
}

TEST(TimelineVersions, changeWhenTheLastStageHasUpdated)
{
    Trace t = test::twoStages();
    Span update = test::span(ActionKind::Update, 0, 0, 9, 10);
    update.version = 1;
    t.spans.push_back(update);
    update = test::span(ActionKind::Update, 1, 0, 7, 8);
    update.version = 1;
    t.spans.push_back(update);
    TimelineModel model;
    model.setTrace(TraceSide::Plan, t);
    const auto& segments = model.versions(TraceSide::Plan);
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].version, 0);
    EXPECT_EQ(segments[0].range, (TimeRange { 0, 10 }));
    EXPECT_EQ(segments[1].version, 1);
}

namespace {

int farthest(const QColor& a, const QColor& b)
{
    return std::max({ std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
        std::abs(a.blue() - b.blue()) });
}

} // namespace

// Ten spans a pixel, half of the time busy: forwards of stage 0, one long update, backwards of
// stage 1, then nothing for a quarter of the time.
TEST(TimelineBoxes, narrowSpansKeepTheirColoursOverTheWholeLane)
{
    Trace trace;
    trace.devices = 1;
    for (int i = 0; i < 6000; ++i) {
        const bool early = i < 3000;
        Span s = test::span(
            early ? ActionKind::Forward : ActionKind::Backward, early ? 0 : 1, i, i, i + 0.5);
        s.device = 0;
        if (i < 2970 || i >= 3000)
            trace.spans.push_back(s);
    }
    trace.spans.push_back(test::span(ActionKind::Update, 0, 0, 2970, 3000));
    trace.spans.push_back(test::span(ActionKind::Forward, 0, 0, 8000, 8001));
    TimelineView view;
    view.setPlan(std::move(trace));
    const double beside = LaneLayout::kLabels + LaneLayout::kRight;
    view.resize(static_cast<int>(beside) + 800, 300);
    for (const double ratio : { 1.0, 2.0 }) {
        QImage image(view.size() * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        QPainter painter(&image);
        view.paintOn(painter);
        painter.end();
        const LaneLayout layout = layOut(view.model(), view.state(), { view.size(), 0, false });
        const LaneRow& row = layout.rows.front();
        const Theme& t = theme();
        for (const double y : { row.top + 0.5, row.top + row.height / 2, row.top + row.height - 5 })
            for (const auto& [time, colour] :
                { std::pair(900, t.stageForward(0)), std::pair(4500, t.stage(1)) })
                for (int column = 0; column < 20; ++column) {
                    const QPointF at(layout.scale.toPixel(time) + column, y);
                    EXPECT_LE(farthest(image.pixelColor((at * ratio).toPoint()),
                                  Theme::mix(colour, t.track, 0.5)),
                        12)
                        << time << " " << column << " " << y;
                }
        const auto at = [&](double time, double y) {
            return image.pixelColor((QPointF(layout.scale.toPixel(time), y) * ratio).toPoint());
        };
        EXPECT_EQ(
            at(2985, row.top + 8), t.text); // three pixels wide: not lost among its neighbours
        EXPECT_EQ(at(900, row.top - 2), t.panel);
        const QColor idle = at(7000, row.top + row.height / 2);
        EXPECT_GT(farthest(idle, t.stageForward(0)), 40);
        EXPECT_GT(farthest(idle, t.stage(1)), 40);
    }
}
