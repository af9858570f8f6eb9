// SPDX-License-Identifier: GPL-3.0-or-later
// The main job without a mouse: only keys, which go to the window that has the keyboard.
#include "keys.h"
#include "walk_fixture.h"

#include "ui/plan/planner_dialog.h"
#include "ui/plan/stage_strip.h"
#include "ui/plots/curve_plot.h"
#include "ui/train/train_form.h"
#include <QAbstractItemView>
#include <QTabWidget>

namespace stageloom {

namespace {

using namespace keys;
using hands::waitFor;

class KeyboardWalk : public Walk {
protected:
    void openTheModel();
    void chooseTheMachine();
    void askThePlanner();
    void moveABorderAndUndo();
    void startARun(const QString& steps);
    void stopTheRun();
    void compareBothRuns();
    void exportThem();
    void goTo(Qt::Key page) { press(window, page, Qt::ControlModifier); }
    void answerFileDialog(const QString& path)
    {
        hands::onTop<QFileDialog>(window, [this, path](QFileDialog&) {
            press(window, Qt::Key_A, Qt::ControlModifier);
            type(window, path);
            press(window, Qt::Key_Return);
        });
    }
};

void KeyboardWalk::openTheModel()
{
    answerFileDialog(file("config.json"));
    press(window, Qt::Key_O, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return workspace.model.model().has_value(); }, kLong));
}

void KeyboardWalk::chooseTheMachine()
{
    goTo(Qt::Key_2);
    chooseFrom(window, hands::startingWith(window, "Known machine"), "CPU workers");
    ASSERT_TRUE(waitFor([&] { return workspace.topology.topology().has_value(); }, kLong));
    pressButton(window, hands::startingWith(window, "Plan "));
    seeThePlan(2);
}

void KeyboardWalk::askThePlanner()
{
    const Json before = toJson(workspace.document.plan());
    hands::onTop<PlannerDialog>(window, [this](PlannerDialog&) { press(window, Qt::Key_Return); });
    press(window, Qt::Key_P, Qt::ControlModifier);
    auto* plans = window.findChild<QAbstractItemView*>("plans found");
    ASSERT_TRUE(waitFor([&] { return plans->isVisible(); }, kLong));
    ASSERT_GT(plans->model()->rowCount(), 1);
    tabTo(window, plans);
    EXPECT_EQ(toJson(workspace.document.plan()), before); // looking is not taking
    press(window, Qt::Key_Down);
    press(window, Qt::Key_Return);
    EXPECT_NE(toJson(workspace.document.plan()), before);
    press(window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(toJson(workspace.document.plan()), before);
}

void KeyboardWalk::moveABorderAndUndo()
{
    const Plan before = workspace.document.plan();
    tabTo(window, window.findChild<StageStrip*>());
    press(window, Qt::Key_Left);
    EXPECT_EQ(workspace.document.plan().stages[1].firstLayer, before.stages[1].firstLayer - 1);
    press(window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(toJson(workspace.document.plan()), toJson(before));
}

void KeyboardWalk::startARun(const QString& steps)
{
    goTo(Qt::Key_4);
    fill(window, hands::named<QLineEdit>(window, "Data"), file("text.txt"));
    fill(window, hands::named<QWidget>(window, "Steps"), steps);
    // A moment after a run has ended Start is not to be hit by a click meant for Stop.
    ASSERT_TRUE(waitFor([&] { return hands::button(window, "Start")->isEnabled(); }, kLong));
    const RunId before = workspace.live.id();
    press(window, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return !(workspace.live.id() == before); }, kLong));
}

void KeyboardWalk::stopTheRun()
{
    pressButton(window, hands::button(window, "Stop after batch"));
    ASSERT_TRUE(waitFor([&] { return ended.has_value(); }, kLong));
    EXPECT_EQ(*ended, RunState::Stopped);
}

void KeyboardWalk::compareBothRuns()
{
    goTo(Qt::Key_5);
    ASSERT_TRUE(waitFor([&] { return workspace.runs.entries()->size() == 2; }, kLong));
    tabTo(window, hands::named<QAbstractItemView>(window, "Runs"));
    press(window, Qt::Key_Home);
    press(window, Qt::Key_Down, Qt::ShiftModifier);
    const auto* plot = hands::named<CurvePlot>(window, "Loss");
    ASSERT_TRUE(waitFor( // the step and a line a curve
        [&] { return plot->readoutAt(plot->width() / 2.0).count(u'\n') == 2; }, kLong));
    auto* tabs = window.findChild<QTabWidget*>();
    tabTo(window, tabs->tabBar());
    for (int right = 0; right < 2; ++right) // past the timeline
        press(window, Qt::Key_Right);
    EXPECT_EQ(tabs->tabText(tabs->currentIndex()), "Plans");
}

void KeyboardWalk::exportThem()
{
    answerFileDialog(file("curves.csv"));
    chooseFrom(window, hands::startingWith(window, "Export"), "Numbers (CSV)…");
    readTheExport("curves.csv");
}

TEST_F(KeyboardWalk, fromAModelToTwoComparedRuns)
{
    const std::function<void()> steps[] = {
        [&] { openTheModel(); },
        [&] { chooseTheMachine(); },
        [&] { askThePlanner(); },
        [&] { moveABorderAndUndo(); },
        [&] { startARun("5000"); },
        [&] { seeTheLossFall(); },
        [&] { stopTheRun(); },
        [&] { startARun("20"); },
        [&] {
            ASSERT_TRUE(waitFor([&] { return !workspace.live.isActive(); }, kLong))
                << "step " << workspace.live.status().step << " of "
                << workspace.live.status().steps;
        },
        [&] { compareBothRuns(); },
        [&] { exportThem(); },
    };
    for (const auto& step : steps) {
        step();
        if (HasFatalFailure())
            return;
    }
}

} // namespace

} // namespace stageloom
