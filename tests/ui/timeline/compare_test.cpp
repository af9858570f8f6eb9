// SPDX-License-Identifier: GPL-3.0-or-later
// Two plans over each other, an operation's details, the overview: with the mouse, on real widgets.
#include "core/plan/prediction.h"
#include "core/sim/gaps.h"
#include "trace_fixture.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/overview_bar.h"
#include "ui/timeline/span_facts.h"
#include "ui/timeline/span_pane.h"
#include "ui/timeline/timeline_desk.h"
#include "ui/timeline/timeline_modes.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/utilisation.h"
#include "ui/timeline/weights_read.h"
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

std::shared_ptr<const Prediction> pinnedPlan(int depth = 4)
{
    auto pinned = std::make_shared<Prediction>();
    pinned->trace = test::longPipeline(depth, 24, 2);
    pinned->schedule.name = "1f1b";
    pinned->metrics.steadyBubbleFraction = 0.383;
    return pinned;
}

class Compare : public testing::Test {
protected:
    Compare()
        : view(new TimelineView)
        , desk(view)
    {
        desk.resize(1000, 620);
        view->setPlan(test::longPipeline(4, 24, 1));
        desk.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&desk));
    }
    LaneLayout layout() { return layOut(view->model(), view->state(), { view->size(), 0, false }); }
    QPoint middleOf(SpanRef ref)
    {
        const LaneLayout now = layout();
        const Span& s = view->model().span(ref);
        return now.rect(*now.rowOf(view->model(), ref), { s.start, s.end }).center().toPoint();
    }
    // The first operation of a name.
    SpanRef named(TraceSide side, int stage, ActionKind kind, int microbatch)
    {
        const TimelineSide& of = view->model().side(side);
        return { side, of.table().find(of.trace().spans, stage, kind, microbatch).front() };
    }
    QStringList textsOf(QWidget* widget)
    {
        QStringList texts;
        for (auto* label : widget->findChildren<QLabel*>())
            if (label->isVisible())
                texts << label->text();
        return texts;
    }
    TimelineView* view;
    TimelineDesk desk;
};

} // namespace

TEST_F(Compare, aPinnedPlanStandsOverTheEditedOneOnOneClock)
{
    const TimeRange alone = view->state().extent();
    view->setCompared(pinnedPlan(6), QStringLiteral("xl-1f1b"));
    EXPECT_EQ(view->state().mode(), TimelineMode::Over);
    const LaneLayout over = layout();
    ASSERT_TRUE(over.over);
    std::vector<std::pair<RowKind, TraceSide>> seen;
    double pinnedBottom = 0, planTop = 1e9;
    int pinned = 0, plan = 0;
    for (const LaneRow& row : over.rows) {
        if (row.side == TraceSide::Pinned)
            pinnedBottom = std::max(pinnedBottom, row.top + row.height);
        else
            planTop = std::min(planTop, row.top);
        if (row.kind == RowKind::Compute)
            (row.side == TraceSide::Pinned ? pinned : plan) += 1;
    }
    EXPECT_LE(pinnedBottom, planTop);
    EXPECT_EQ(pinned, 6); // it may have other devices
    EXPECT_EQ(plan, 4);
    EXPECT_EQ(over.rows.front().kind, RowKind::Head);
    EXPECT_GE(view->state().extent().end,
        std::max(alone.end, view->model().trace(TraceSide::Pinned).makespan()));
    view->setCompared(nullptr, {});
    EXPECT_EQ(view->state().mode(), TimelineMode::Plan);
    EXPECT_EQ(view->state().extent(), alone);
    for (const LaneRow& row : layout().rows) {
        EXPECT_NE(row.kind, RowKind::Head);
        EXPECT_EQ(row.side, TraceSide::Plan);
    }
}

