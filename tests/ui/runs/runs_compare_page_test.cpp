// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/topology.h"
#include "core/plan/train_request.h"
#include "page_fixture.h"
#include "ui/plots/parallel_plot.h"
#include "ui/runs/plan_difference_model.h"
#include "ui/runs/runs_traces_tab.h"
#include "ui/runs/trace_difference_model.h"
#include "ui/state/run_fields.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

#include <QFileDialog>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>

using namespace stageloom;
using namespace stageloom::test;

namespace {

enum Tab { Details, Timeline, Plans, Traces, Parallel };

class RunsComparePageTest : public RunsPageTest {
protected:
    void startWithRuns(QSize size = { 1360, 820 })
    {
        {
            Database database = open();
            for (const SampleRun& run : severalRuns())
                addRun(database, run);
        }
        start(size);
        click(RunId { 10 });
        click(RunId { 7 }, Qt::ControlModifier);
    }
    template <typename Model> const Model* shownModel() const
    {
        for (auto* view : m_page->findChildren<QTableView*>())
            if (auto* model = qobject_cast<const Model*>(view->model()); model && view->isVisible())
                return model;
        return nullptr;
    }
    void drag(ParallelPlot& plot, QPointF from, QPointF to)
    {
        QTest::mousePress(&plot, Qt::LeftButton, {}, from.toPoint());
        QTest::mouseMove(&plot, to.toPoint());
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, to.toPoint());
    }
    // Widgets in sight that stick out of the page.
    [[nodiscard]] QStringList outside() const
    {
        QStringList names;
        for (const auto* panel : m_page->findChildren<QFrame*>(QStringLiteral("panel")))
            if (panel->isVisible()
                && !m_page->rect().contains(
                    QRect(panel->mapTo(m_page.get(), QPoint()), panel->size())))
                names << panel->accessibleName();
        return names;
    }
};

} // namespace

TEST_F(RunsComparePageTest, theirPlansDifferWhereTheTableSaysSo)
{
    startWithRuns();
    openTab(Plans);
    const auto* model = shownModel<PlanDifferenceModel>();
    ASSERT_NE(model, nullptr);
    QStringList fields;
    for (int row = 0; row < model->rowCount(); ++row)
        fields << model->index(row, 0).data().toString();
    EXPECT_TRUE(fields.contains(QStringLiteral("stage 2 · first layer"))); // 10 has three stages
    EXPECT_TRUE(fields.contains(QStringLiteral("optimizer · learning rate")));
    EXPECT_FALSE(fields.contains(QStringLiteral("schedule"))); // 2bw both
    EXPECT_TRUE(says(QStringLiteral("Run 10 against run 7: ")));
}

TEST_F(RunsComparePageTest, theirTracesAreAlignedAndShownInTime)
{
    startWithRuns();
    openTab(Traces);
    waitFor([this] { return shownModel<TraceDifferenceModel>() != nullptr; });
    settle();
    const auto* model = shownModel<TraceDifferenceModel>();
    ASSERT_NE(model, nullptr);
    ASSERT_EQ(model->rowCount(), 4); // forward and backward of the two stages that both have
    EXPECT_GT(model->kind(0).meanDelta, 0); // run 10 is the slower one
    auto* timeline = m_page->findChild<RunsTracesTab*>()->findChild<TimelineView*>();
    EXPECT_TRUE(timeline->isVisible());
    EXPECT_EQ(timeline->state().mode(), TimelineMode::Difference);
    EXPECT_EQ(timeline->deviceNames().mid(0, 2),
        QStringList({ QStringLiteral("Worker 0"), QStringLiteral("Worker 1") }));
    EXPECT_TRUE(says(QStringLiteral("without a partner")));
}

TEST_F(RunsComparePageTest, everyEntryOfTheTimelinesMenuDoesWhatItSays)
{
    startWithRuns();
    openTab(Traces);
    auto* tab = m_page->findChild<RunsTracesTab*>();
    auto* view = tab->findChild<TimelineView*>();
    ASSERT_TRUE(waitFor([view] { return view->isVisible() && view->model().has(TraceSide::Run); }));
    auto* search = tab->findChild<QLineEdit*>();
    const auto choose = [view](const QString& begin) {
        QMenu menu;
        view->fillMenu(menu, SpanRef { TraceSide::Run, 0 });
        for (QAction* action : menu.actions())
            if (action->text().startsWith(begin)) {
                action->trigger();
                return true;
            }
        return false;
    };
    for (const auto& [entry, sought] : { std::pair("Find all of stage", "stage 0"),
             std::pair("Find all of batch", "batch 1"), std::pair("Find…", "batch 1") }) {
        ASSERT_TRUE(choose(QString::fromUtf8(entry))) << entry;
        EXPECT_TRUE(search->isVisible()) << entry;
        EXPECT_EQ(search->text(), QString::fromUtf8(sought)) << entry;
        EXPECT_FALSE(view->state().hits().empty()) << entry;
    }
    ASSERT_TRUE(choose(QStringLiteral("Zoom to this operation")));
    EXPECT_LT(view->state().visible().length(), view->state().extent().length());
    ASSERT_TRUE(choose(QStringLiteral("Show all")));
    EXPECT_EQ(view->state().visible(), view->state().extent());
    ASSERT_TRUE(choose(QStringLiteral("Follow microbatch")));
    EXPECT_TRUE(view->state().microbatch().has_value());
    ASSERT_TRUE(choose(QStringLiteral("Statistics of what is in sight")));
    EXPECT_FALSE(view->selectionSummary().isEmpty());
    QString asked;
    onDialog<QFileDialog>([&asked](QFileDialog& dialog) {
        asked = dialog.windowTitle();
        dialog.reject();
    });
    ASSERT_TRUE(choose(QStringLiteral("Export as a picture")));
    EXPECT_EQ(asked, QStringLiteral("Export the timeline"));
}

