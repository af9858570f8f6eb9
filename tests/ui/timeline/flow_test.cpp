// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/theme/theme.h"
#include "ui/timeline/flow.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/tip_text.h"
#include <QHelpEvent>
#include <QMenu>
#include <QTest>
#include <QToolTip>
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

SpanRef plan(std::uint32_t index)
{
    return { TraceSide::Plan, index };
}

class Flow : public testing::Test {
protected:
    Flow()
    {
        view.resize(1000, 400);
        view.setPlan(test::twoStages());
        view.show();
    }
    std::optional<std::uint32_t> cursor() const
    {
        return view.state().hover() ? std::optional(view.state().hover()->index) : std::nullopt;
    }
    void askForTip(const QPoint& at)
    {
        QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
        QApplication::sendEvent(&view, &help);
    }
    mutable TimelineView view;
};

} // namespace

TEST(MicrobatchFlow, goesDownTheForwardsAndUpTheBackwards)
{
    constexpr int kDepth = 4, kMicrobatch = 7;
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::longPipeline(kDepth, 20));
    const auto of = [&](int stage, ActionKind kind) {
        const auto& spans = model.trace(TraceSide::Plan).spans;
        for (std::uint32_t i = 0; i < spans.size(); ++i)
            if (spans[i].stage == stage && spans[i].kind == kind
                && spans[i].microbatch == kMicrobatch)
                return plan(i);
        return plan(0);
    };
    std::vector<SpanRef> way;
    for (int stage = 0; stage < kDepth; ++stage)
        way.push_back(of(stage, ActionKind::Forward));
    for (int stage = kDepth; stage-- > 0;)
        way.push_back(of(stage, ActionKind::Backward));
    EXPECT_FALSE(producerOf(model, way.front()));
    EXPECT_FALSE(userOf(model, way.back()));
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        EXPECT_EQ(userOf(model, way[i]), way[i + 1]) << i;
        EXPECT_EQ(producerOf(model, way[i + 1]), way[i]) << i;
    }
}

TEST(MicrobatchFlow, whatNoArrowReachesStandsByTime)
{
    Trace t = test::twoStages();
    t.spans.push_back(test::span(ActionKind::Recompute, 0, 0, 3.5, 4)); // 8
    t.spans.push_back(test::span(ActionKind::Send, 0, 0, 1, 1.2)); // 9
    t.spans.push_back(test::span(ActionKind::Update, 0, 0, 9, 10)); // 10
    TimelineModel model;
    model.setTrace(TraceSide::Plan, t);
    EXPECT_EQ(producerOf(model, plan(8)), plan(5)); // B1 of stage 1, 2 … 4
    EXPECT_EQ(userOf(model, plan(8)), plan(2)); // B1 of stage 0, 4 … 6
    EXPECT_EQ(producerOf(model, plan(9)), plan(0));
    EXPECT_EQ(userOf(model, plan(9)), plan(5));
    EXPECT_FALSE(producerOf(model, plan(10)) || userOf(model, plan(10)));
}

TEST_F(Flow, keysFollowAMicrobatchFromStageToStage)
{
    QTest::keyClick(&view, Qt::Key_Right); // F1 of stage 0
    ASSERT_EQ(cursor(), 0U);
    std::vector<std::uint32_t> passed;
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(&view, Qt::Key_BracketRight);
        passed.push_back(*cursor());
    }
    EXPECT_EQ(passed, (std::vector<std::uint32_t> { 4, 5, 2, 2 })); // the end holds
    EXPECT_EQ(view.state().microbatch(), 0);
    QTest::keyClick(&view, Qt::Key_Left, Qt::ControlModifier);
    EXPECT_EQ(cursor(), 5U);
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    EXPECT_EQ(cursor(), 4U);
}

TEST_F(Flow, bringsWhereItLeadsIntoSight)
{
    view.state().setVisible({ 1.1, 1.9 });
    view.state().setHover(plan(4)); // F1 of stage 1
    QTest::keyClick(&view, Qt::Key_BracketRight);
    EXPECT_EQ(cursor(), 5U); // B1 of stage 1, 2 … 4
    EXPECT_TRUE(view.state().visible().contains(3));
    EXPECT_NEAR(view.state().visible().length(), 0.8, 1e-9);
    QTest::keyClick(&view, Qt::Key_Backspace);
    EXPECT_NEAR(view.state().visible().begin, 1.1, 1e-9);
}

