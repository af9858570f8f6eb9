// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/screenshots.h"
#include "core/store/database.h"
#include "ui/main_window.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
    QApplication::setApplicationName(QStringLiteral("stageloom"));
    QApplication::setApplicationVersion(QStringLiteral("0.1.0"));
}

QSize sizeOf(int argc, char** argv)
{
    int width = 1440, height = 900;
    if (argc == 4)
        std::sscanf(argv[3], "%dx%d", &width, &height);
    return { std::clamp(width, 640, 8000), std::clamp(height, 480, 8000) };
}

} // namespace

std::optional<int> runWindowIfAsked(int argc, char** argv)
{
    const bool shots = (argc == 3 || argc == 4) && std::strcmp(argv[1], "--screenshots") == 0;
    const bool file
        = argc == 2 && argv[1][0] != '-' && QFileInfo::exists(QString::fromLocal8Bit(argv[1]));
    if (!hasDisplay() || !(argc == 1 || file || shots))
        return std::nullopt;
    const QString argument
        = argc > 1 ? QString::fromLocal8Bit(argv[shots ? 2 : argc - 1]) : QString();
    setIdentity();
    QApplication application(argc, argv);
    if (shots)
        return takeScreenshots(application, argument, sizeOf(argc, argv));
    applyTheme(application,
        static_cast<ThemeMode>(
            std::clamp(QSettings().value(QStringLiteral("theme")).toInt(), 0, 2)));
    EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    Workspace workspace(Database::defaultFile());
    MainWindow window(workspace);
    window.show();
    workspace.runs.refresh(); // attaches to a run that goes on
    if (file)
        workspace.openFile(argument);
    else
        workspace.restore();
    return QApplication::exec();
}

} // namespace stageloom
