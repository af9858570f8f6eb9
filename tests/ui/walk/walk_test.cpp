// SPDX-License-Identifier: GPL-3.0-or-later
// The main job as a person does it, with real widgets and the real engine: open model, choose
// topology, planner, drag a border, undo, start a run, see the loss fall, stop, compare, export.
#include "hands.h"

#include "core/base/text.h"
#include "core/store/database.h"
#include "ui/main_window.h"
#include "ui/pages/plans_panel.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/stage_strip.h"
#include "ui/pages/train_form.h"
#include "ui/plots/curve_plot.h"
#include <QAbstractItemView>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>

namespace stageloom {

namespace {

using namespace hands;

constexpr int kLong = 120'000; // ms; a loaded machine starts an engine in seconds

const char* kModel = R"({"model_type": "gpt2", "vocab_size": 256, "n_positions": 32, "n_embd": 64,
  "n_layer": 4, "n_head": 2, "activation_function": "gelu_new"})";

// Text with something to learn: words that follow each other.
std::string text()
{
    std::string all;
    for (int i = 0; i < 4000; ++i)
        all += i % 3 == 0 ? "the pipeline "
            : i % 3 == 1  ? "holds two versions "
                          : "of its weights.\n";
    return all;
}

// The losses of the batches; an evaluation's point has none.
std::vector<double> losses(const std::vector<MetricPoint>& points)
{
    std::vector<double> all;
    for (const MetricPoint& point : points)
        if (std::isfinite(point.loss))
            all.push_back(point.loss);
    return all;
}

double mean(std::vector<double>::const_iterator from, std::ptrdiff_t count)
{
    return std::accumulate(from, from + count, 0.0) / static_cast<double>(count);
}

class Walk : public testing::Test {
protected:
    void SetUp() override
    {
        window.resize(1440, 900);
        window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
        ASSERT_TRUE(writeFileAtomically(path("config.json"), kModel));
        ASSERT_TRUE(
            writeFileAtomically(path("machine.json"), toJson(*readTopology("cpu:2")).dump()));
        ASSERT_TRUE(writeFileAtomically(path("text.txt"), text()));
    }
    std::string path(const char* name) const { return (folder.path() + '/').toStdString() + name; }
    QString file(const char* name) const { return QString::fromStdString(path(name)); }

    void planTheModel();
    void dragABorderAndUndo();
    void startARun(int steps);
    void stopTheRun();

    QTemporaryDir folder;
    Workspace workspace { path("runs.sqlite") };
    MainWindow window { workspace };
};

void Walk::planTheModel()
{
    dropFile(window, file("machine.json"));
    ASSERT_TRUE(waitFor([&] { return workspace.topology.topology().has_value(); }, kLong));
    dropFile(window, file("config.json"));
    ASSERT_TRUE(waitFor([&] { return workspace.model.model().has_value(); }, kLong));
    EXPECT_EQ(workspace.model.model()->layers.size(), 7U); // embedding, 4 blocks, norm, head
    click(*button(window, "Plan this model"));
    ASSERT_TRUE(waitFor([&] { return workspace.document.isOpen(); }, kLong));
    ASSERT_TRUE(waitFor([&] { return workspace.predictor.prediction() != nullptr; }, kLong));
    ASSERT_EQ(workspace.document.plan().depth(), 2);
}

void Walk::dragABorderAndUndo()
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

void Walk::startARun(int steps)
{
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    auto* data = named<QLineEdit>(window, "Data");
    ASSERT_NE(data, nullptr);
    click(*data);
    QTest::keyClick(data, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(data, file("text.txt"));
    window.findChild<TrainForm*>()->setSteps(steps);
    const RunId before = workspace.live.id();
    click(*button(window, "Start"));
    ASSERT_TRUE(waitFor([&] { return !(workspace.live.id() == before); }, kLong));
}

void Walk::stopTheRun()
{
    RunState state = RunState::Running;
    QObject::connect(&workspace.live, &LiveRun::ended, &window, [&](RunState s) { state = s; });
    click(*button(window, "Stop after batch"));
    ASSERT_TRUE(waitFor([&] { return state != RunState::Running; }, kLong));
    EXPECT_EQ(state, RunState::Stopped);
}

TEST_F(Walk, fromAModelToTwoComparedRuns)
{
    planTheModel();
    dragABorderAndUndo();
    if (HasFatalFailure())
        return;
    startARun(5000);
    ASSERT_TRUE(waitFor([&] { return workspace.live.points().size() >= 55; }, kLong));
    const std::vector<double> all = losses(workspace.live.points());
    EXPECT_LT(mean(all.end() - 10, 10), mean(all.begin(), 10) - 0.5);
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
    // The menu and the file dialog are answered as soon as they are there; each has its own timer,
    // because the menu's call returns only after the dialog it opens.
    QTimer chooseForm, answerDialog;
    QObject::connect(&chooseForm, &QTimer::timeout, &window, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (menu == nullptr)
            return;
        chooseForm.stop();
        answerDialog.start(50);
        for (QAction* action : menu->actions())
            if (action->text() == "Numbers (CSV)…")
                menu->setActiveAction(action);
        QTest::keyClick(menu, Qt::Key_Return);
    });
    QObject::connect(&answerDialog, &QTimer::timeout, &window, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr)
            return;
        answerDialog.stop();
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        ASSERT_NE(name, nullptr);
        name->setText(file("curves.csv"));
        QMetaObject::invokeMethod(dialog, "accept");
    });
    chooseForm.start(50);
    click(*startingWith(window, "Export"));
    ASSERT_TRUE(waitFor([&] { return QFileInfo::exists(file("curves.csv")); }, 15'000))
        << QDir(folder.path()).entryList().join(' ').toStdString() << ": "
        << shownSentence(window).toStdString();
    const Result<std::string> csv = readTextFile(path("curves.csv"), 1 << 20);
    ASSERT_TRUE(csv);
    EXPECT_GE(std::count(csv->begin(), csv->end(), '\n'), 80); // both runs' batches and a header
}

TEST_F(Walk, anEngineThatDiesIsReportedAndNothingElseIsLost)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    startARun(100000);
    ASSERT_TRUE(waitFor(
        [&] { return workspace.live.status().pid > 0 && workspace.live.points().size() > 3; },
        kLong));
    RunState state = RunState::Running;
    QObject::connect(&workspace.live, &LiveRun::ended, &window, [&](RunState s) { state = s; });
    ASSERT_EQ(::kill(workspace.live.status().pid, SIGKILL), 0);
    ASSERT_TRUE(waitFor([&] { return state != RunState::Running; }, kLong));
    EXPECT_EQ(state, RunState::Lost);
    EXPECT_TRUE(workspace.document.isOpen());
    ASSERT_TRUE(waitFor(
        [&] {
            const auto& runs = *workspace.runs.entries();
            return runs.size() == 1 && runs[0].row.state == RunState::Lost;
        },
        kLong));
    EXPECT_TRUE(button(window, "Start")->isEnabled()); // the next run may begin
}

TEST_F(Walk, aWindowOpenedLaterAttachesToTheRunThatGoesOn)
{
    planTheModel();
    if (HasFatalFailure())
        return;
    startARun(100000);
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
    bool ended = false;
    QObject::connect(&later.live, &LiveRun::ended, &second, [&] { ended = true; });
    later.live.stopNow();
    EXPECT_TRUE(waitFor([&] { return ended; }, kLong));
}

} // namespace

} // namespace stageloom
