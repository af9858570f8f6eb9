// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the real engine as the window's state sees it, without a window.
#include "ui/inputs/inputs_fixture.h"
#include "ui/state/live_run.h"
#include "ui/state/run_fields.h"

#include <QSignalSpy>
#include <csignal>

namespace stageloom {

namespace {

class LiveRunTest : public testing::Test {
protected:
    LiveRunTest()
    {
        QByteArray words;
        for (int i = 0; i < 4000; ++i)
            words += "the loom weaves ";
        request.name = "live";
        request.plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
        Json config = request.plan.modelConfig;
        config["vocab_size"] = 256; // bytes
        request.plan.modelConfig = config;
        request.dataPath = files.write(QStringLiteral("text.txt"), words).toStdString();
        request.steps = 100'000; // stopped long before
    }
    ~LiveRunTest() override
    {
        if (live.isActive())
            live.stopNow();
        waitFor([this] { return !live.isActive(); });
    }
    void launch() { live.launch(request, store); }

    Files files;
    const std::filesystem::path store = files.path(QStringLiteral("runs.sqlite")).toStdString();
    TrainRequest request;
    LiveRun live;
    QSignalSpy started { &live, &LiveRun::started }, ended { &live, &LiveRun::ended },
        failed { &live, &LiveRun::failed }, history { &live, &LiveRun::historyRead };
};

} // namespace

TEST_F(LiveRunTest, isFollowedPausedAndStopped)
{
    launch();
    EXPECT_TRUE(live.isLaunching());
    EXPECT_EQ(live.name(), QStringLiteral("live"));
    ASSERT_TRUE(waitFor([this] { return live.points().size() >= 3; }));
    ASSERT_TRUE(live.request());
    EXPECT_EQ(live.request()->steps, request.steps);
    live.pause();
    ASSERT_TRUE(waitFor([this] { return live.isPaused(); }));
    live.resume();
    ASSERT_TRUE(waitFor([this] { return !live.isPaused(); }));
    live.stopAfterBatch();
    ASSERT_TRUE(waitFor([this] { return !ended.isEmpty(); }));
    EXPECT_FALSE(live.isActive());
    EXPECT_EQ(live.endWords(), stateWord(RunState::Stopped));
    for (std::size_t i = 1; i < live.points().size(); ++i)
        EXPECT_GE(live.points()[i].step, live.points()[i - 1].step); // in order
}

TEST_F(LiveRunTest, aStopBeforeTheEngineAnswersIsNotLost)
{
    launch();
    live.stopAfterBatch(); // nobody is there to hear it yet
    ASSERT_TRUE(waitFor([this] { return !ended.isEmpty(); }));
    EXPECT_TRUE(failed.isEmpty());
    EXPECT_LT(live.points().size(), 50U);
}

TEST_F(LiveRunTest, pausesAndResumesArriveInTheOrderTheyWereAskedFor)
{
    launch();
    live.pause(); // also those that nobody hears yet
    live.resume();
    ASSERT_TRUE(waitFor([this] { return live.points().size() >= 2; }));
    for (int i = 0; i < 8; ++i) {
        live.resume();
        live.pause();
    }
    ASSERT_TRUE(waitFor([this] { return live.isPaused() && live.isQuiet(); }));
    for (int i = 0; i < 8; ++i) {
        live.pause();
        live.resume();
    }
    ASSERT_TRUE(waitFor([this] { return !live.isPaused() && live.isQuiet(); }));
    live.pause();
    live.stopAfterBatch();
    ASSERT_TRUE(waitFor([this] { return !ended.isEmpty(); }));
    EXPECT_TRUE(failed.isEmpty());
    EXPECT_EQ(live.endWords(), stateWord(RunState::Stopped));
}

TEST_F(LiveRunTest, attachingReadsWhatCameBefore)
{
    launch();
    ASSERT_TRUE(waitFor([this] { return live.points().size() >= 5; }));
    const RunId id = live.id();
    live.detach();
    EXPECT_FALSE(live.isActive());
    started.clear();
    std::filesystem::path folder;
    {
        Database database = *Database::open(store);
        folder = RunStore(database).get(id)->folder;
    }
    live.attach(folder, id, QStringLiteral("live"), store);
    ASSERT_TRUE(waitFor([this] { return !started.isEmpty() && !history.isEmpty(); }));
    ASSERT_TRUE(waitFor([this] { return !live.points().empty(); }));
    EXPECT_EQ(live.points().front().step, 1);
    const auto log = history[0][0].value<std::vector<LogLine>>();
    ASSERT_FALSE(log.empty());
    EXPECT_NE(log.front().text.find("Training starts"), std::string::npos);
}

TEST_F(LiveRunTest, aFrozenEngineIsSaidToBeSilentUntilItIsHeard)
{
    launch();
    ASSERT_TRUE(waitFor([this] { return live.status().pid > 0 && !live.points().empty(); }));
    EXPECT_EQ(live.silence(), 0);
    const int engine = live.status().pid;
    ASSERT_EQ(::kill(engine, SIGSTOP), 0);
    EXPECT_TRUE(waitFor([this] { return live.silence() > 0; }));
    ASSERT_EQ(::kill(engine, SIGCONT), 0);
    EXPECT_TRUE(waitFor([this] { return live.silence() == 0; }));
}

TEST_F(LiveRunTest, aRunThatIsNotThereIsASentenceAndNotTriedAgain)
{
    live.attach(files.path(QStringLiteral("absent")).toStdString(), RunId { 7 },
        QStringLiteral("gone"), store);
    EXPECT_TRUE(live.isActive());
    ASSERT_TRUE(waitFor([this] { return !failed.isEmpty(); }));
    EXPECT_FALSE(live.isActive());
    EXPECT_EQ(live.unreachable(), RunId { 7 });
}

TEST_F(LiveRunTest, aLaunchThatFailsLeavesNothingBusy)
{
    request.dataPath = "/absent/text";
    QSignalSpy status(&live, &LiveRun::statusChanged);
    launch();
    ASSERT_TRUE(waitFor([this] { return !failed.isEmpty() || !ended.isEmpty(); }));
    ASSERT_TRUE(waitFor([this] { return !live.isActive(); }));
    EXPECT_GE(status.size(), 2); // the last one tells that it is over
}

} // namespace stageloom