TEST_F(Flow, beginsAtTheMicrobatchFollowed)
{
    QTest::keyClick(&view, Qt::Key_BracketRight);
    EXPECT_FALSE(cursor());
    view.state().followMicrobatch(1);
    view.state().setVisible({ 4.2, 8 });
    QTest::keyClick(&view, Qt::Key_BracketRight);
    EXPECT_EQ(cursor(), 6U); // F2 of stage 1, 4 … 5
}

TEST_F(Flow, theMenuLeadsThereToo)
{
    const auto trigger = [&](SpanRef at, const char* text) {
        QMenu menu;
        view.fillMenu(menu, at);
        for (QAction* action : menu.actions())
            if (action->text().startsWith(QLatin1String(text)))
                return action->trigger(), true;
        return false;
    };
    ASSERT_TRUE(trigger(plan(4), "Go to what it waited for"));
    EXPECT_EQ(cursor(), 0U);
    ASSERT_TRUE(trigger(plan(4), "Go to what used it"));
    EXPECT_EQ(cursor(), 5U);
    EXPECT_FALSE(trigger(plan(0), "Go to what it waited for"));
    EXPECT_FALSE(trigger(plan(2), "Go to what used it"));
}

TEST_F(Flow, aTremblingHandLeavesTheOperationToTheKeys)
{
    QTest::mouseMove(&view, { 500, 5 });
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::mouseMove(&view, { 501, 6 });
    EXPECT_EQ(cursor(), 0U);
    QTest::mouseMove(&view, { 540, 5 });
    EXPECT_FALSE(cursor());
}

TEST_F(Flow, tipsNameTheDeviceInFullWithItsStages)
{
    Trace looped = test::twoStages();
    looped.spans.push_back(test::span(ActionKind::Forward, 2, 0, 9, 10));
    looped.spans.back().device = 0;
    view.setPlan(looped);
    view.setDeviceNames({ QStringLiteral("a machine with a long name / GPU 0"), {} });
    const LaneLayout layout = layOut(view.model(), view.state(), { view.size(), 0, false });
    const auto middle = [&](std::size_t row) {
        return static_cast<int>(layout.rows[row].top + layout.rows[row].height / 2);
    };
    askForTip({ 20, middle(0) });
    EXPECT_EQ(QToolTip::text().toStdString(), "a machine with a long name / GPU 0\nstages 0, 2");
    askForTip({ 500, 380 }); // the legend
    EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("in the colour of its stage")));
    EXPECT_TRUE(QToolTip::text().contains(idleText(IdleCause::Imbalance)));
    for (std::size_t row = 0; row < layout.rows.size(); ++row)
        EXPECT_FALSE(view.tipAt(QPointF(20, middle(row))).isEmpty()) << row;
    EXPECT_TRUE(view.tipAt(QPointF(500, middle(0))).isEmpty());
    EXPECT_TRUE(legendTip(view.model(), TimelineMode::Difference, theme())
                    .contains(QStringLiteral("longer than planned")));
}

TEST(FlowNames, areFoundInAnyOrderOfSpans)
{
    Trace trace = test::longPipeline(3, 200);
    std::shuffle(trace.spans.begin(), trace.spans.end(), std::mt19937(8));
    TimelineModel model;
    model.setTrace(TraceSide::Run, trace);
    for (std::size_t i = 0; i < trace.spans.size(); i += 7) {
        const Span& s = trace.spans[i];
        const auto input = model.input({ TraceSide::Run, static_cast<std::uint32_t>(i) });
        const int from = s.stage + (s.kind == ActionKind::Forward ? -1 : 1);
        if (from < 0 || from > 2) {
            EXPECT_FALSE(input);
            continue;
        }
        ASSERT_TRUE(input);
        EXPECT_EQ(model.span(*input).stage, from);
        EXPECT_EQ(model.span(*input).microbatch, s.microbatch);
        EXPECT_EQ(model.span(*input).kind, s.kind);
    }
    // In flight, by a walk.
    for (std::size_t i = 0; i < trace.spans.size(); i += 31) {
        const Span& asked = trace.spans[i];
        int inFlight = asked.kind == ActionKind::Forward ? 1 : 0;
        for (const Span& s : trace.spans)
            if (s.stage == asked.stage && s.start < asked.start)
                inFlight += s.kind == ActionKind::Forward ? 1 : -1;
        EXPECT_EQ(model.stashAt({ TraceSide::Run, static_cast<std::uint32_t>(i) }), inFlight);
    }
}
