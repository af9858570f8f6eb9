// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/recent_files.h"
#include "ui/state/workspace.h"

#include "inputs_fixture.h"
#include <QSignalSpy>
#include <QStandardPaths>
#include <unistd.h>

using namespace stageloom;

namespace {

class Opening : public testing::Test {
protected:
    Opening()
    {
        workspace.emplace(files.path(QStringLiteral("runs.sqlite")).toStdString());
        QObject::connect(&*workspace, &Workspace::failed,
            [this](const QString& sentence) { sentences << sentence; });
        QObject::connect(&*workspace, &Workspace::planOpened, [this] { pages << "plan"; });
        QObject::connect(&*workspace, &Workspace::modelAsked, [this] { pages << "model"; });
        QObject::connect(&*workspace, &Workspace::topologyAsked, [this] { pages << "topology"; });
    }
    // Opens and waits for what becomes of it; nothing may have happened before the call returned.
    void open(const QStringList& paths)
    {
        sentences.clear();
        pages.clear();
        workspace->openFiles(paths);
        EXPECT_TRUE(sentences.isEmpty() && pages.isEmpty()) << "read on the window's thread";
        EXPECT_TRUE(waitFor([this] { return !sentences.isEmpty() || !pages.isEmpty(); }));
    }
    QString planFile(const QString& name)
    {
        const Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
        return files.write(name, text(toJson(plan)));
    }

    Files files;
    std::optional<Workspace> workspace;
    QStringList sentences;
    QStringList pages;
};

} // namespace

TEST_F(Opening, aPlanShowsItsModelAndMachine)
{
    open({ planFile(QStringLiteral("any.name")) });
    EXPECT_EQ(pages, QStringList { QStringLiteral("plan") });
    EXPECT_EQ(workspace->document.plan().name, "small");
    ASSERT_TRUE(waitFor([this] { return workspace->model.model().has_value(); }));
    EXPECT_TRUE(workspace->topology.isPlans());
    EXPECT_TRUE(workspace->model.isModelOf(workspace->document.plan()));
}