TEST_F(Compare, theModesOfTwoPlansAreThereWhileThereAreTwo)
{
    QWidget bar;
    std::unique_ptr<TimelineModes> modes(TimelineModes::ofPlans(*view));
    EXPECT_TRUE(modes->isHidden());
    view->setCompared(pinnedPlan(), QStringLiteral("a"));
    modes->show();
    EXPECT_FALSE(modes->isHidden());
    for (auto* button : modes->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Difference"))
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(view->state().mode(), TimelineMode::Difference);
    EXPECT_EQ(shownSide(view->model(), view->state().mode()), TraceSide::Plan);
    view->setCompared(nullptr, {});
    EXPECT_EQ(view->state().mode(), TimelineMode::Plan);
    EXPECT_TRUE(modes->isHidden());
}

TEST_F(Compare, aClickFillsThePaneUntilEscape)
{
    auto* pane = desk.findChild<SpanPane*>();
    EXPECT_FALSE(pane->isVisible());
    view->setCompared(pinnedPlan(), QStringLiteral("a"));
    const SpanRef ref = named(TraceSide::Plan, 2, ActionKind::Backward, 6);
    QTest::mouseClick(view, Qt::LeftButton, {}, middleOf(ref));
    EXPECT_EQ(view->state().selected(), ref);
    ASSERT_TRUE(pane->isVisible());
    const QStringList texts = textsOf(pane);
    EXPECT_TRUE(texts.contains(QStringLiteral("Backward 7"))) << texts.join('|').toStdString();
    EXPECT_TRUE(texts.contains(QStringLiteral("A")) && texts.contains(QStringLiteral("B")));
    // An empty place keeps it; the pinned plan's operation can be chosen too.
    QTest::mouseClick(view, Qt::LeftButton, {}, { 20, 10 });
    EXPECT_TRUE(pane->isVisible());
    const SpanRef other = named(TraceSide::Pinned, 1, ActionKind::Forward, 3);
    QTest::mouseClick(view, Qt::LeftButton, {}, middleOf(other));
    EXPECT_EQ(view->state().selected(), other);
    QTest::keyClick(view, Qt::Key_Escape);
    EXPECT_FALSE(view->state().selected());
    EXPECT_FALSE(pane->isVisible());
}

TEST_F(Compare, thePanesArrowsGoAlongTheLane)
{
    const SpanRef ref = named(TraceSide::Plan, 1, ActionKind::Forward, 4);
    view->state().setSelected(ref);
    QToolButton *earlier = nullptr, *later = nullptr;
    for (auto* button : desk.findChildren<QToolButton*>())
        (button->text() == QStringLiteral("‹") ? earlier : later) = button;
    ASSERT_TRUE(earlier && later);
    QTest::mouseClick(later, Qt::LeftButton);
    const SpanRef next = *view->state().selected();
    EXPECT_EQ(view->model().span(next).device, 1);
    EXPECT_GE(view->model().span(next).start, view->model().span(ref).end - 1e-9);
    QTest::mouseClick(earlier, Qt::LeftButton);
    EXPECT_EQ(view->state().selected(), ref);
}

// The plan is predicted anew with every step of a drag.
TEST_F(Compare, theSelectedOperationIsFoundInTheNextTrace)
{
    const SpanRef ref = named(TraceSide::Plan, 2, ActionKind::Backward, 6);
    view->state().setSelected(ref);
    view->setPlan(test::longPipeline(5, 24, 3));
    ASSERT_TRUE(view->state().selected());
    const Span& s = view->model().span(*view->state().selected());
    EXPECT_EQ(s.stage, 2);
    EXPECT_EQ(s.kind, ActionKind::Backward);
    EXPECT_EQ(s.microbatch, 6);
    view->setPlan(test::twoStages()); // has no stage 2
    EXPECT_FALSE(view->state().selected());
}

// Worked out by hand from the two stages' trace.
TEST(SpanFacts, sayWaitSlackAndWhoWaits)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    struct Row {
        std::uint32_t index;
        double waited;
        std::optional<double> slack;
        const char* first;
        const char* second;
    };
    for (const Row& row : { Row { 0, 0, 0, "Needs nothing of another stage",
                                "Stage 1 takes its result at once: no slack" },
             Row { 1, 0, 2, "Needs nothing of another stage",
                 "Stage 1 takes its result 2.00 s later" },
             Row { 2, 2, 1, "Waited 2.00 s for gradient 1 of stage 1", "" },
             Row { 4, 1, 0, "Waited 1.00 s for activation 1 of stage 0", "" },
             Row { 6, 0, 0, "Came 2.00 s early: activation 2 of stage 0", "" },
             Row { 3, 1, std::nullopt, "Waited 1.00 s for gradient 2 of stage 1", "" } }) {
        const SpanRef ref { TraceSide::Plan, row.index };
        const SpanFacts facts = factsOf(model, ref);
        EXPECT_DOUBLE_EQ(facts.waited, row.waited) << row.index;
        EXPECT_EQ(facts.slack, row.slack) << row.index;
        const QStringList waits = waitsText(model, ref);
        EXPECT_EQ(waits.value(0).toStdString(), row.first);
        EXPECT_EQ(waits.value(1).toStdString(), row.second);
    }
    Trace slow = test::twoStages();
    slow.spans[2].start = 4.5; // its gradient is made at 4
    model.setTrace(TraceSide::Plan, slow);
    EXPECT_EQ(waitsText(model, { TraceSide::Plan, 2 }).value(0).toStdString(),
        "Waited 2.50 s for gradient 1 of stage 1 (500 ms on the link)");
}

