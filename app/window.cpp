// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/commands/command.h"
#include "app/screenshots.h"
#include "core/store/database.h"
#include "ui/main_window.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace stageloom {

namespace {

bool hasDisplay()
{
    for (const char* name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return true;
    return false;
}

void setIdentity()
{
    QApplication::setOrganizationName(QStringLiteral("stageloom"));
    QApplication::setApplicationName(QStringLiteral("stageloom"));
    QApplication::setApplicationVersion(QStringLiteral("0.1.0"));
}

QSize sizeOf(const QStringList& rest)
{
    int width = 1440, height = 900;
    if (rest.size() == 2)
        std::sscanf(qPrintable(rest[1]), "%dx%d", &width, &height);
    return { std::clamp(width, 640, 8000), std::clamp(height, 480, 8000) };
}

// `stageloom [--store FILE] [PLAN, MODEL or MACHINE]`; all else is a command, also a word that is
// at once a command's name and a file's.
struct Asked {
    std::filesystem::path store = Database::defaultFile();
    QString file; // to open; empty: what was open last
    bool screenshots = false;
    QStringList rest; // FOLDER [WIDTHxHEIGHT]
};

std::optional<Asked> windowAsked(int argc, char** argv)
{
    QStringList words;
    for (int i = 1; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    Asked asked;
    if (words.size() >= 2 && words[0] == QStringLiteral("--store")) {
        asked.store = words[1].toStdString();
        words = words.mid(2);
    }
    if (words.isEmpty())
        return asked;
    if (words[0] == QStringLiteral("--screenshots") && (words.size() == 2 || words.size() == 3)) {
        asked.screenshots = true;
        asked.rest = words.mid(1);
        return asked;
    }
    if (words.size() > 1 || words[0].startsWith(u'-') || isCommandName(words[0].toStdString())
        || !QFileInfo::exists(words[0]))
        return std::nullopt;
    asked.file = words[0];
    return asked;
}

} // namespace

std::optional<int> runWindowIfAsked(int argc, char** argv)
{
    const std::optional<Asked> asked = windowAsked(argc, argv);
    if (!hasDisplay() || !asked)
        return std::nullopt;
    setIdentity();
    QApplication application(argc, argv);
    if (asked->screenshots)
        return takeScreenshots(application, asked->rest.front(), sizeOf(asked->rest));
    applyTheme(application,
        static_cast<ThemeMode>(
            std::clamp(QSettings().value(QStringLiteral("theme")).toInt(), 0, 2)));
    EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    Workspace workspace(asked->store);
    MainWindow window(workspace);
    window.show();
    workspace.runs.refresh(); // attaches to a run that goes on
    if (!asked->file.isEmpty())
        workspace.openFile(asked->file);
    else
        workspace.restore();
    return QApplication::exec();
}

} // namespace stageloom
