// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Shortcuts tells every key that does something, wherever it is bound.
#include "shell_fixture.h"

#include "ui/shell/shortcut_groups.h"
#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPointer>
#include <QRegularExpression>
#include <QShortcut>
#include <set>

namespace stageloom {

namespace {

// As the lines of the dialog write a key; any of them will do.
QStringList spellings(const QKeySequence& keys)
{
    const QString name = keys.toString(QKeySequence::PortableText);
    const std::pair<const char*, QStringList> others[]
        = { { "Left", { "Left", "arrow keys" } }, { "Right", { "Right", "arrow keys" } },
              { "Up", { "Up", "arrow keys" } }, { "Down", { "Down", "arrow keys" } },
              { "PgUp", { "Page up" } }, { "PgDown", { "Page down", "page down" } },
              { "Del", { "Delete" } }, { "Esc", { "Esc", "Escape" } }, { "-", { "−" } },
              { "=", { "+" } }, { "Return", { "Enter", "Return" } }, { "Enter", { "Enter" } },
              { "Ctrl+Return", { "Ctrl+Return" } } };
    for (const auto& [key, words] : others)
        if (name == QLatin1String(key))
            return words;
    return { name };
}

bool tells(const ShortcutLines& lines, const QKeySequence& keys)
{
    for (const QString& word : spellings(keys)) {
        const QRegularExpression whole(QStringLiteral("(^|[^A-Za-z0-9])%1($|[^A-Za-z0-9])")
                                           .arg(QRegularExpression::escape(word)));
        for (const auto& [written, what] : lines)
            if (whole.match(written).hasMatch())
                return true;
    }
    return false;
}

class ShortcutsTest : public ShellTest {
protected:
    std::vector<ShortcutGroup> groups() { return allShortcuts(*window->menuBar()); }
};

} // namespace

TEST_F(ShortcutsTest, everyBoundKeyOfTheWindowIsInHelp)
{
    open();
    openPlan(workersPlan());
    ShortcutLines all;
    for (const ShortcutGroup& group : groups())
        all.insert(all.end(), group.lines.begin(), group.lines.end());
    int count = 0;
    const auto check = [&](const QKeySequence& keys, const QString& of) {
        if (keys.isEmpty())
            return;
        ++count;
        EXPECT_TRUE(tells(all, keys))
            << keys.toString().toStdString() << " of " << of.toStdString();
    };
    for (const QAction* action : window->findChildren<QAction*>())
        for (const QKeySequence& keys : action->shortcuts())
            check(keys, action->text());
    for (const QShortcut* shortcut : window->findChildren<QShortcut*>())
        check(shortcut->key(), QLatin1String(shortcut->parent()->metaObject()->className()));
    for (const QAbstractButton* button : window->findChildren<QAbstractButton*>())
        // A letter of the button's own word (Alt+S) is shown on it.
        if (!button->text().contains(u'&'))
            check(button->shortcut(), button->text());
    EXPECT_GT(count, 15);
}

TEST_F(ShortcutsTest, everyKeyThatAViewTakesIsInItsGroup)
{
    open();
    openPlan(workersPlan());
    for (QDockWidget* dock : window->findChildren<QDockWidget*>())
        dock->show(); // the memory panel is closed at first
    struct View {
        int page;
        const char *name, *title;
    };
    const View views[] = { { MainWindow::kModel, "stageloom::LayerStrip", "Model: blocks" },
        { MainWindow::kTopology, "stageloom::TopologyView", "Topology: devices and links" },
        { MainWindow::kPlan, "stageloom::StageStrip", "Plan: stages" },
        { MainWindow::kPlan, "stageloom::MemoryBars", "Plan: memory" },
        { MainWindow::kPlan, "stageloom::TimelineView", "Timeline" },
        { MainWindow::kTrain, "stageloom::CurvePlot", "Curves" } };
    std::vector<int> keys { Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home,
        Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Delete, Qt::Key_Backspace,
        Qt::Key_Return, Qt::Key_Space, Qt::Key_Escape, Qt::Key_Plus, Qt::Key_Minus,
        Qt::Key_BracketLeft, Qt::Key_BracketRight, Qt::Key_F2, Qt::Key_Period, Qt::Key_Comma };
    for (int key = Qt::Key_A; key <= Qt::Key_Z; ++key)
        keys.push_back(key);
    for (int key = Qt::Key_0; key <= Qt::Key_9; ++key)
        keys.push_back(key);
    const std::vector<ShortcutGroup> all = groups();
    for (const auto& [page, name, title] : views) {
        const auto group = std::find_if(all.begin(), all.end(),
            [title = title](const ShortcutGroup& g) { return g.title == QLatin1String(title); });
        ASSERT_NE(group, all.end()) << title;
        window->showPage(page);
        QCoreApplication::processEvents();
        std::vector<QPointer<QWidget>> those;
        for (QWidget* widget : window->findChildren<QWidget*>())
            if (widget->isVisible() && qstrcmp(widget->metaObject()->className(), name) == 0)
                those.emplace_back(widget);
        std::set<int> taken;
        for (const QPointer<QWidget>& widget : those)
            for (const int key : keys) {
                QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
                ASSERT_NE(widget, nullptr) << name;
                static_cast<QObject*>(widget)->event(&event); // and not to its parents
                if (event.isAccepted())
                    taken.insert(key);
            }
        EXPECT_FALSE(taken.empty()) << name;
        for (const int key : taken)
            EXPECT_TRUE(tells(group->lines, QKeySequence(key)))
                << title << ": " << QKeySequence(key).toString().toStdString();
    }
    for (QWidget* other : QApplication::topLevelWidgets()) // what a key has opened
        if (other != &*window)
            other->close();
}

} // namespace stageloom
