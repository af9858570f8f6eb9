// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"
#include "ui/inputs/inputs_fixture.h"
#include "ui/runs/run_timeline.h"
#include "ui/runs/runs_timeline_tab.h"
#include "ui/timeline/timeline_view.h"

#include <QLineEdit>
#include <QToolButton>
#include <SQLiteCpp/SQLiteCpp.h>

using namespace stageloom;
using namespace stageloom::test;

namespace {

// A run whose plan can be predicted: two stages on two workers, four microbatches.
SampleRun predictableRun(int batches)
{
    SampleRun run;
    run.batches = batches;
    run.plan = toJson(smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    return run;
}

SampleRun unpredictableRun()
{
    SampleRun run;
    run.model = "a-model-that-is-gone.json";
    return run;
}

class RunTimelineTest : public RunStoreTest {
protected:
    [[nodiscard]] bool settled() const
    {
        return test::waitFor([this] { return !m_timeline->isBusy(); });
    }
    void start() { m_timeline = std::make_unique<RunTimeline>(file()); }
    std::unique_ptr<RunTimeline> m_timeline;
};

class RunsTimelineTabTest : public RunsPageTest {
protected:
    [[nodiscard]] RunsTimelineTab& tab() const { return *m_page->findChild<RunsTimelineTab*>(); }
    [[nodiscard]] TimelineView& view() const { return *tab().findChild<TimelineView*>(); }
    void openTimeline() { openTab(1); }
    [[nodiscard]] QAbstractButton& inTab(const QString& text) const
    {
        for (auto* button : tab().findChildren<QAbstractButton*>())
            if (button->text() == text)
                return *button;
        throw std::runtime_error("the tab has no button " + text.toStdString());
    }
};

} // namespace

TEST_F(RunTimelineTest, givesEverySpanOfTheRunAndThePlanOnItsClock)
{
    add(predictableRun(5));
    start();
    m_timeline->load(RunId { 1 });
    ASSERT_TRUE(settled());
    ASSERT_EQ(m_timeline->state(), RunTimeline::State::Ready);
    const RunTimelineParts parts = m_timeline->takeParts();
    EXPECT_EQ(parts.run.spans.size(), 5u * 4 * 2 * 2);
    EXPECT_EQ(parts.firstBatch, 0);
    EXPECT_EQ(parts.lastBatch, 4);
    EXPECT_EQ(parts.planProblem, QString());
    ASSERT_FALSE(parts.plan.spans.empty());
    const auto first = std::ranges::min_element(parts.plan.spans, {}, &Span::start);
    EXPECT_DOUBLE_EQ(first->start, 0); // as the run's first forward
    EXPECT_EQ(parts.devices.size(), 2);
}

TEST_F(RunTimelineTest, aPlanThatCannotBePredictedStillLeavesTheMeasurement)
{
    add(unpredictableRun());
    start();
    m_timeline->load(RunId { 1 });
    ASSERT_TRUE(settled());
    const RunTimelineParts parts = m_timeline->takeParts();
    EXPECT_FALSE(parts.run.spans.empty());
    EXPECT_TRUE(parts.plan.spans.empty());
    EXPECT_FALSE(parts.planProblem.isEmpty());
}

TEST_F(RunTimelineTest, theRunChosenLastIsTheOneThatComes)
{
    add(predictableRun(400));
    add(predictableRun(2));
    start();
    int ready = 0;
    QObject::connect(m_timeline.get(), &RunTimeline::stateChanged,
        [&] { ready += m_timeline->state() == RunTimeline::State::Ready ? 1 : 0; });
    m_timeline->load(RunId { 1 });
    m_timeline->load(RunId { 2 }); // while the first is being read
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_timeline->id(), (RunId { 2 }));
    EXPECT_EQ(m_timeline->takeParts().run.spans.size(), 2u * 4 * 2 * 2);
    test::waitFor([&] { return ready > 1; }, 300); // nothing comes late
    EXPECT_EQ(ready, 1);
}

TEST_F(RunTimelineTest, stoppedItStaysStopped)
{
    add(predictableRun(400));
    start();
    m_timeline->load(RunId { 1 });
    m_timeline->stop();
    EXPECT_EQ(m_timeline->state(), RunTimeline::State::Stopped);
    test::waitFor([&] { return m_timeline->state() == RunTimeline::State::Ready; }, 300);
    EXPECT_EQ(m_timeline->state(), RunTimeline::State::Stopped);
}

TEST_F(RunTimelineTest, aRunWithoutSpansAndAMissingRunAreToldApart)
{
    SampleRun bare;
    bare.spans = false;
    add(bare);
    start();
    m_timeline->load(RunId { 1 });
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_timeline->state(), RunTimeline::State::Empty);
    add(predictableRun(1));
    open().raw().exec("UPDATE span_blocks SET data = x'00'");
    m_timeline->load(RunId { 2 });
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_timeline->state(), RunTimeline::State::Failed);
    EXPECT_TRUE(m_timeline->problem().contains(QStringLiteral("run 2")));
}

