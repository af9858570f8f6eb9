// SPDX-License-Identifier: GPL-3.0-or-later
// The window: `stageloom-window [--store FILE] [PLAN, MODEL or MACHINE]`; stageloom becomes it
// where no command is given. `--screenshots FOLDER [WIDTHxHEIGHT…] [PLAN…]` takes pictures of
// every page instead (packaging/screenshots).
#include "app/screenshots.h"
#include "core/store/database.h"
#include "ui/shell/main_window.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include <QApplication>
#include <QSettings>
#include <QStringList>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace stageloom {

namespace {

void setIdentity()
{
    QApplication::setOrganizationName(QStringLiteral("stageloom"));
    QApplication::setApplicationName(QStringLiteral("stageloom"));
    QApplication::setApplicationVersion(QStringLiteral(STAGELOOM_VERSION));
}

struct Asked {
    std::filesystem::path store = Database::defaultFile();
    QString file; // to open; empty: what was open last
    std::optional<ScreenshotWish> screenshots;
};

// Empty where the words are of another form.
std::optional<Asked> windowAsked(QStringList words)
{
    Asked asked;
    if (words.size() >= 2 && words[0] == QStringLiteral("--store")) {
        asked.store = words[1].toStdString();
        words = words.mid(2);
    }
    if (words.isEmpty())
        return asked;
    if (words[0] == QStringLiteral("--screenshots")) {
        asked.screenshots = screenshotWish(words.mid(1));
        return asked.screenshots ? std::optional(asked) : std::nullopt;
    }
    if (words.size() > 1 || words[0].startsWith(u'-'))
        return std::nullopt;
    asked.file = words[0];
    return asked;
}

int openWindow(QApplication& application, const Asked& asked)
{
    applyTheme(application,
        static_cast<ThemeMode>(
            std::clamp(QSettings().value(QStringLiteral("theme")).toInt(), 0, 2)));
    EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    Workspace workspace(asked.store);
    MainWindow window(workspace);
    window.show();
    workspace.runs.refresh(); // attaches to a run that goes on
    if (!asked.file.isEmpty())
        workspace.openFile(asked.file);
    else
        workspace.restore();
    return QApplication::exec();
}

} // namespace
} // namespace stageloom

int main(int argc, char** argv)
{
    using namespace stageloom;
    setIdentity();
    QApplication application(argc, argv);
    const std::optional<Asked> asked = windowAsked(QApplication::arguments().mid(1));
    if (!asked) {
        std::fputs("usage: stageloom-window [--store FILE] [FILE]; the commands are stageloom's, "
                   "see stageloom --help\n",
            stderr);
        return 2;
    }
    if (asked->screenshots)
        return takeScreenshots(application, *asked->screenshots, asked->store);
    return openWindow(application, *asked);
}
