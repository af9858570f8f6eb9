// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "core/store/database.h"
#include "ui/main_window.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include <QApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
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

// Waits for what the window does in the background to show; gives up after some seconds.
void settle(const Workspace& workspace)
{
    QDeadlineTimer first(300), limit(20000);
    while (!limit.hasExpired()
        && (!first.hasExpired() || workspace.planner.isBusy() || workspace.predictor.isBusy()))
        QApplication::processEvents(QEventLoop::AllEvents, 20);
}

int takeScreenshots(QApplication& application, const QString& folder)
{
    QDir().mkpath(folder);
    Workspace workspace(Database::defaultFile());
    EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    applyTheme(application, ThemeMode::Light);
    MainWindow window(workspace);
    window.show();
    workspace.openSample(Workspace::samples()[1]);
    settle(workspace);
    const char* names[] = { "model", "topology", "plan", "train", "runs" };
    for (const ThemeMode mode : { ThemeMode::Light, ThemeMode::Dark }) {
        applyTheme(application, mode);
        for (int page = 0; page < window.pageCount(); ++page) {
            window.showPage(page);
            settle(workspace);
            const QString file = QStringLiteral("%1/%2-page-%3.png")
                                     .arg(folder, QLatin1String(names[page]),
                                         mode == ThemeMode::Light ? QStringLiteral("light")
                                                                  : QStringLiteral("dark"));
            if (!window.grab().save(file))
                return 1;
        }
    }
    return 0;
}

} // namespace

std::optional<int> runWindowIfAsked(int argc, char** argv)
{
    const bool shots = argc == 3 && std::strcmp(argv[1], "--screenshots") == 0;
    const bool file
        = argc == 2 && argv[1][0] != '-' && QFileInfo::exists(QString::fromLocal8Bit(argv[1]));
    if (!hasDisplay() || !(argc == 1 || file || shots))
        return std::nullopt;
    const QString argument = argc > 1 ? QString::fromLocal8Bit(argv[argc - 1]) : QString();
    setIdentity();
    QApplication application(argc, argv);
    if (shots)
        return takeScreenshots(application, argument);
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