TEST_F(RunsTimelineTabTest, theTabShowsAllSpansOfTheChosenRunBesideItsPlan)
{
    add(predictableRun(30));
    start();
    openTimeline();
    ASSERT_TRUE(view().isVisible());
    EXPECT_EQ(view().model().trace(TraceSide::Run).spans.size(), 30u * 4 * 2 * 2);
    EXPECT_TRUE(view().model().has(TraceSide::Plan));
    EXPECT_EQ(view().state().mode(), TimelineMode::Both);
    EXPECT_EQ(view().state().visible(), view().state().extent());
    EXPECT_TRUE(says(QStringLiteral("batches 1–30")));
    QTest::mouseClick(&inTab(QStringLiteral("Measured")), Qt::LeftButton);
    EXPECT_EQ(view().state().mode(), TimelineMode::Run);
    QTest::mouseClick(&inTab(QStringLiteral("Difference")), Qt::LeftButton);
    EXPECT_EQ(view().state().mode(), TimelineMode::Difference);
    QTest::mouseClick(&inTab(QStringLiteral("Predicted")), Qt::LeftButton);
    EXPECT_EQ(view().state().mode(), TimelineMode::Plan);
}

TEST_F(RunsTimelineTabTest, thePlanStandsUnderTheBatchesInSight)
{
    add(predictableRun(60));
    start();
    openTimeline();
    const auto planStart = [this] {
        return view()
            .model()
            .side(TraceSide::Plan)
            .batchStart(view().model().side(TraceSide::Plan).firstBatch(), 4);
    };
    for (const int batch : { 40, 5, 58 }) {
        view().state().setVisible({ batch * 0.5, batch * 0.5 + 0.4 }); // a batch each half second
        const TimelineSide& plan = view().model().side(TraceSide::Plan);
        EXPECT_LE(plan.firstBatch(), batch);
        EXPECT_GE(plan.lastBatch(), batch);
        ASSERT_TRUE(planStart().has_value());
        EXPECT_NEAR(*planStart(), plan.firstBatch() * 0.5, 0.1) << batch; // as the run's
    }
}

TEST_F(RunsTimelineTabTest, aRunWithoutATraceAndOneWithoutAPredictionSaySo)
{
    SampleRun bare;
    bare.spans = false;
    add(bare);
    add(unpredictableRun());
    start();
    openTimeline();
    EXPECT_TRUE(says(QStringLiteral("no prediction")));
    EXPECT_EQ(view().state().mode(), TimelineMode::Run);
    EXPECT_FALSE(inTab(QStringLiteral("Both")).isEnabled());
    click(RunId { 1 });
    EXPECT_FALSE(view().isVisible());
    EXPECT_TRUE(says(QStringLiteral("recorded no spans")));
}

TEST_F(RunsTimelineTabTest, choosingAnotherRunWhileOneIsReadShowsTheOther)
{
    add(predictableRun(2));
    add(predictableRun(400));
    start();
    openTab(1);
    m_table->choose(RunId { 2 });
    waitFor([this] { return m_page->isBusy(); }, 500);
    m_table->choose(RunId { 1 });
    settle();
    waitFor([] { return false; }, 200); // a late result would come now
    EXPECT_EQ(view().model().trace(TraceSide::Run).spans.size(), 2u * 4 * 2 * 2);
}

TEST_F(RunsTimelineTabTest, aLongReadingShowsHowFarItIsAndCanBeStopped)
{
    add(predictableRun(3));
    start();
    tab().showRun({}, false);
    openTimeline();
    tab().showRun(RunId { 1 }, false); // its result comes through the event loop, not before
    EXPECT_TRUE(says(QStringLiteral("of run 1")));
    QTest::mouseClick(&inTab(QStringLiteral("Stop")), Qt::LeftButton);
    EXPECT_TRUE(says(QStringLiteral("was stopped")));
    QTest::mouseClick(&inTab(QStringLiteral("Read it")), Qt::LeftButton);
    settle();
    EXPECT_TRUE(view().isVisible());
}

TEST_F(RunsTimelineTabTest, theFindKeySearchesTheTimelineThatHasTheFocusElseTheRuns)
{
    add(predictableRun(4));
    start();
    openTimeline();
    view().setFocus();
    QTest::keyClick(&view(), Qt::Key_F, Qt::ControlModifier);
    auto* search = tab().findChild<QLineEdit*>();
    ASSERT_TRUE(search->isVisible());
    QTest::keyClicks(search, QStringLiteral("batch 2"));
    EXPECT_EQ(view().state().hits().size(), 4u * 2 * 2);
    m_table->setFocus();
    QTest::keyClick(m_table, Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(filter().hasFocus());
}
