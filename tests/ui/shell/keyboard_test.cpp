// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell_fixture.h"

#include "ui/model/layer_strip.h"
#include "ui/plan/memory_bars.h"
#include "ui/plan/stage_strip.h"
#include "ui/plots/curve_plot.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/topology_view.h"
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSlider>
#include <QTabBar>
#include <set>

namespace stageloom {

namespace {

class KeyboardTest : public ShellTest {
protected:
    // What a round of the Tab key passes on this page, in order.
    std::vector<QWidget*> round()
    {
        std::vector<QWidget*> passed;
        constexpr int kMost = 150;
        for (int i = 0; i < kMost; ++i) {
            QTest::keyClick(window->windowHandle(), Qt::Key_Tab);
            QWidget* now = window->focusWidget();
            if (!passed.empty() && now == passed.front())
                break;
            passed.push_back(now);
        }
        return passed;
    }
    static std::string nameOf(const QWidget& widget)
    {
        return std::string(widget.metaObject()->className()) + " \""
            + (widget.accessibleName() + widget.property("text").toString()).toStdString() + '"';
    }
    // A part of another control is reached through it.
    static bool isControl(const QWidget& widget)
    {
        if (!widget.isVisible() || !widget.isEnabled())
            return false;
        for (const QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget())
            if (qobject_cast<const QAbstractItemView*>(up) || qobject_cast<const QComboBox*>(up)
                || qobject_cast<const QAbstractSpinBox*>(up) || qobject_cast<const QLineEdit*>(up)
                || qobject_cast<const QTabBar*>(up))
                return false;
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
            const bool one = button->group() != nullptr && button->group()->exclusive();
            return !one || button->isChecked(); // arrows go to the others
        }
        return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QComboBox*>(&widget)
            || qobject_cast<const QAbstractSpinBox*>(&widget)
            || qobject_cast<const QSlider*>(&widget)
            || (qobject_cast<const QAbstractItemView*>(&widget)
                && !qobject_cast<const QHeaderView*>(&widget))
            || qobject_cast<const StageStrip*>(&widget) || qobject_cast<const LayerStrip*>(&widget)
            || qobject_cast<const TopologyView*>(&widget)
            || qobject_cast<const TimelineView*>(&widget) || qobject_cast<const CurvePlot*>(&widget)
            || qobject_cast<const MemoryBars*>(&widget);
    }
    QImage look(const QWidget& widget)
    {
        constexpr int kAround = 3; // px
        const QRect place(widget.mapTo(&*window, QPoint()), widget.size());
        return window->grab(place.adjusted(-kAround, -kAround, kAround, kAround)).toImage();
    }
};

} // namespace

TEST_F(KeyboardTest, tabReachesEveryControlOfEveryPage)
{
    open({ 1440, 900 });
    openPlan(workersPlan());
    for (int page = 0; page < kPages; ++page) {
        QTest::keyClick(
            window->windowHandle(), static_cast<Qt::Key>(Qt::Key_1 + page), Qt::ControlModifier);
        const std::vector<QWidget*> passed = round();
        const std::set<QWidget*> reached(passed.begin(), passed.end());
        for (QWidget* widget : window->findChildren<QWidget*>())
            if (isControl(*widget)) {
                EXPECT_TRUE(reached.contains(widget))
                    << "page " << page + 1 << ": " << nameOf(*widget);
            }
    }
}

TEST_F(KeyboardTest, theFocusIsSeenWhereverItIs)
{
    open({ 1440, 900 });
    openPlan(workersPlan());
    for (int page = 0; page < kPages; ++page) {
        window->showPage(page);
        for (QWidget* widget : round()) {
            widget->setFocus(Qt::TabFocusReason);
            QCoreApplication::processEvents();
            const QImage with = look(*widget);
            widget->clearFocus();
            QCoreApplication::processEvents();
            EXPECT_NE(look(*widget), with) << "page " << page + 1 << ": " << nameOf(*widget);
        }
    }
}

TEST_F(KeyboardTest, everyControlHasATipAndAName)
{
    open({ 1440, 900 });
    openPlan(workersPlan());
    for (int page = 0; page < kPages; ++page) {
        window->showPage(page);
        QCoreApplication::processEvents();
        for (const QWidget* widget : window->findChildren<QWidget*>()) {
            // What paints itself has a tip for each of its parts.
            const bool drawn = qobject_cast<const StageStrip*>(widget)
                || qobject_cast<const LayerStrip*>(widget)
                || qobject_cast<const TopologyView*>(widget)
                || qobject_cast<const TimelineView*>(widget)
                || qobject_cast<const CurvePlot*>(widget) // its cursor tells the values
                || qobject_cast<const MemoryBars*>(widget);
            if (!isControl(*widget) || drawn)
                continue;
            EXPECT_FALSE(widget->toolTip().isEmpty())
                << "page " << page + 1 << ": " << nameOf(*widget);
            EXPECT_FALSE(widget->accessibleName().isEmpty()
                && widget->property("text").toString().isEmpty()
                && qobject_cast<const QTabBar*>(widget) == nullptr)
                << "page " << page + 1 << ": " << nameOf(*widget);
        }
    }
}

TEST_F(KeyboardTest, theRoundBeginsAtTheRailAndGoesThroughTheHeader)
{
    open({ 1440, 900 });
    openPlan(workersPlan());
    window->showPage(MainWindow::kPlan);
    std::vector<QWidget*> passed = round();
    const auto named = [&](const QString& text) {
        return std::find_if(passed.begin(), passed.end(),
            [&](const QWidget* widget) { return widget->property("text").toString() == text; });
    };
    ASSERT_NE(named(QStringLiteral("Plan")), passed.end());
    std::rotate(passed.begin(), named(QStringLiteral("Plan")), passed.end());
    const auto ask = named(QStringLiteral("Plan for me…")), train = named(QStringLiteral("Train"));
    const auto strip = std::find(passed.begin(), passed.end(), &child<StageStrip>());
    EXPECT_LT(ask, train);
    EXPECT_LT(train, strip);
    EXPECT_LT(strip - passed.begin(), 10); // and the page follows at once
}

TEST_F(KeyboardTest, arrowsGoThroughTheRail)
{
    open({ 1440, 900 });
    window->showPage(MainWindow::kPlan);
    QWidget* rail = nullptr;
    for (QWidget* widget : round())
        if (widget->property("text").toString() == QStringLiteral("Plan"))
            rail = widget;
    ASSERT_NE(rail, nullptr);
    rail->setFocus(Qt::TabFocusReason);
    QTest::keyClick(window->windowHandle(), Qt::Key_Down);
    EXPECT_EQ(window->windowTitle(), QStringLiteral("Train – Stageloom"));
}

} // namespace stageloom
