// SPDX-License-Identifier: Apache-2.0
#include "client/run_folder_fixture.h"
#include "core/store/run_folder.h"
#include "engine/client/child_process.h"
#include "engine/client/run_watch.h"
#include "engine/control/control_server.h"
#include "tests/support/held_process.h"

#include <condition_variable>
#include <csignal>
#include <fstream>
#include <mutex>
#include <unistd.h>

namespace stageloom {

namespace {

using namespace std::chrono_literals;

// Keeps what it hears; a test waits for it with a limit that only ends a broken test.
class Recorder : public RunListener {
public:
    void onMetrics(const MetricPoint& point) override
    {
        note([&] { m_steps.push_back(point.step); });
    }
    void onSpans(const std::vector<Span>& spans) override
    {
        note([&] { m_spans += spans.size(); });
    }
    void onLog(const LogLine& line) override
    {
        note([&] { m_log.push_back(line.text); });
    }
    void onStatus(const RunStatus& status) override
    {
        note([&] { m_phases.push_back(status.phase); });
    }
    void onEnded(RunState state, const std::string& lastWords) override
    {
        note([&] { m_ended = state, m_lastWords = lastWords, ++m_ends; });
    }
    void onSilence(double seconds) override
    {
        note([&] { m_silences.push_back(seconds); });
    }
    template <typename Condition> bool waitFor(Condition condition)
    {
        std::unique_lock lock(m_mutex);
        return m_heard.wait_for(lock, 20s, [&] { return condition(*this); });
    }
    std::vector<std::int64_t> m_steps;
    std::size_t m_spans = 0;
    std::vector<std::string> m_log, m_phases;
    RunState m_ended = RunState::Running;
    std::string m_lastWords;
    std::vector<double> m_silences;
    int m_ends = 0;

private:
    template <typename Change> void note(Change change)
    {
        const std::lock_guard lock(m_mutex);
        change();
        m_heard.notify_all();
    }
    std::mutex m_mutex;
    std::condition_variable m_heard;
};

ControlHandlers handlers(const std::string& phase = "running")
{
    return { [phase] {
                return RunStatus { phase, 1, 10, 3, 10, 9, ::getpid() };
            },
        [](ControlCommand) { return Status {}; } };
}

bool ended(const Recorder& r)
{
    return r.m_ends > 0;
}

class RunWatchTest : public RunFolderTest {
protected:
    std::shared_ptr<Recorder> m_recorder = std::make_shared<Recorder>();

    pid_t forkEngine(const std::string& log) const
    {
        return test::forkHolder([&]() -> std::shared_ptr<void> {
            struct Engine {
                Result<RunLock> lock;
                Result<std::unique_ptr<ControlServer>> server;
            };
            std::ofstream(m_folder / kEngineLogFile) << log;
            auto engine = std::make_shared<Engine>(
                Engine { RunLock::take(m_folder), ControlServer::listen(m_folder, handlers()) });
            return engine->lock && engine->server ? engine : nullptr;
        });
    }
};

} // namespace

TEST_F(RunWatchTest, hearsEverythingUpToTheEnd)
{
    auto server = ControlServer::listen(m_folder, handlers()).value();
    const auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch) << watch.error().message;
    ASSERT_TRUE(m_recorder->waitFor([](const Recorder& r) { return !r.m_phases.empty(); }))
        << "the status at the time of attaching is told";
    for (int step = 1; step <= 3; ++step) {
        server->broadcast(MetricPoint { step, 0, 0, 0, 0, 0, 0, 0, 0 });
        server->broadcast(SpansEvent { step, { Span {}, Span {} } });
    }
    server->broadcast(LogLine { 0, "info", "a line" });
    server->broadcast(EndedEvent { RunState::Finished, "" });
    server.reset();
    ASSERT_TRUE(m_recorder->waitFor(ended));
    EXPECT_EQ(m_recorder->m_ended, RunState::Finished);
    EXPECT_EQ(m_recorder->m_steps, (std::vector<std::int64_t> { 1, 2, 3 }));
    EXPECT_EQ(m_recorder->m_spans, 6u);
    EXPECT_EQ(m_recorder->m_log, std::vector<std::string> { "a line" });
    EXPECT_EQ(m_recorder->m_ends, 1);
}

TEST_F(RunWatchTest, aKilledEngineIsNoticedWithItsLastWords)
{
    const pid_t engine = forkEngine("starting\nout of memory in stage 1\n");
    const auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch) << watch.error().message;
    test::killAndWait(engine);
    ASSERT_TRUE(m_recorder->waitFor(ended));
    EXPECT_EQ(m_recorder->m_ended, RunState::Lost);
    EXPECT_NE(m_recorder->m_lastWords.find("out of memory in stage 1"), std::string::npos);
}

