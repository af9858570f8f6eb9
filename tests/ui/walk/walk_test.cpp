// SPDX-License-Identifier: GPL-3.0-or-later
// The main job as a person does it, with real widgets and the real engine: open model, choose
// topology, planner, drag a border, undo, start a run, see the loss fall, stop, compare, export.
#include "walk_fixture.h"

#include "ui/plan/stage_strip.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/runs_page.h"
#include "ui/train/train_form.h"
#include "ui/widgets/panel.h"
#include <QAbstractItemView>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <csignal>

namespace stageloom {

namespace {

using namespace hands;

class MouseWalk : public Walk {
protected:
    void planTheModel();
    void dragABorderAndUndo();
    void startARun(int steps);
    void stopTheRun();
};

void MouseWalk::planTheModel()
{
    dropFile(window, file("config.json"));
    ASSERT_TRUE(waitFor([&] { return workspace.model.model().has_value(); }, kLong));
    EXPECT_EQ(workspace.model.model()->layers.size(), 7U); // embedding, 4 blocks, norm, head
    click(*button(window, "Topology"));
    chooseFrom(*startingWith(window, "Known machine"), "CPU workers");
    ASSERT_TRUE(waitFor([&] { return workspace.topology.topology().has_value(); }, kLong));
    click(*startingWith(window, "Plan "));
    seeThePlan(2);
}

void MouseWalk::dragABorderAndUndo()
{
    auto* strip = window.findChild<StageStrip*>();
    ASSERT_TRUE(strip != nullptr && strip->isVisible());
    const Plan before = workspace.document.plan();
    const double stepBefore = workspace.predictor.prediction()->stepTime;
    const StripLayout layout = strip->layoutNow();
    const int border = before.stages[1].firstLayer, target = border > 3 ? border - 2 : border + 2;
    const auto at = [&](int layer) {
        return QPointF(layout.layerLeft(layer), layout.area.center().y()).toPoint();
    };
    drag(*strip, at(border), at(target));
    EXPECT_EQ(workspace.document.plan().stages[1].firstLayer, target);
    ASSERT_TRUE(
        waitFor([&] { return workspace.predictor.prediction()->stepTime != stepBefore; }, kLong));
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(toJson(workspace.document.plan()), toJson(before)); // one gesture, one undo
    ASSERT_TRUE(
        waitFor([&] { return workspace.predictor.prediction()->stepTime == stepBefore; }, kLong));
}

void MouseWalk::startARun(int steps)
{
    ASSERT_TRUE(waitFor([&] { return QApplication::activeWindow() == &window; }, kLong));
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    auto* data = named<QLineEdit>(window, "Data");
    ASSERT_NE(data, nullptr);
    click(*data);
    QTest::keyClick(data, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(data, file("text.txt"));
    window.findChild<TrainForm*>()->setSteps(steps);
    // A moment after a run has ended Start is not to be hit by a click meant for Stop.
    ASSERT_TRUE(waitFor([&] { return hands::button(window, "Start")->isEnabled(); }, kLong));
    const RunId before = workspace.live.id();
    click(*button(window, "Start"));
    ASSERT_TRUE(waitFor([&] { return !(workspace.live.id() == before); }, kLong));
}

void MouseWalk::stopTheRun()
{
    click(*button(window, "Stop after batch"));
    ASSERT_TRUE(waitFor([&] { return ended.has_value(); }, kLong));
    EXPECT_EQ(*ended, RunState::Stopped);
}

TEST_F(MouseWalk, fromAModelToTwoComparedRuns)
{
    planTheModel();
    dragABorderAndUndo();
    if (HasFatalFailure())
        return;
    startARun(5000);
    seeTheLossFall();
    stopTheRun();
    startARun(20); // ends by itself
    ASSERT_TRUE(waitFor([&] { return !workspace.live.isActive(); }, kLong));

    QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return workspace.runs.entries()->size() == 2; }, kLong));
    auto* table = named<QAbstractItemView>(window, "Runs");
    ASSERT_NE(table, nullptr);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_A, Qt::ControlModifier);
    const auto* plot = window.findChild<RunsPage*>()->findChild<CurvePlot*>();
    ASSERT_TRUE(waitFor( // the step and a line a curve
        [&] { return plot->readoutAt(plot->width() / 2.0).count(u'\n') == 2; }, kLong));
    onTop<QFileDialog>(window, [&](QFileDialog& dialog) {
        auto* name = dialog.findChild<QLineEdit*>("fileNameEdit");
        ASSERT_NE(name, nullptr);
        QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(name, file("curves.csv"), {}, 1); // the folder is read meanwhile
        click(*dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save));
    });
    chooseFrom(*startingWith(window, "Export"), "Numbers (CSV)…");
    readTheExport("curves.csv");
}

