// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Shortcuts names what the window's parts say of themselves.
#include "hands.h"
#include "ui/shell/main_window.h"
#include "ui/shell/shortcut_groups.h"

#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>

namespace stageloom {

namespace {

// What F1 or the question mark shows.
QString shownHelp(MainWindow& window, Qt::Key key)
{
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    QString shown;
    QTimer look; // the dialog waits for an answer
    QObject::connect(&look, &QTimer::timeout, [&] {
        if (auto* dialog = qobject_cast<ShortcutsDialog*>(QApplication::activeModalWidget())) {
            shown = dialog->findChild<QTextBrowser*>()->toPlainText();
            dialog->accept();
        }
    });
    look.start(20);
    QTest::keyClick(&window, key);
    EXPECT_TRUE(hands::waitFor([&] { return !shown.isEmpty(); }, 10'000));
    return shown;
}

QString plain(QString text)
{
    return text.replace(QChar::Nbsp, u' ');
}

TEST(Help, namesEveryKeyOfEveryPartAndMenu)
{
    const QTemporaryDir folder;
    Workspace workspace(folder.filePath(QStringLiteral("runs.sqlite")).toStdString());
    MainWindow window(workspace);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    const QString shown = shownHelp(window, Qt::Key_Question);
    const std::vector<ShortcutGroup> groups = allShortcuts(*window.menuBar());
    ASSERT_GE(groups.size(), 7U);
    for (const ShortcutGroup& group : groups) {
        EXPECT_FALSE(group.lines.empty()) << group.title.toStdString();
        for (const auto& [keys, what] : group.lines) {
            EXPECT_TRUE(plain(shown).contains(plain(keys))) << keys.toStdString();
            EXPECT_TRUE(plain(shown).contains(plain(what))) << what.toStdString();
        }
    }
    for (const char* key : { "Ctrl+O", "Ctrl+Shift+S", "Ctrl+Z", "Ctrl+5", "F11", "Ctrl+P" })
        EXPECT_TRUE(shown.contains(QLatin1String(key))) << key;
    EXPECT_EQ(shownHelp(window, Qt::Key_F1), shown);
}

} // namespace

} // namespace stageloom