// The wait that the pane tells is the gap that core finds before the operation.
TEST(SpanFacts, waitsAreCoresGaps)
{
    const Trace trace = test::longPipeline(4, 60);
    TimelineModel model;
    model.setTrace(TraceSide::Plan, trace);
    for (std::uint32_t i = 0; i < trace.spans.size(); i += 3) {
        const SpanFacts facts = factsOf(model, { TraceSide::Plan, i });
        double gap = 0;
        const Span& s = trace.spans[i];
        for (const IdleGap& one : idleGaps(trace, s.start - facts.waited, s.start))
            if (one.device == s.device)
                gap += one.end - one.begin;
        ASSERT_NEAR(gap, facts.waited, 1e-6) << i;
    }
}

TEST(Utilisation, isTheBusyShareOfEachPart)
{
    const TimelineSide side(test::longPipeline(3, 500));
    const TimeRange all = side.extent();
    constexpr int kColumns = 97;
    const auto shares = utilisation(side, all, kColumns);
    ASSERT_EQ(shares.size(), static_cast<std::size_t>(kColumns));
    for (int c = 0; c < kColumns; ++c) {
        const double width = all.length() / kColumns;
        const TimeRange part { all.begin + c * width, all.begin + (c + 1) * width };
        double busy = 0;
        for (int device = 0; device < 3; ++device)
            busy += side.sums(device, part).busy();
        // Stretches narrower than half a column are spread evenly.
        EXPECT_NEAR(shares[static_cast<std::size_t>(c)], busy / (3 * width), 0.12) << c;
    }
}

TEST(WeightsRead, saysVersionAndAgeOfEveryBatchInSight)
{
    const TimelineSide side(test::longPipeline(3, 64)); // batches of 8; each reads the one before
    const auto all = batchesReading(side, 1, side.extent(), 100);
    ASSERT_EQ(all.size(), 8U);
    EXPECT_EQ(
        readsText(all[0], QStringLiteral("GPU 1")).toStdString(), "batch 1 on GPU 1 reads W0");
    EXPECT_EQ(readsText(all[3], QStringLiteral("GPU 1")).toStdString(),
        "batch 4 on GPU 1 reads W2, one batch old");
    EXPECT_EQ(readsText({ {}, 5, 2 }, QStringLiteral("GPU 1")).toStdString(),
        "batch 6 on GPU 1 reads W2, 3 batches old");
    EXPECT_EQ(readsText(all[3], {}, ReadsForm::Age).toStdString(), "W2, one batch old");
    EXPECT_EQ(readsText({ {}, 12, 11 }, {}, ReadsForm::Version).toStdString(), "W11");
    for (std::size_t i = 1; i < all.size(); ++i)
        EXPECT_DOUBLE_EQ(all[i - 1].range.end, all[i].range.begin);
    EXPECT_TRUE(batchesReading(side, 1, side.extent(), 3).empty()); // more than can be read
    const auto part = batchesReading(side, 1, all[2].range, 100);
    ASSERT_FALSE(part.empty());
    EXPECT_EQ(part.front().batch, 2);
}

TEST(TimelineSide, aBatchEndsWithItsLastBackward)
{
    const Trace trace = test::longPipeline(3, 40);
    const TimelineSide side(trace);
    for (int batch = 0; batch < 5; ++batch) {
        double last = 0;
        for (const Span& s : trace.spans)
            if (s.batch == batch)
                last = std::max(last, s.end);
        EXPECT_DOUBLE_EQ(side.batchEnd(batch).value(), last);
    }
    EXPECT_FALSE(side.batchEnd(5));
}

TEST_F(Compare, theOverviewsWindowIsDraggedByItsMiddleAndItsEdges)
{
    auto* bar = desk.findChild<OverviewBar*>();
    ASSERT_TRUE(bar->isVisible());
    const TimeRange all = view->state().extent();
    view->state().setVisible({ all.length() * 0.4, all.length() * 0.6 });
    const double perPixel
        = all.length() / (bar->width() - LaneLayout::kLabels - LaneLayout::kRight);
    const auto drag = [&](QPoint from, int by) {
        QTest::mousePress(bar, Qt::LeftButton, {}, from);
        for (const int part : { 3, 2, 1 })
            QTest::mouseMove(bar, from + QPoint(by / part, 0));
        QTest::mouseRelease(bar, Qt::LeftButton, {}, from + QPoint(by, 0));
    };
    TimeRange before = view->state().visible();
    drag(bar->window().center().toPoint(), 60);
    EXPECT_NEAR(view->state().visible().begin, before.begin + 60 * perPixel, perPixel);
    EXPECT_NEAR(view->state().visible().length(), before.length(), 1e-9);
    before = view->state().visible();
    drag({ qRound(bar->window().right()), bar->height() / 2 }, -50);
    EXPECT_NEAR(view->state().visible().begin, before.begin, 1e-9);
    EXPECT_NEAR(view->state().visible().end, before.end - 50 * perPixel, perPixel);
    before = view->state().visible();
    QTest::mouseClick(bar, Qt::LeftButton, {}, QPoint(120, bar->height() / 2));
    EXPECT_LT(view->state().visible().begin, before.begin);
    view->state().back();
    EXPECT_NEAR(view->state().visible().begin, before.begin, perPixel);
}