TEST_F(MouseWalk, anEngineThatDiesIsReportedAndNothingElseIsLost)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    startARun(50000);
    ASSERT_TRUE(waitFor(
        [&] { return workspace.live.status().pid > 0 && workspace.live.points().size() > 3; },
        kLong));
    ASSERT_EQ(::kill(workspace.live.status().pid, SIGKILL), 0);
    ASSERT_TRUE(waitFor([&] { return ended.has_value(); }, kLong));
    EXPECT_EQ(*ended, RunState::Failed) << "the window started it and sees the signal";
    QString said;
    for (const auto* bar : window.findChildren<MessageBar*>())
        said += bar->sentence();
    EXPECT_TRUE(said.contains(QStringLiteral("failed; nothing else is lost")))
        << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("memory killer"))) << said.toStdString();
    EXPECT_TRUE(workspace.document.isOpen());
    ASSERT_TRUE(waitFor(
        [&] {
            const auto& runs = *workspace.runs.entries();
            return runs.size() == 1 && runs[0].row.state == RunState::Failed;
        },
        kLong));
    // The next run may begin.
    EXPECT_TRUE(waitFor([&] { return button(window, "Start")->isEnabled(); }, kLong));
}

TEST_F(MouseWalk, theTrainPageSaysWhatItDoesAndWhatBecameOfIt)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    const auto says = [this](const QString& text) {
        for (const QLabel* label : window.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    };
    startARun(60);
    ASSERT_TRUE(waitFor([&] { return says(QStringLiteral("of 60")); }, kLong)); // running, step …
    EXPECT_FALSE(window.findChild<TrainForm*>()->isVisible());
    EXPECT_TRUE(button(window, "Pause")->isEnabled());
    ASSERT_TRUE(waitFor([&] { return ended.has_value(); }, kLong));
    EXPECT_TRUE(says(QStringLiteral("finished after 60 batches")));
    EXPECT_TRUE(window.findChild<TrainForm*>()->isVisible());
    EXPECT_FALSE(button(window, "Pause")->isEnabled());
}

TEST_F(MouseWalk, closingTheWindowAsksWhatBecomesOfTheRun)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    startARun(50000);
    ASSERT_TRUE(waitFor([&] { return workspace.live.points().size() > 3; }, kLong));
    workspace.document.undoStack().setClean(); // nothing to save: only the run is asked for
    QString question;
    const auto answer = [&](const char* word) {
        onTop<QMessageBox>(window, [&, word](QMessageBox& box) {
            question = box.text();
            for (QAbstractButton* each : box.buttons())
                if (each->text().remove(u'&') == QLatin1String(word))
                    return click(*each);
        });
    };
    answer("Cancel");
    EXPECT_FALSE(window.close());
    EXPECT_TRUE(question.contains(QStringLiteral("trains on without the window")));
    EXPECT_TRUE(workspace.live.isActive());
    answer("Keep it running");
    EXPECT_TRUE(window.close());
    const std::size_t then = workspace.live.points().size();
    ASSERT_TRUE(waitFor([&] { return workspace.live.points().size() > then + 3; }, kLong));
    window.show();
    answer("Stop after this batch");
    EXPECT_TRUE(window.close());
    ASSERT_TRUE(waitFor([&] { return ended.has_value(); }, kLong));
    EXPECT_EQ(*ended, RunState::Stopped);
}

TEST_F(MouseWalk, closingWhileTheEngineStartsStopsItFirst)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    workspace.document.undoStack().setClean();
    TrainRequest request;
    request.name = "soon stopped";
    request.plan = workspace.document.plan();
    request.dataPath = path("text.txt");
    request.steps = 50000;
    workspace.live.launch(request, workspace.runs.store());
    ASSERT_TRUE(workspace.live.isLaunching());
    onTop<QMessageBox>(window, [&](QMessageBox& box) {
        EXPECT_TRUE(box.text().startsWith(QStringLiteral("soon stopped trains on")));
        for (QAbstractButton* each : box.buttons())
            if (each->text().remove(u'&') == QStringLiteral("Stop after this batch"))
                return click(*each);
    });
    EXPECT_FALSE(window.close()); // it waits for the engine
    ASSERT_TRUE(waitFor([&] { return ended.has_value(); }, kLong));
    EXPECT_EQ(*ended, RunState::Stopped);
    ASSERT_TRUE(waitFor([&] { return !window.isVisible(); }, kLong)); // and goes by itself
}

TEST_F(MouseWalk, aWindowOpenedLaterAttachesToTheRunThatGoesOn)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    startARun(50000);
    ASSERT_TRUE(waitFor([&] { return workspace.live.points().size() > 10; }, kLong));
    workspace.live.detach();
    Workspace later(path("runs.sqlite"));
    MainWindow second(later);
    second.show();
    later.runs.refresh();
    ASSERT_TRUE(
        waitFor([&] { return later.live.isActive() && later.live.points().size() > 3; }, kLong));
    EXPECT_TRUE(
        waitFor([&] { return later.live.points().front().step == 1; }, kLong)); // from the store
    EXPECT_TRUE(later.live.request().has_value());
    bool over = false;
    QObject::connect(&later.live, &LiveRun::ended, &second, [&] { over = true; });
    later.live.stopNow();
    EXPECT_TRUE(waitFor([&] { return over; }, kLong));
}

} // namespace

} // namespace stageloom
