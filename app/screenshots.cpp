// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshots.h"

#include "core/store/database.h"
#include "ui/shell/main_window.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include "ui/train/train_form.h"
#include "ui/train/train_page.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QSettings>
#include <cstdio>
#include <functional>

namespace stageloom {

namespace {

constexpr int kRunSteps = 240, kShownAt = 120; // batches

void pause(int milliseconds)
{
    const QDeadlineTimer end(milliseconds);
    while (!end.hasExpired())
        QApplication::processEvents(QEventLoop::AllEvents, 10);
}

bool waitFor(const std::function<bool()>& done, int milliseconds)
{
    const QDeadlineTimer limit(milliseconds);
    while (!done() && !limit.hasExpired())
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    return done();
}

void settle(const Workspace& workspace)
{
    pause(400);
    waitFor([&] { return !workspace.planner.isBusy() && !workspace.predictor.isBusy(); }, 20000);
    pause(200);
}

class Camera {
public:
    Camera(QApplication& application, MainWindow& window, const QString& folder)
        : m_application(application)
        , m_window(window)
        , m_folder(folder)
    {
    }
    // The page in both themes; false where a picture could not be written.
    bool take(int page, const QString& name)
    {
        bool written = true;
        for (const ThemeMode mode : { ThemeMode::Dark, ThemeMode::Light }) {
            applyTheme(m_application, mode);
            m_window.showPage(page);
            pause(500);
            const QString look
                = mode == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
            const QString file = QStringLiteral("%1/%2-page-%3.png").arg(m_folder, name, look);
            if (!m_window.grab().save(file)) {
                std::fprintf(
                    stderr, "%s could not be written; check the folder.\n", qUtf8Printable(file));
                written = false;
            }
        }
        return written;
    }

private:
    QApplication& m_application;
    MainWindow& m_window;
    QString m_folder;
};

bool takeRun(Workspace& workspace, MainWindow& window, Camera& camera)
{
    workspace.openSample(Workspace::samples().front());
    settle(workspace);
    // Measured layer times first, as a careful person does: the prediction is of this machine then.
    workspace.profileShownModel();
    waitFor([&] { return !workspace.profiling.isRunning(); }, 120000);
    settle(workspace);
    workspace.document.adopt(Plan(workspace.document.plan()));
    settle(workspace);
    auto* train = window.findChild<TrainPage*>();
    window.showPage(MainWindow::kTrain);
    train->form().setSteps(kRunSteps);
    bool ended = false;
    QObject::connect(&workspace.live, &LiveRun::ended, &window, [&ended] { ended = true; });
    train->start();
    waitFor([&] { return ended || workspace.live.points().size() > kShownAt; }, 120000);
    if (!workspace.live.isActive()) {
        std::fprintf(stderr, "No run could be shown: %s\n",
            ended ? "it ended too soon" : "the engine did not start");
        return camera.take(MainWindow::kTrain, QStringLiteral("train"));
    }
    workspace.live.pause();
    waitFor([&] { return workspace.live.isPaused(); }, 10000);
    workspace.live.resume();
    pause(1000);
    const bool written = camera.take(MainWindow::kTrain, QStringLiteral("train"));
    waitFor([&] { return ended; }, 120000);
    return written;
}

bool takeRuns(Workspace& workspace, MainWindow& window, Camera& camera)
{
    workspace.runs.refresh();
    window.showPage(MainWindow::kRuns);
    waitFor([&] { return !workspace.runs.entries()->empty(); }, 5000);
    pause(500);
    for (auto* view : window.findChildren<QAbstractItemView*>())
        if (view->isVisible() && view->accessibleName() == QStringLiteral("Runs"))
            view->selectAll();
    pause(1000);
    return camera.take(MainWindow::kRuns, QStringLiteral("runs"));
}

} // namespace

int takeScreenshots(QApplication& application, const QString& folder, const QSize& size)
{
    QDir().mkpath(folder);
    EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    applyTheme(application, ThemeMode::Light);
    Workspace workspace(Database::defaultFile());
    MainWindow window(workspace);
    window.resize(size);
    window.show();
    Camera camera(application, window, folder);
    bool written = true;
    workspace.openSample(Workspace::samples()[1]);
    settle(workspace);
    written &= camera.take(MainWindow::kModel, QStringLiteral("model"));
    written &= camera.take(MainWindow::kTopology, QStringLiteral("topology"));
    written &= camera.take(MainWindow::kPlan, QStringLiteral("plan"));
    written &= takeRun(workspace, window, camera);
    written &= takeRuns(workspace, window, camera);
    return written ? 0 : 1;
}

} // namespace stageloom