TEST_F(RunWatchTest, anEngineThatVanishesWithoutAWordIsLost)
{
    const pid_t engine = forkEngine("");
    const auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch);
    test::killAndWait(engine);
    ASSERT_TRUE(m_recorder->waitFor(ended));
    EXPECT_EQ(m_recorder->m_ended, RunState::Lost);
    EXPECT_NE(m_recorder->m_lastWords.find("left no word"), std::string::npos);
    EXPECT_NE(m_recorder->m_lastWords.find("memory killer"), std::string::npos);
}

// What an engine says when all is well is no reason for its end.
TEST_F(RunWatchTest, anEverydayLineIsNoLastWord)
{
    const pid_t engine = forkEngine("info: Training starts: 2 stages.\n");
    const auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch);
    test::killAndWait(engine);
    ASSERT_TRUE(m_recorder->waitFor(ended));
    EXPECT_EQ(m_recorder->m_lastWords.find("Training starts"), std::string::npos)
        << m_recorder->m_lastWords;
    EXPECT_NE(m_recorder->m_lastWords.find("left no word"), std::string::npos);
}

// The engine of a process that started it: there the signal is known, and the run has failed.
TEST_F(RunWatchTest, aKillThatItsParentSawIsTheRunsFailure)
{
    const auto file = m_folder / "runs.sqlite";
    RunId id;
    {
        Database database = Database::open(file).value();
        id = RunStore(database).createWithFolder({}).value();
    }
    m_folder = runFolder(file, id);
    const pid_t engine = forkEngine("warning: 2 stages share 1 core\n");
    leaveChild(engine);
    const auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch);
    ASSERT_TRUE(m_recorder->waitFor([](const Recorder& r) { return !r.m_phases.empty(); }));
    ::kill(engine, SIGKILL);
    ASSERT_TRUE(m_recorder->waitFor(ended));
    EXPECT_EQ(m_recorder->m_ended, RunState::Failed);
    for (const char* words :
        { "signal 9 (Killed), most often the kernel's memory killer", "share 1 core" })
        EXPECT_NE(m_recorder->m_lastWords.find(words), std::string::npos)
            << m_recorder->m_lastWords;
    Database database = Database::open(file).value();
    RunStore store(database);
    EXPECT_EQ(store.reapLost().value(), 0) << "it has its end";
    EXPECT_EQ(store.get(id)->state, RunState::Failed);
    EXPECT_EQ(store.get(id)->failure, m_recorder->m_lastWords);
    m_folder = file.parent_path();
}

TEST_F(RunWatchTest, anEngineThatStandsStillIsToldAndThenHeardAgain)
{
    const pid_t engine = forkEngine("");
    const auto watch = RunWatch::attach(m_folder, m_recorder, 2500ms);
    ASSERT_TRUE(watch);
    ASSERT_TRUE(m_recorder->waitFor([](const Recorder& r) { return r.m_phases.size() >= 3; }))
        << "the engine speaks of itself";
    ::kill(engine, SIGSTOP);
    ASSERT_TRUE(m_recorder->waitFor([](const Recorder& r) { return r.m_silences.size() >= 2; }));
    EXPECT_GE(m_recorder->m_silences[0], 2.5);
    EXPECT_GE(m_recorder->m_silences[1], m_recorder->m_silences[0] + 2.5);
    EXPECT_EQ(m_recorder->m_ends, 0) << "it is not dead";
    const std::size_t before = m_recorder->m_phases.size();
    ::kill(engine, SIGCONT);
    EXPECT_TRUE(
        m_recorder->waitFor([before](const Recorder& r) { return r.m_phases.size() > before; }));
    test::killAndWait(engine);
    ASSERT_TRUE(m_recorder->waitFor(ended));
}

TEST_F(RunWatchTest, connectsAgainToAnEngineThatLives)
{
    const auto lock = RunLock::take(m_folder);
    auto server = ControlServer::listen(m_folder, handlers()).value();
    const auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch);
    ASSERT_TRUE(m_recorder->waitFor([](const Recorder& r) { return !r.m_phases.empty(); }));
    server.reset(); // as a dropped client sees it
    server = ControlServer::listen(m_folder, handlers("paused")).value();
    ASSERT_TRUE(
        m_recorder->waitFor([](const Recorder& r) { return r.m_phases.back() == "paused"; }));
    server->broadcast(EndedEvent { RunState::Stopped, "" });
    ASSERT_TRUE(m_recorder->waitFor(ended));
    EXPECT_EQ(m_recorder->m_ended, RunState::Stopped);
}

TEST_F(RunWatchTest, letsGoOfARunThatGoesOn)
{
    const auto server = ControlServer::listen(m_folder, handlers()).value();
    auto watch = RunWatch::attach(m_folder, m_recorder);
    ASSERT_TRUE(watch);
    watch->reset();
    EXPECT_EQ(m_recorder->m_ends, 0);
    EXPECT_FALSE(RunWatch::attach(m_folder / "nowhere", m_recorder));
}

} // namespace stageloom
