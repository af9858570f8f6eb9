// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"

#include "ui/plan/checks_panel.h"
#include "ui/plan/first_steps.h"
#include "ui/plan/memory_bars.h"
#include "ui/plan/plan_page.h"
#include "ui/plan/plans_panel.h"
#include "ui/plan/stage_strip.h"
#include "ui/plan/summary_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace stageloom {

namespace {

class PlanPageTest : public testing::Test {
protected:
    PlanPageTest()
        : workspace(files.path(QStringLiteral("runs.sqlite")).toStdString())
    {
        QSettings().clear();
    }
    void open(const Plan& plan)
    {
        workspace.document.adopt(plan);
        if (!page) {
            page.emplace(workspace);
            page->resize(1362, 820);
            page->show();
        }
        settle();
    }
    // Until the newest plan is predicted, or said to be impossible.
    void settle()
    {
        ASSERT_TRUE(waitFor([this] { return !workspace.predictor.isBusy(); }));
        QCoreApplication::processEvents();
    }
    void find()
    {
        PlannerWish wish { workspace.document.plan(), 8, 0 };
        wish.schedules = { "2bw", "1f1b" };
        wish.top = 10;
        workspace.planner.request(wish);
        ASSERT_TRUE(waitFor([this] { return !workspace.planner.isBusy(); }));
        QCoreApplication::processEvents();
    }
    // One that the engine trains: its text is bytes.
    static Plan workers()
    {
        Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
        plan.modelConfig["vocab_size"] = 256;
        return plan;
    }
    template <typename Widget> Widget& child() { return *page->findChild<Widget*>(); }
    QPushButton& button(const QString& words)
    {
        for (QPushButton* each : page->findChildren<QPushButton*>())
            if (each->text() == words)
                return *each;
        for (QWidget* action : page->actions())
            if (auto* each = qobject_cast<QPushButton*>(action); each && each->text() == words)
                return *each;
        ADD_FAILURE() << "no button " << words.toStdString();
        static QPushButton none;
        return none;
    }
    QStringList row(int index) { return child<SummaryPanel>().row(index); }
    QTableView& table() { return *page->findChild<QTableView*>(QStringLiteral("plans found")); }
    // Where a row of the table is that is not the document's plan and can be taken.
    QPoint otherRow()
    {
        for (int r = 0; r < table().model()->rowCount(); ++r) {
            const QModelIndex index = table().model()->index(r, 0);
            if (index.data(PlansModel::FitsRole).toBool()
                && index.data(PlansModel::MarkRole).toString().isEmpty())
                return table().visualRect(index).center();
        }
        ADD_FAILURE() << "every plan found is the document's";
        return {};
    }

    Files files;
    Workspace workspace;
    std::optional<PlanPage> page;
};

} // namespace

TEST_F(PlanPageTest, anUnpredictablePlanShowsNoNumbersButWhatHelps)
{
    open(workers());
    EXPECT_NE(row(0)[0].toStdString(), "–");
    EXPECT_TRUE(button(QStringLiteral("Train")).isEnabled())
        << button(QStringLiteral("Train")).toolTip().toStdString();
    Plan impossible = workspace.document.plan();
    impossible.microbatches = 1; // 2BW over two stages needs two
    workspace.document.edit(QStringLiteral("microbatches"), impossible);
    settle();
    for (int r = 0; r < 6; ++r)
        EXPECT_EQ(row(r)[0].toStdString(), "–") << r;
    EXPECT_FALSE(child<TimelineView>().model().has(TraceSide::Plan));
    EXPECT_FALSE(button(QStringLiteral("Train")).isEnabled());
    EXPECT_EQ(button(QStringLiteral("Train")).toolTip(), workspace.predictor.error());
    QTest::mouseClick(&button(QStringLiteral("Use 2 microbatches")), Qt::LeftButton);
    settle();
    EXPECT_EQ(workspace.document.plan().microbatches, 2);
    EXPECT_NE(row(0)[0].toStdString(), "–");
    EXPECT_TRUE(button(QStringLiteral("Train")).isEnabled());
}

TEST_F(PlanPageTest, plansFoundGoWithTheirDocument)
{
    open(workers());
    find();
    EXPECT_GT(table().model()->rowCount(), 1);
    Plan other = workers();
    other.modelConfig["n_embd"] = 32;
    open(other);
    EXPECT_EQ(table().model()->rowCount(), 0);
    EXPECT_FALSE(table().isVisible());
}

