// SPDX-License-Identifier: GPL-3.0-or-later
// What each page says while it has nothing, works, failed, or is done.
#include "shell_fixture.h"

#include "ui/plan/plan_page.h"
#include "ui/plan/stage_strip.h"
#include "ui/shell/window_header.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel.h"
#include <QAbstractButton>
#include <QLabel>
#include <QThreadPool>

namespace stageloom {

namespace {

class StatesTest : public ShellTest {
protected:
    [[nodiscard]] bool says(const QString& text)
    {
        for (const QLabel* label : window->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    [[nodiscard]] QAbstractButton* button(const QString& text)
    {
        for (auto* each : window->findChildren<QAbstractButton*>())
            if (each->isVisible() && each->text() == text)
                return each;
        return nullptr;
    }
};

} // namespace

TEST_F(StatesTest, anEmptyPageSaysWhatToDoNext)
{
    open();
    const std::pair<int, QString> words[] = { { MainWindow::kModel, "Choose a preset" },
        { MainWindow::kTopology, "Choose a known machine" }, { MainWindow::kPlan, "Ctrl+O" },
        { MainWindow::kTrain, "Open or make a plan first" },
        { MainWindow::kRuns, "Start one on the Train page" } };
    for (const auto& [page, sentence] : words) {
        window->showPage(page);
        EXPECT_TRUE(says(sentence)) << sentence.toStdString();
    }
}

TEST_F(StatesTest, thePlanPageSaysThatAPlanIsLookedFor)
{
    open();
    window->showPage(MainWindow::kPlan);
    workspace->search.openSample(PlanSearch::samples().front());
    EXPECT_TRUE(says(QStringLiteral("Looking for a plan")));
    ASSERT_TRUE(waitFor([this] { return workspace->document.isOpen(); }));
    EXPECT_FALSE(says(QStringLiteral("Looking for a plan")));
}

TEST_F(StatesTest, aModelThatCannotBeReadIsASentenceAndTheOldOneStays)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kModel);
    const QString before = workspace->model.name();
    workspace->openFile(files.write(QStringLiteral("config.json"), "{\"model_type\": \"gpt2\""));
    ASSERT_TRUE(waitFor([this] { return says(QStringLiteral("config.json")); }));
    EXPECT_EQ(workspace->model.name(), before);
}

TEST_F(StatesTest, aMachineThatIsNoneIsASentence)
{
    open();
    window->showPage(MainWindow::kTopology);
    workspace->topology.open(files.path(QStringLiteral("absent.json")));
    ASSERT_TRUE(waitFor([this] { return says(QStringLiteral("absent.json")); }));
}

TEST_F(StatesTest, readingAModelOrAMachineIsSaidUntilItIsDone)
{
    open();
    openPlan(workersPlan());
    const auto busy = [this] {
        for (const auto* label : window->findChildren<ElidedLabel*>())
            if (label->objectName() == QStringLiteral("status"))
                return label->words();
        return QString();
    };
    const auto* line = window->findChild<ProgressLine*>();
    window->showPage(MainWindow::kModel);
    workspace->model.open(QStringLiteral("preset:gpt2-medium"));
    EXPECT_EQ(busy(), QStringLiteral("Reading the model…"));
    EXPECT_EQ(line->maximum(), 0); // moves, without an end
    ASSERT_TRUE(waitFor([this] { return !workspace->model.isBusy(); }));
    EXPECT_TRUE(says(QStringLiteral("355 M parameters")));
    window->showPage(MainWindow::kTopology);
    workspace->topology.open(QStringLiteral("dgx1-v100-16g"));
    EXPECT_EQ(busy(), QStringLiteral("Reading the machine…"));
    ASSERT_TRUE(waitFor([this] { return !workspace->topology.isBusy(); }));
    EXPECT_TRUE(says(QStringLiteral("8 devices · only looked at")));
    EXPECT_TRUE(busy().startsWith(QStringLiteral("Predicted")));
    EXPECT_GT(line->maximum(), 0);
}

TEST_F(StatesTest, whatIsBeingReadCanBeStopped)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kModel);
    const QString before = workspace->model.name();
    workspace->model.open(QStringLiteral("preset:gpt2-xl"));
    ASSERT_FALSE(workspace->busyWith().isEmpty());
    auto* stop = window->findChild<StopButton*>();
    ASSERT_NE(stop, nullptr);
    stop->click(); // hidden until it takes longer than a moment, and works all the same
    EXPECT_TRUE(workspace->busyWith().isEmpty());
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_EQ(workspace->model.name(), before);
}

TEST_F(StatesTest, aPlanForGpusIsNotStartedAndASentenceOffersTheCpu)
{
    open();
    openPlan(manyStagesPlan());
    window->showPage(MainWindow::kTrain);
    ASSERT_NE(button(QStringLiteral("Start")), nullptr);
    QTest::mouseClick(button(QStringLiteral("Start")), Qt::LeftButton);
    EXPECT_TRUE(says(QStringLiteral("trains on CPU workers")));
    EXPECT_NE(button(QStringLiteral("Plan it for this machine's CPU")), nullptr);
    EXPECT_FALSE(workspace->live.isActive());
}

TEST_F(StatesTest, aMessageThatEveryDeviceIsTakenGoesOnceOneIsFree)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kPlan);
    auto& strip = child<StageStrip>();
    strip.chooseStage(0);
    QTest::keyClick(&strip, Qt::Key_S);
    EXPECT_TRUE(says(QStringLiteral("Every device has a stage already")));
    EXPECT_EQ(workspace->document.plan().depth(), 2);
    QTest::keyClick(&strip, Qt::Key_M);
    EXPECT_EQ(workspace->document.plan().depth(), 1);
    EXPECT_FALSE(says(QStringLiteral("Every device has a stage already")));
}

TEST_F(StatesTest, aPlanThatCannotBePredictedShowsNoNumbersOfAnother)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kPlan);
    const auto& timeline = *child<PlanPage>().findChild<TimelineView*>();
    ASSERT_GT(timeline.model().devices(), 0);
    Plan bad = workersPlan();
    bad.microbatches = 1; // two weight versions need as many as stages
    workspace->document.edit(QStringLiteral("change microbatches"), bad);
    ASSERT_TRUE(waitFor([this] { return !workspace->predictor.isBusy(); }));
    EXPECT_EQ(workspace->predictor.prediction(), nullptr);
    EXPECT_FALSE(workspace->predictor.error().isEmpty());
    EXPECT_EQ(timeline.model().devices(), 0);
    for (const auto* label : window->findChildren<ElidedLabel*>())
        if (label->isVisible() && label->objectName() != QStringLiteral("document")) {
            EXPECT_FALSE(label->words().contains(QStringLiteral("tokens/s")))
                << label->words().toStdString();
        }
}

TEST_F(StatesTest, theTrainPageTellsHowARunBegins)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kTrain);
    EXPECT_TRUE(says(QStringLiteral("Start trains small")));
    EXPECT_TRUE(button(QStringLiteral("Start"))->isEnabled());
    EXPECT_TRUE(says(QStringLiteral("Shown once batches are measured")));
}

} // namespace stageloom
