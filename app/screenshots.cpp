// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshots.h"

#include "ui/shell/main_window.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include "ui/train/train_form.h"
#include "ui/train/train_page.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
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
    Camera(QApplication& application, MainWindow& window, const ScreenshotWish& wish)
        : m_application(application)
        , m_window(window)
        , m_wish(wish)
    {
    }
    // Goes before the names of the pictures that follow.
    void setSubject(const QString& subject) { m_subject = subject; }
    // The page in both themes and all sizes; false where a picture could not be written.
    bool take(int page, const QString& name)
    {
        bool written = true;
        for (const ThemeMode mode : { ThemeMode::Dark, ThemeMode::Light }) {
            applyTheme(m_application, mode);
            m_window.showPage(page);
            for (const QSize& size : m_wish.sizes) {
                m_window.resize(size);
                pause(500);
                written &= save(name, mode, size);
            }
        }
        return written;
    }

private:
    bool save(const QString& name, ThemeMode mode, const QSize& size)
    {
        const QString look
            = mode == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        const QString which = m_wish.sizes.size() > 1
            ? QStringLiteral("-%1x%2").arg(size.width()).arg(size.height())
            : QString();
        const QString file = QStringLiteral("%1/%2%3-page-%4%5.png")
                                 .arg(m_wish.folder, m_subject, name, look, which);
        if (m_window.size() != size)
            std::fprintf(stderr, "%s is %d × %d: the page is no smaller\n", qUtf8Printable(file),
                m_window.width(), m_window.height());
        if (m_window.grab().save(file))
            return true;
        std::fprintf(stderr, "%s could not be written; check the folder.\n", qUtf8Printable(file));
        return false;
    }

    QApplication& m_application;
    MainWindow& m_window;
    const ScreenshotWish& m_wish;
    QString m_subject;
};

bool takeRun(Workspace& workspace, MainWindow& window, Camera& camera)
{
    workspace.search.openSample(PlanSearch::samples().front());
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

bool takePlans(Workspace& workspace, Camera& camera, const QStringList& plans)
{
    bool written = true;
    for (const QString& file : plans) {
        if (const Status read = workspace.document.open(file); !read) {
            std::fprintf(stderr, "%s\n", read.error().message.c_str());
            written = false;
            continue;
        }
        settle(workspace);
        camera.setSubject(QFileInfo(file).fileName().section(u'.', 0, 0) + u'-');
        written &= camera.take(MainWindow::kModel, QStringLiteral("model"));
        written &= camera.take(MainWindow::kTopology, QStringLiteral("topology"));
        written &= camera.take(MainWindow::kPlan, QStringLiteral("plan"));
        written &= camera.take(MainWindow::kTrain, QStringLiteral("train"));
    }
    return written;
}

// A plan file's edits from a crash lie beside it: pictures are taken of a copy.
QStringList copies(const QStringList& plans, const QString& folder)
{
    QStringList all;
    for (const QString& plan : plans) {
        all << QDir(folder).filePath(QFileInfo(plan).fileName());
        if (!QFile::copy(plan, all.back()))
            std::fprintf(stderr, "%s cannot be read\n", qUtf8Printable(plan));
    }
    return all;
}

} // namespace

std::optional<ScreenshotWish> screenshotWish(const QStringList& words)
{
    if (words.isEmpty())
        return std::nullopt;
    ScreenshotWish wish { words.front(), {}, {} };
    static const QRegularExpression size(QStringLiteral("^(\\d{3,4})x(\\d{3,4})$"));
    for (const QString& word : words.mid(1)) {
        if (const auto match = size.match(word); match.hasMatch())
            wish.sizes.emplace_back(match.captured(1).toInt(), match.captured(2).toInt());
        else
            wish.plans << word;
    }
    if (wish.sizes.empty())
        wish.sizes.emplace_back(1440, 900);
    return wish;
}

int takeScreenshots(
    QApplication& application, const ScreenshotWish& wish, const std::filesystem::path& store)
{
    QDir().mkpath(wish.folder);
    const QTemporaryDir own; // of settings and autosaves, instead of the person's
    qputenv("XDG_DATA_HOME", own.filePath(QStringLiteral("data")).toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, own.path());
    EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    applyTheme(application, ThemeMode::Light);
    Workspace workspace(store);
    MainWindow window(workspace);
    window.resize(wish.sizes.front());
    window.show();
    Camera camera(application, window, wish);
    if (!wish.plans.isEmpty())
        return takePlans(workspace, camera, copies(wish.plans, own.path())) ? 0 : 1;
    bool written = true;
    workspace.search.openSample(PlanSearch::samples()[1]);
    settle(workspace);
    written &= camera.take(MainWindow::kModel, QStringLiteral("model"));
    written &= camera.take(MainWindow::kTopology, QStringLiteral("topology"));
    written &= camera.take(MainWindow::kPlan, QStringLiteral("plan"));
    written &= takeRun(workspace, window, camera);
    written &= takeRuns(workspace, window, camera);
    return written ? 0 : 1;
}

} // namespace stageloom