TEST_F(PlanPageTest, aClickShowsAPlanFoundAndADoubleClickTakesIt)
{
    open(workers());
    find();
    const Json before = toJson(workspace.document.plan());
    const QStringList numbers = row(0);
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, otherRow());
    EXPECT_EQ(toJson(workspace.document.plan()), before);
    EXPECT_EQ(workspace.document.undoStack().count(), 0);
    EXPECT_EQ(row(0)[1], numbers[0]); // the document's stand beside those looked at
    EXPECT_FALSE(child<StageStrip>().isEnabled());
    EXPECT_FALSE(button(QStringLiteral("Train")).isEnabled());
    QTest::keyClick(&*page, Qt::Key_Escape);
    button(QStringLiteral("Back")).click();
    EXPECT_EQ(row(0)[0], numbers[0]);
    EXPECT_TRUE(child<StageStrip>().isEnabled());
    const QPoint at = otherRow();
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, at);
    settle();
    EXPECT_NE(toJson(workspace.document.plan()), before);
    EXPECT_EQ(workspace.document.undoStack().count(), 1);
    EXPECT_EQ(
        table().model()->index(table().rowAt(at.y()), 0).data(PlansModel::MarkRole).toString(),
        QStringLiteral("B"));
    workspace.document.undoStack().undo();
    EXPECT_EQ(toJson(workspace.document.plan()), before);
}

TEST_F(PlanPageTest, aPinnedPlanStandsBesideTheEditedOne)
{
    open(workers());
    child<StageStrip>().setFocus();
    page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&*page));
    QTest::keyClick(&child<StageStrip>(), Qt::Key_P);
    ASSERT_TRUE(workspace.pinned.isPinned());
    ASSERT_TRUE(waitFor([this] { return workspace.pinned.prediction() != nullptr; }));
    const QString pinnedStep = row(0)[0];
    Plan edited = workspace.document.plan();
    edited.schedule = "1f1b";
    workspace.document.edit(QStringLiteral("schedule"), edited);
    settle();
    EXPECT_EQ(row(0)[1], pinnedStep);
    EXPECT_EQ(row(5)[0].toStdString(), "none");
    EXPECT_EQ(row(5)[1].toStdString(), "one batch");
    EXPECT_EQ(row(5)[2].toStdString(), "−1 batch");
    EXPECT_TRUE(page->subtitle().contains(workspace.pinned.name()));
    for (QAction* action : page->comparing())
        if (action->iconText() == QStringLiteral("Swap"))
            action->trigger();
    EXPECT_EQ(workspace.document.plan().schedule, "2bw");
    EXPECT_EQ(workspace.pinned.plan().schedule, "1f1b");
    workspace.pinned.unpin();
    EXPECT_FALSE(page->subtitle().contains(QStringLiteral("compared")));
}

TEST_F(PlanPageTest, aStageDroppedOnAnotherChangesDevicesWithIt)
{
    open(workers());
    auto& strip = child<StageStrip>();
    const auto centre = [&](int layer) { return strip.layoutNow().cell(layer).center().toPoint(); };
    QTest::mousePress(&strip, Qt::LeftButton, {}, centre(1));
    QTest::mouseMove(&strip, centre(4));
    QTest::mouseRelease(&strip, Qt::LeftButton, {}, centre(4));
    EXPECT_EQ(workspace.document.plan().stages[0].devices, std::vector<int> { 1 });
    EXPECT_EQ(workspace.document.plan().stages[1].devices, std::vector<int> { 0 });
}

TEST_F(PlanPageTest, aStageDroppedBelowTheScrolledMemoryRowsGoesNowhere)
{
    QScrollArea area;
    auto* bars = new MemoryBars;
    area.setWidgetResizable(true);
    area.setWidget(bars);
    area.resize(600, 80); // three rows of eight
    bars->setPrediction(smallPlan("dgx-a100", { { 0, 5, { 0 } } }), nullptr);
    area.show();
    QCoreApplication::processEvents();
    const int hidden = area.viewport()->height() + 20;
    EXPECT_EQ(bars->deviceAt({ 10, hidden }), -1);
    EXPECT_GE(bars->deviceAt({ 10, 5 }), 0);
}

TEST_F(PlanPageTest, theFirstDragEndsTheFirstSteps)
{
    open(workers());
    auto& steps = child<FirstSteps>();
    EXPECT_FALSE(steps.isHidden());
    auto& strip = child<StageStrip>();
    const StripLayout layout = strip.layoutNow();
    const QPoint border(
        static_cast<int>(layout.layerLeft(3)), static_cast<int>(layout.area.center().y()));
    const QPoint next(static_cast<int>(layout.layerLeft(4)), border.y());
    QTest::mousePress(&strip, Qt::LeftButton, {}, border);
    QTest::mouseMove(&strip, next);
    QTest::mouseRelease(&strip, Qt::LeftButton, {}, next);
    EXPECT_EQ(workspace.document.plan().stages[1].firstLayer, 4);
    EXPECT_TRUE(steps.isHidden());
    EXPECT_FALSE(FirstSteps::isWanted());
}