// Trial: releasing over a box hid the statistics until the mouse pointed elsewhere.
TEST_F(Compare, aRangesStatisticsStayBesideTheCardUnderTheMouse)
{
    const QPoint over = middleOf(named(TraceSide::Plan, 1, ActionKind::Backward, 4));
    const QImage bare = view->grab().toImage();
    const auto differs = [&](const QImage& image) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixel(x, y) != bare.pixel(x, y) ? 1 : 0;
        return count;
    };
    QTest::mouseMove(view, over);
    ASSERT_TRUE(view->state().hover());
    const int card = differs(view->grab().toImage());
    QTest::mousePress(view, Qt::LeftButton, Qt::ShiftModifier, over - QPoint(120, 0));
    QTest::mouseMove(view, over);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::ShiftModifier, over);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(view, &leave);
    const int statistics = differs(view->grab().toImage());
    QTest::mouseMove(view, over + QPoint(1, 0));
    ASSERT_TRUE(view->state().hover());
    // Both are on screen: more than either covers alone.
    const int both = differs(view->grab().toImage());
    EXPECT_GT(both, statistics);
    EXPECT_GT(both, card);
    EXPECT_FALSE(view->selectionSummary().isEmpty());
}

TEST_F(Compare, tracesAreWrittenForPerfetto)
{
    view->setCompared(pinnedPlan(), QStringLiteral("a"));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("t.json"));
    ASSERT_TRUE(view->saveTrace(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const Json all = Json::parse(file.readAll().toStdString());
    const Json& events = all.is_array() ? all : all["traceEvents"];
    std::map<int, std::size_t> spans; // by process
    for (const Json& event : events)
        if (event["ph"] == "X")
            ++spans[event["pid"].get<int>()];
    EXPECT_EQ(spans[1], view->model().trace(TraceSide::Plan).spans.size());
    EXPECT_EQ(spans[3], view->model().trace(TraceSide::Pinned).spans.size());
    EXPECT_FALSE(view->saveTrace(folder.filePath(QStringLiteral("no/such/t.json"))));
}

TEST_F(Compare, theKeyCursorHasWordsToBeSpoken)
{
    view->setFocus();
    EXPECT_EQ(view->cursorWords(), QString());
    QTest::keyClick(view, Qt::Key_Right);
    EXPECT_TRUE(view->cursorWords().startsWith(QStringLiteral("Forward · microbatch 1 · GPU 0")))
        << view->cursorWords().toStdString();
    QTest::keyClick(view, Qt::Key_Down);
    EXPECT_TRUE(view->cursorWords().contains(QStringLiteral("GPU 1")));
    QTest::keyClick(view, Qt::Key_Escape);
    EXPECT_EQ(view->cursorWords(), QString());
}

TEST(LaneLayout, eightDevicesTwiceHaveRoomAtTheDesignsSize)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::longPipeline(8, 32, 1));
    model.setTrace(TraceSide::Pinned, test::longPipeline(8, 32, 2));
    TimelineState state;
    state.setExtent(model.extent(true));
    state.setMode(TimelineMode::Over);
    for (const double height : { 560.0, 420.0 }) {
        const LaneLayout over = layOut(model, state, { { 880, height }, 0, true });
        EXPECT_LE(over.height, over.bottom + 4) << height;
        const double pitch = over.rows[2].top - over.rows[1].top;
        if (height > 500) {
            EXPECT_GE(over.rows[1].height, 22);
            EXPECT_GE(pitch, 24);
        }
        EXPECT_LE(pitch - over.rows[1].height, 2.01);
    }
    state.setMode(TimelineMode::Plan);
    const LaneLayout alone = layOut(model, state, { { 880, 340 }, 0, true });
    EXPECT_GE(alone.rows[0].height, 22);
    EXPECT_LE(alone.height, alone.bottom + 4);
}