TEST_F(RunsComparePageTest, brushingAnAxisNarrowsTheTableAndEscapeGivesAllBack)
{
    startWithRuns();
    openTab(Parallel);
    auto& plot = *m_page->findChild<ParallelPlot*>();
    int loss = -1;
    for (std::size_t i = 0; i < plot.axes().size(); ++i)
        if (plot.axes()[i].title == titleOf(RunField::Loss))
            loss = static_cast<int>(i);
    ASSERT_GE(loss, 0);
    drag(plot, plot.place(loss, 3.35), plot.place(loss, 2.8)); // 2.9 to 3.3: runs 8 to 12
    EXPECT_EQ(model().shownRuns(), 5);
    EXPECT_FALSE(model().indexOf(RunId { 7 }).isValid());
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 10 } }));
    plot.setFocus();
    QTest::keyClick(&plot, Qt::Key_Escape);
    EXPECT_EQ(model().shownRuns(), 12);
}

TEST_F(RunsComparePageTest, brushesOfTwoAxesBothHold)
{
    startWithRuns();
    openTab(Parallel);
    auto& plot = *m_page->findChild<ParallelPlot*>();
    const int schedule = 0, stages = 1;
    plot.setBrush(schedule, std::pair(-0.2, 0.2)); // 1f1b, the first of the alphabet
    EXPECT_EQ(model().shownRuns(), 4);
    plot.setBrush(stages, std::pair(2.5, 3.5));
    EXPECT_EQ(model().shownRuns(), 2);
    for (auto* button : m_page->findChildren<QAbstractButton*>())
        if (button->text().contains(QStringLiteral("brushed")))
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(model().shownRuns(), 12);
}

TEST_F(RunsComparePageTest, runAgainGivesTheSamePlanDataSeedAndSteps)
{
    SampleRun run;
    TrainRequest request;
    request.plan.name = "again";
    request.plan.modelSource = "preset:demo";
    request.plan.modelConfig = Json { { "model_type", "gpt2" } };
    request.plan.topology = readTopology("cpu:2").value();
    request.plan.seq = 32;
    request.plan.microbatches = 4;
    request.plan.stages = { { 0, 2, { 0 }, false }, { 3, 5, { 1 }, true } };
    request.dataPath = "/data/of/that/run";
    request.seed = 99;
    request.steps = 321;
    request.evalInterval = 17;
    {
        Database database = open();
        NewRun record;
        record.planJson = toJson(request.plan).dump();
        record.requestJson = toJson(request).dump();
        const RunId id = RunStore(database).create(record).value();
        ASSERT_TRUE(RunStore(database).finish(id, RunState::Finished, {}));
    }
    start();
    std::optional<TrainRequest> asked;
    QObject::connect(m_workspace.get(), &Workspace::runAgainAsked,
        [&](const TrainRequest& again) { asked = again; });
    QTest::mouseClick(&button(QStringLiteral("Run 1 again")), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return asked.has_value(); }));
    EXPECT_EQ(toJson(*asked), toJson(request));
    std::optional<TrainRequest> prepared;
    QObject::connect(m_workspace.get(), &Workspace::runPrepared,
        [&](const TrainRequest& again) { prepared = again; });
    m_workspace->runAgain(*asked);
    ASSERT_TRUE(prepared.has_value());
    EXPECT_EQ(planHash(m_workspace->document.plan()), planHash(request.plan));
}

TEST_F(RunsComparePageTest, theSmallScreenAndRightToLeftBreakNothing)
{
    startWithRuns({ 1280 - 72, 720 - 52 - 24 }); // without rail, header and status bar
    for (const Qt::LayoutDirection direction : { Qt::LeftToRight, Qt::RightToLeft }) {
        m_page->setLayoutDirection(direction);
        for (const Tab tab : { Details, Timeline, Plans, Traces, Parallel }) {
            openTab(tab);
            EXPECT_EQ(outside(), QStringList()) << tab;
            EXPECT_LE(m_page->minimumSizeHint().width(), m_page->width()) << tab;
            EXPECT_LE(m_page->minimumSizeHint().height(), m_page->height()) << tab;
            EXPECT_GE(m_table->viewport()->height(), 3 * Theme::kRowHeight) << tab;
            EXPECT_EQ(m_table->horizontalScrollBar()->maximum(), 0) << tab;
        }
    }
    auto* tabs = m_page->findChild<QTabWidget*>();
    const auto& curves = plot();
    EXPECT_GT(curves.mapTo(m_page.get(), QPoint()).x(), tabs->mapTo(m_page.get(), QPoint()).x());
}

TEST_F(RunsComparePageTest, atScaleTwoEveryTabPaintsAtFullResolution)
{
    startWithRuns();
    for (const Tab tab : { Details, Timeline, Plans, Traces, Parallel }) {
        openTab(tab);
        QImage image(m_page->size() * 2, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(2);
        image.fill(Qt::transparent);
        m_page->render(&image);
        EXPECT_EQ(image.pixelColor(image.width() / 2, 60).alpha(), 255) << tab;
        if (const QString folder = qEnvironmentVariable("STAGELOOM_SHOTS"); !folder.isEmpty())
            image.save(QStringLiteral("%1/runs-%2.png").arg(folder).arg(tab));
    }
}