TEST_F(PlanPageTest, aMachineThatWasNotProfiledIsSaidToBe)
{
    open(smallPlan("rtx4090:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    const Predictor::Shared now = workspace.predictor.prediction();
    ASSERT_TRUE(now);
    const auto note = std::find_if(now->findings.begin(), now->findings.end(),
        [](const PlanFinding& finding) { return finding.path == "/profile"; });
    ASSERT_NE(note, now->findings.end());
    EXPECT_NE(note->message.find("4090 was not profiled"), std::string::npos) << note->message;
    EXPECT_TRUE(row(0)[0].startsWith(QStringLiteral("≈")));
}

TEST(PlansFilter, sortsWhatIsRefusedLastAndFindsWords)
{
    PlannerRequest request;
    request.modelSource = "small";
    request.model = smallModel();
    request.topology = *readTopology("cpu:4");
    request.batchSize = 4;
    request.schedules = { "2bw", "1f1b" };
    request.top = 20;
    auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_FALSE(answer->rejected.empty()); // 2BW with fewer microbatches than stages
    PlansModel model;
    model.setAnswer(std::make_shared<const PlannerAnswer>(*answer));
    PlansFilter filter;
    filter.setSourceModel(&model);
    filter.setSortRole(PlansModel::SortRole);
    const auto fits
        = [&](int row) { return filter.index(row, 0).data(PlansModel::FitsRole).toBool(); };
    const auto number = [&](int row, int column) {
        return filter.index(row, column).data(PlansModel::SortRole).toDouble();
    };
    const int found = static_cast<int>(answer->plans.size());
    for (const Qt::SortOrder order : { Qt::AscendingOrder, Qt::DescendingOrder })
        for (const int column : { PlansModel::Memory, PlansModel::Rate, PlansModel::Count }) {
            filter.sort(column, order);
            for (int row = 0; row < filter.rowCount(); ++row)
                ASSERT_EQ(fits(row), row < found) << column << ' ' << row;
            for (int row = 1; row < found; ++row)
                ASSERT_LE((order == Qt::AscendingOrder ? 1 : -1) * number(row - 1, column),
                    (order == Qt::AscendingOrder ? 1 : -1) * number(row, column));
        }
    filter.setWords(QStringLiteral("2bw fits"));
    ASSERT_GT(filter.rowCount(), 0);
    for (int row = 0; row < filter.rowCount(); ++row) {
        EXPECT_TRUE(fits(row));
        EXPECT_EQ(
            filter.index(row, PlansModel::Delay).data().toString().toStdString(), "one batch");
    }
    filter.setWords(QStringLiteral("“nothing”"));
    EXPECT_EQ(filter.rowCount(), 0);
}

TEST(PlansModel, saysStagesAndReplicasInWordsAndWhyAPlanIsRefused)
{
    EXPECT_EQ(layoutWords(4, 1).toStdString(), "4 stages, 1 replica");
    EXPECT_EQ(layoutWords(1, 2).toStdString(), "1 stage, 2 replicas");
    PlannerAnswer answer;
    RejectedPlan refused;
    refused.schedule = "2bw";
    refused.depth = 4;
    refused.width = 1;
    refused.microbatchSize = 2;
    refused.microbatches = 2;
    refused.reason = "too few microbatches";
    answer.rejected.push_back(refused);
    PlansModel model;
    model.setAnswer(std::make_shared<const PlannerAnswer>(answer));
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(
        model.index(0, 0).data(Qt::ToolTipRole).toString().toStdString(), "Too few microbatches");
    EXPECT_EQ(model.index(0, PlansModel::Rate).data().toString().toStdString(), "–");
    EXPECT_EQ(model.found(0), nullptr);
}

TEST(IdleShares, sumToTheSteadyBubble)
{
    for (const char* schedule : { "2bw", "1f1b", "gpipe" }) {
        Plan plan = smallPlan(
            "rtx4090:4", { { 0, 0, { 0 } }, { 1, 1, { 1 } }, { 2, 3, { 2 } }, { 4, 5, { 3 } } });
        plan.schedule = schedule;
        plan.microbatches = 8;
        const Result<Prediction> prediction = predict(plan);
        ASSERT_TRUE(prediction) << prediction.error().message;
        IdleReading reading;
        reading.read(std::make_shared<const Prediction>(*prediction));
        ASSERT_TRUE(reading.shares());
        double sum = 0;
        for (const double share : *reading.shares())
            sum += share;
        EXPECT_NEAR(sum, *prediction->metrics.steadyBubbleFraction, 1e-6) << schedule;
        reading.read(nullptr);
        EXPECT_FALSE(reading.shares());
    }
}

TEST(PinnedPlan, staysWhatItWasAndHasNoNumbersWhereThereAreNone)
{
    PinnedPlan pinned;
    QSignalSpy changed(&pinned, &PinnedPlan::changed);
    Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
    pinned.pin(plan, QStringLiteral("first"));
    plan.microbatches = 1;
    EXPECT_EQ(pinned.plan().microbatches, 4);
    ASSERT_TRUE(waitFor([&] { return pinned.prediction() != nullptr; }));
    EXPECT_EQ(pinned.prediction()->schedule.microbatches, 4);
    pinned.pin(plan, QStringLiteral("impossible"));
    EXPECT_EQ(pinned.prediction(), nullptr); // never the numbers of the plan before
    const auto before = changed.count();
    waitFor([&] { return changed.count() > before; });
    EXPECT_EQ(pinned.prediction(), nullptr);
    pinned.unpin();
    EXPECT_FALSE(pinned.isPinned());
}

} // namespace stageloom
