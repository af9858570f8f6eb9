// SPDX-License-Identifier: GPL-3.0-or-later
// Panels leave the page, come back, and stay where a person put them.
#include "shell_fixture.h"

#include "ui/plan/stage_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/dock_area.h"
#include <QMenuBar>
#include <QSettings>
#include <QToolButton>

namespace stageloom {

namespace {

class DocksTest : public ShellTest {
protected:
    DocksTest() { QSettings().remove(QStringLiteral("panels")); }
    ~DocksTest() override
    {
        window.reset();
        QSettings().remove(QStringLiteral("panels"));
    }
    void openPlanPage()
    {
        open({ 1440, 900 });
        openPlan(workersPlan());
        window->showPage(MainWindow::kPlan);
        QTest::qWait(30);
    }
    PanelDock& dock(const char* name)
    {
        auto* area = window->findChild<DockArea*>(QStringLiteral("plan"));
        return *area->findChild<PanelDock*>(QLatin1String(name));
    }
    QAction* inPanelsMenu(const QString& word)
    {
        for (QMenu* menu : window->menuBar()->findChildren<QMenu*>())
            if (menu->title().remove(u'&') == QStringLiteral("Panels")) {
                emit menu->aboutToShow();
                for (QAction* action : menu->actions())
                    if (action->text().remove(u'&') == word)
                        return action;
            }
        return nullptr;
    }
};

} // namespace

TEST_F(DocksTest, aButtonTakesAPanelOutOfThePageAndPutsItBack)
{
    openPlanPage();
    PanelDock& timeline = dock("timeline");
    auto* view = timeline.findChild<TimelineView*>();
    const int before = view->height();
    QToolButton* button = nullptr;
    for (auto* each : timeline.findChildren<QToolButton*>())
        if (each->toolTip().contains(QStringLiteral("in a window of its own")))
            button = each;
    ASSERT_NE(button, nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(timeline.isFloating());
    EXPECT_NE(view->window(), &*window);
    window->showPage(MainWindow::kTrain); // on another screen it stays in sight
    EXPECT_TRUE(timeline.isVisible());
    window->showPage(MainWindow::kPlan);
    EXPECT_TRUE(timeline.windowFlags().testFlag(Qt::WindowMaximizeButtonHint));
    timeline.close(); // as by the desktop's button: it goes back, not away
    EXPECT_FALSE(timeline.isFloating());
    EXPECT_TRUE(timeline.isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(timeline.isFloating());
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_FALSE(timeline.isFloating());
    EXPECT_EQ(view->window(), &*window);
    QTest::qWait(30);
    EXPECT_EQ(view->height(), before);
}

TEST_F(DocksTest, aClosedPanelComesBackFromTheMenu)
{
    openPlanPage();
    PanelDock& memory = dock("memory");
    memory.close();
    EXPECT_FALSE(memory.isVisible());
    QAction* back = inPanelsMenu(QStringLiteral("Memory per device"));
    ASSERT_NE(back, nullptr);
    EXPECT_FALSE(back->isChecked());
    back->trigger();
    EXPECT_TRUE(memory.isVisible());
}

TEST_F(DocksTest, anArrangementOutlivesTheWindowUntilItIsReset)
{
    openPlanPage();
    dock("memory").show(); // closed at first: the strip says the same in short
    window.reset();
    workspace.reset();
    openPlanPage();
    EXPECT_TRUE(dock("memory").isVisible());
    QAction* reset = inPanelsMenu(QStringLiteral("As they were at first"));
    ASSERT_NE(reset, nullptr);
    reset->trigger();
    EXPECT_FALSE(dock("memory").isVisible());
    EXPECT_LT(dock("stages").mapTo(&*window, QPoint()).y(),
        dock("timeline").mapTo(&*window, QPoint()).y());
}

TEST_F(DocksTest, theWindowOpensAsLargeAsItWas)
{
    open({ 1400, 800 });
    window->close();
    window.reset();
    workspace.reset();
    workspace.emplace(files.path(QStringLiteral("runs.sqlite")).toStdString());
    window.emplace(*workspace);
    window->show();
    EXPECT_EQ(window->size(), QSize(1400, 800));
}

} // namespace stageloom