TEST_F(Opening, mistakesGiveOneSentenceEach)
{
    const QString hole = files.write(QStringLiteral("hole.json"), "");
    ASSERT_EQ(::truncate(hole.toLocal8Bit().constData(), 2'000'000'000), 0);
    const QString empty = files.write(QStringLiteral("empty.json"), "");
    const QString picture = files.write(QStringLiteral("p.json"), QByteArray("\x89PNG\r\n\x1a\n"));
    for (const QString& path : { hole, empty, picture, files.path(QString()) }) {
        open({ path });
        ASSERT_EQ(sentences.size(), 1) << path.toStdString();
        EXPECT_TRUE(sentences[0].endsWith(u'.') && !sentences[0].contains(u'\n'));
        EXPECT_TRUE(pages.isEmpty());
    }
    open({ hole, empty, picture });
    ASSERT_EQ(sentences.size(), 1);
    EXPECT_EQ(sentences[0].split(u'\n').size(), 3);
    EXPECT_FALSE(workspace->document.isOpen());
}

TEST_F(Opening, severalFilesShowOneOfEachKind)
{
    const QString config = files.write(QStringLiteral("config.json"), kSmallConfig);
    const QString machine
        = files.write(QStringLiteral("machine"), text(toJson(*readTopology("dgx-a100"))));
    open({ config, machine });
    EXPECT_EQ(pages, QStringList { QStringLiteral("topology") });
    EXPECT_TRUE(sentences.isEmpty());
    EXPECT_EQ(workspace->model.model()->layers.size(), 6u);
    EXPECT_EQ(workspace->topology.topology()->devices.size(), 8u);
    open({ planFile(QStringLiteral("a")), planFile(QStringLiteral("b")) });
    EXPECT_EQ(pages, QStringList { QStringLiteral("plan") });
    ASSERT_EQ(sentences.size(), 1);
    EXPECT_TRUE(sentences[0].startsWith(QStringLiteral("b was not opened")));
}

TEST_F(Opening, manyFilesAreNotAllRead)
{
    QStringList paths;
    for (int i = 0; i < 40; ++i)
        paths << files.write(QStringLiteral("%1.json").arg(i), "");
    open(paths);
    EXPECT_EQ(sentences.value(0).split(u'\n').size(), 17);
    EXPECT_TRUE(sentences.value(0).contains(QStringLiteral("24 more file")));
}

TEST_F(Opening, anEditedPlanIsReplacedOnlyWithConsent)
{
    open({ planFile(QStringLiteral("a")) });
    Plan edited = workspace->document.plan();
    edited.microbatches = 8;
    workspace->document.edit(QStringLiteral("edit"), edited);
    int asked = 0;
    workspace->search.mayReplace = [&] {
        ++asked;
        return false;
    };
    workspace->openFile(planFile(QStringLiteral("b")));
    ASSERT_TRUE(waitFor([&] { return asked == 1; }));
    EXPECT_EQ(workspace->document.plan().microbatches, 8);
    // A machine only to look at takes nobody's place.
    open({ files.write(QStringLiteral("machine"), text(toJson(*readTopology("cpu:3")))) });
    EXPECT_EQ(asked, 1);
}

TEST_F(Opening, aLastPlanThatCannotBeReadIsSaidAndNothingTakesItsPlace)
{
    const QString file = planFile(QStringLiteral("last"));
    open({ file });
    ASSERT_EQ(recent::lastPlan(), file);
    for (const bool there : { true, false }) {
        if (there)
            files.write(QFileInfo(file).fileName(), "{ \"stages\": half of it");
        else
            QFile::remove(file);
        Workspace next(files.path(QStringLiteral("runs.sqlite")).toStdString());
        QStringList said;
        QObject::connect(&next, &Workspace::failed, &next, [&](const QString& s) { said << s; });
        next.restore();
        ASSERT_EQ(said.size(), 1);
        EXPECT_TRUE(said[0].contains(QStringLiteral("plan that was open last")));
        EXPECT_TRUE(said[0].contains(QFileInfo(file).fileName()));
        EXPECT_FALSE(next.document.isOpen());
        EXPECT_FALSE(next.planner.isBusy());
        EXPECT_EQ(recent::lastPlan(), file); // the next start looks for it again
    }
    recent::rememberLastPlan({});
}

TEST_F(Opening, aRemovedDeviceIsAnEditOfThePlanThatUndoes)
{
    open({ planFile(QStringLiteral("a")) });
    workspace->topology.remove(1);
    EXPECT_EQ(workspace->document.plan().depth(), 1);
    EXPECT_EQ(workspace->topology.topology()->devices.size(), 1u);
    EXPECT_EQ(workspace->document.undoStack().undoText(), QStringLiteral("Remove Worker 1"));
    workspace->document.undoStack().undo();
    EXPECT_EQ(workspace->document.plan().depth(), 2);
    EXPECT_EQ(workspace->topology.topology()->devices.size(), 2u);
    EXPECT_TRUE(workspace->topology.isPlans());
}

TEST_F(Opening, layerTimesReachThePlanOnWorkersOnly)
{
    open({ planFile(QStringLiteral("a")) });
    ASSERT_TRUE(waitFor([this] { return workspace->model.model().has_value(); }));
    Json times { { "unit", "ms" }, { "layers", Json::array() } };
    for (int i = 0; i < 6; ++i)
        times["layers"].push_back({ { "forward", 1 + i }, { "backward", 2 } });
    const QString file = files.write(QStringLiteral("times.json"), text(times));
    open({ file });
    EXPECT_TRUE(sentences.isEmpty());
    ASSERT_TRUE(workspace->document.plan().profile);
    EXPECT_DOUBLE_EQ(workspace->document.plan().profile->layers[5].forward, 6e-3);
    EXPECT_TRUE(waitFor([this] {
        return workspace->predictor.prediction()
            && workspace->predictor.prediction()->measuredTimes;
    }));
    workspace->document.undoStack().undo();
    workspace->topology.show(*readTopology("rtx4090:2"));
    workspace->useShownMachine();
    open({ file });
    EXPECT_FALSE(workspace->document.plan().profile);
    EXPECT_TRUE(workspace->model.profile());
}

TEST_F(Opening, layerTimesOfAnotherModelAreRefused)
{
    open({ files.write(QStringLiteral("t.json"), R"({"layers":[{"forward":1,"backward":2}]})") });
    ASSERT_EQ(sentences.size(), 1);
    EXPECT_TRUE(sentences[0].contains(QStringLiteral("open the model")));
}
