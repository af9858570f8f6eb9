// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Shortcuts names what the window's parts say of themselves.
#include "hands.h"
#include "ui/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QMessageBox>
#include <QTemporaryDir>
#include <QTimer>

namespace stageloom {

namespace {

TEST(Help, namesEveryKeyOfTheTimeline)
{
    const QTemporaryDir folder;
    Workspace workspace(folder.filePath(QStringLiteral("runs.sqlite")).toStdString());
    MainWindow window(workspace);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    QString shown;
    QTimer look; // the box waits for an answer
    QObject::connect(&look, &QTimer::timeout, [&] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            shown = box->text();
            box->accept();
        }
    });
    look.start(20);
    QTest::keyClick(&window, Qt::Key_F1);
    ASSERT_TRUE(hands::waitFor([&] { return !shown.isEmpty(); }, 10'000));
    ASSERT_GE(TimelineView::shortcuts().size(), 10U);
    for (const auto& [keys, what] : TimelineView::shortcuts()) {
        EXPECT_TRUE(shown.contains(keys.toHtmlEscaped())) << keys.toStdString();
        EXPECT_TRUE(shown.contains(what.toHtmlEscaped())) << what.toStdString();
    }
}

} // namespace

} // namespace stageloom
