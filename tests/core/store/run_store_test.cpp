// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_folder.h"
#include "core/store/run_store.h"
#include "core/store/store_fixture.h"
#include "tests/support/held_process.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace stageloom {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using RunStoreTest = StoreTest;

// A run with a folder whose lock another process holds, as an engine does.
class ReapingTest : public StoreTest {
protected:
    RunId runWithFolder(Database& database, const std::string& log = {})
    {
        const RunId id = RunStore(database).createWithFolder({}).value();
        std::ofstream(runFolder(database.file(), id) / kEngineLogFile) << log;
        return id;
    }
    static pid_t forkLockHolder(const std::filesystem::path& folder)
    {
        return test::forkHolder([&]() -> std::shared_ptr<void> {
            auto lock = RunLock::take(folder);
            return lock ? std::make_shared<RunLock>(std::move(*lock)) : nullptr;
        });
    }
};

} // namespace

TEST_F(RunStoreTest, aNewRunKeepsWhatItWasStartedWith)
{
    Database database = open();
    RunStore store(database);
    NewRun run;
    run.name = "first";
    run.schedule = "2bw";
    run.model = "tiny";
    run.planHash = "abc";
    run.folder = "/somewhere";
    run.plannedSteps = 12;
    run.planJson = R"({"z":1,"a":2})";
    const RunId id = store.create(run).value();
    const RunRow row = store.get(id).value();
    EXPECT_EQ(row.name, "first");
    EXPECT_EQ(row.state, RunState::Running);
    EXPECT_EQ(row.started.size(), std::string("2026-01-01T00:00:00Z").size());
    EXPECT_EQ(row.ended, "");
    EXPECT_EQ(row.plannedSteps, 12);
    EXPECT_EQ(row.schedule, "2bw");
    EXPECT_EQ(row.model, "tiny");
    EXPECT_EQ(row.planHash, "abc");
    EXPECT_EQ(row.folder, "/somewhere");
    EXPECT_EQ(row.finalLoss, std::nullopt);
    EXPECT_EQ(store.plan(id)->dump(), R"({"z":1,"a":2})") << "the order of keys is kept";
    EXPECT_TRUE(store.request(id));
    EXPECT_TRUE(store.environment(id));
}

TEST_F(RunStoreTest, numbersAreUpdatedAndNotMeasuredOnesLeftAlone)
{
    Database database = open();
    RunStore store(database);
    const RunId id = newRun(database);
    RunSummary summary;
    summary.steps = 3;
    summary.finalLoss = 4.5;
    summary.bubblePredicted = 0.2;
    ASSERT_TRUE(store.update(id, summary));
    RunSummary last;
    last.steps = 5;
    last.finalLoss = 4.25;
    last.validationLoss = std::numeric_limits<double>::quiet_NaN();
    ASSERT_TRUE(store.finish(id, RunState::Stopped, last));
    const RunRow row = store.get(id).value();
    EXPECT_EQ(row.state, RunState::Stopped);
    EXPECT_EQ(row.steps, 5);
    EXPECT_EQ(row.finalLoss, 4.25);
    EXPECT_EQ(row.bubblePredicted, 0.2);
    EXPECT_EQ(row.validationLoss, std::nullopt);
    EXPECT_NE(row.ended, "");
}

TEST_F(RunStoreTest, listsTheNewestFirstWithTheirTags)
{
    Database database = open();
    RunStore store(database);
    const RunId first = newRun(database, "one"), second = newRun(database, "two");
    ASSERT_TRUE(store.setTags(first, { "zebra", "apple, red", "é" }));
    ASSERT_TRUE(store.setNotes(first, "note"));
    ASSERT_TRUE(store.setName(second, "renamed"));
    const auto rows = store.list().value();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].name, "renamed");
    EXPECT_THAT(rows[1].tags, ElementsAre("zebra", "apple, red", "é"));
    EXPECT_EQ(rows[1].notes, "note");
    ASSERT_TRUE(store.setTags(first, {}));
    EXPECT_TRUE(store.get(first)->tags.empty());
}

TEST_F(RunStoreTest, tenThousandRunsAreListedByOneQueryThatUsesIndexes)
{
    Database database = open();
    database.raw().exec(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
        "INSERT INTO runs(name, started) SELECT 'run ' || i, '' FROM n");
    database.raw().exec("INSERT INTO tags SELECT id, 0, 'tag' FROM runs");
    const auto rows = RunStore(database).list().value();
    ASSERT_EQ(rows.size(), 10000u);
    EXPECT_EQ(rows.front().name, "run 10000");
    EXPECT_THAT(rows.back().tags, ElementsAre("tag"));
    SQLite::Statement plan(database.raw(),
        "EXPLAIN QUERY PLAN SELECT tag FROM tags, runs WHERE tags.run = runs.id ORDER BY position");
    std::string text;
    while (plan.executeStep())
        text += plan.getColumn(3).getString() + "\n";
    EXPECT_THAT(text, HasSubstr("SEARCH")) << text;
}

TEST_F(RunStoreTest, anUnknownRunIsNamedWithTheRunsThatExist)
{
    Database database = open();
    RunStore store(database);
    EXPECT_THAT(store.get(RunId { 7 }).error().message, HasSubstr("is empty"));
    newRun(database);
    newRun(database);
    const Error error = store.get(RunId { 7 }).error();
    EXPECT_THAT(error.message, HasSubstr("no run 7"));
    EXPECT_THAT(error.message, HasSubstr("2, 1"));
    EXPECT_FALSE(store.setName(RunId { 7 }, "x"));
    EXPECT_FALSE(store.setTags(RunId { 7 }, { "x" }));
    EXPECT_FALSE(store.update(RunId { 7 }, {}));
    EXPECT_FALSE(store.finish(RunId { 7 }, RunState::Failed, {}));
    EXPECT_FALSE(store.plan(RunId { 7 }));
    EXPECT_FALSE(store.remove(RunId { 7 }));
    EXPECT_FALSE(store.appendLog(RunId { 7 }, {})) << "a log line belongs to a run";
}

TEST_F(RunStoreTest, keepsLogLinesInOrder)
{
    Database database = open();
    RunStore store(database);
    const RunId id = newRun(database);
    ASSERT_TRUE(store.appendLog(id, { 0.5, "info", "first" }));
    ASSERT_TRUE(store.appendLog(id, { 0.25, "warning", "second" }));
    const auto lines = store.log(id).value();
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].text, "first");
    EXPECT_EQ(lines[1].level, "warning");
    EXPECT_EQ(lines[1].time, 0.25);
}

TEST_F(ReapingTest, aRunWhoseEngineLivesIsLeftAloneAndOneWhoseEngineDiedIsLost)
{
    Database database = open();
    RunStore store(database);
    const RunId id = runWithFolder(database, "started\nkilled by the kernel\n");
    const pid_t engine = forkLockHolder(store.get(id)->folder);
    EXPECT_EQ(store.reapLost().value(), 0);
    EXPECT_EQ(store.get(id)->state, RunState::Running);
    EXPECT_EQ(store.remove(id).error().kind, ErrorKind::Busy);
    test::killAndWait(engine);
    EXPECT_EQ(store.reapLost().value(), 1);
    EXPECT_EQ(store.get(id)->state, RunState::Lost);
    EXPECT_THAT(store.get(id)->failure, HasSubstr("killed by the kernel"));
    EXPECT_NE(store.get(id)->ended, "");
    EXPECT_EQ(store.reapLost().value(), 0) << "once";
}

TEST_F(ReapingTest, aKillThatWasSeenIsAFailureUnlessTheEngineHadWrittenItsEnd)
{
    Database database = open();
    RunStore store(database);
    const RunId killed = runWithFolder(database), finished = runWithFolder(database);
    database.raw().exec("UPDATE runs SET started = '2020-01-01T00:00:00Z'");
    ASSERT_TRUE(store.finish(finished, RunState::Finished, {}));
    ASSERT_EQ(store.reapLost().value(), 1) << "by somebody who did not see it";
    ASSERT_TRUE(store.failKilled(killed, "signal 9"));
    ASSERT_TRUE(store.failKilled(finished, "signal 9"));
    EXPECT_EQ(store.get(killed)->state, RunState::Failed);
    EXPECT_EQ(store.get(killed)->failure, "signal 9");
    EXPECT_EQ(store.get(finished)->state, RunState::Finished);
}

TEST_F(ReapingTest, aRunThatIsJustBeingLaunchedHasAMinuteToLock)
{
    Database database = open();
    RunStore store(database);
    const RunId id = runWithFolder(database);
    EXPECT_EQ(store.reapLost().value(), 0);
    database.raw().exec("UPDATE runs SET started = '2020-01-01T00:00:00Z'");
    EXPECT_EQ(store.reapLost().value(), 1);
    EXPECT_EQ(store.get(id)->state, RunState::Lost);
}

TEST_F(ReapingTest, oneEngineARun)
{
    Database database = open();
    const RunId id = runWithFolder(database);
    const std::filesystem::path folder = RunStore(database).get(id)->folder;
    EXPECT_EQ(lockState(folder), LockState::Missing);
    {
        const auto lock = RunLock::take(folder);
        ASSERT_TRUE(lock);
        EXPECT_EQ(lockState(folder), LockState::Held);
        EXPECT_EQ(RunLock::take(folder).error().kind, ErrorKind::Busy);
    }
    EXPECT_EQ(lockState(folder), LockState::Free);
    EXPECT_TRUE(RunLock::take(folder));
}

TEST_F(ReapingTest, removingARunRemovesItsRowsAndItsFolder)
{
    Database database = open();
    RunStore store(database);
    const RunId id = runWithFolder(database);
    const std::filesystem::path folder = store.get(id)->folder;
    ASSERT_TRUE(store.setTags(id, { "a" }));
    ASSERT_TRUE(store.appendLog(id, { 0, "info", "x" }));
    ASSERT_TRUE(store.finish(id, RunState::Finished, {}));
    ASSERT_TRUE(store.remove(id));
    EXPECT_FALSE(std::filesystem::exists(folder));
    for (const char* table : { "runs", "tags", "log_lines", "run_documents" })
        EXPECT_EQ(
            database.raw().execAndGet(std::string("SELECT count(*) FROM ") + table).getInt(), 0)
            << table;
    const RunId stray = newRun(database);
    ASSERT_TRUE(store.setFolder(stray, m_folder.string()));
    ASSERT_TRUE(store.finish(stray, RunState::Finished, {}));
    ASSERT_TRUE(store.remove(stray));
    EXPECT_TRUE(std::filesystem::exists(m_folder)) << "only a folder that a launch made is removed";
}

TEST_F(ReapingTest, lastWordsAreTheLastLines)
{
    Database database = open();
    const RunId id = runWithFolder(database, "one\ntwo\nthree\n\n");
    const std::filesystem::path folder = RunStore(database).get(id)->folder;
    EXPECT_EQ(lastWords(folder, 2), "two\nthree");
    EXPECT_EQ(lastWords(folder, 10), "one\ntwo\nthree");
    EXPECT_EQ(lastWords(m_folder), "");
}

TEST_F(ReapingTest, theEndOfAnEngineSaysWhatIsKnown)
{
    const auto folder = m_folder / "7";
    std::filesystem::create_directories(folder);
    const auto log = folder / kEngineLogFile;
    EXPECT_NE(endOfEngine(folder).find("left no word"), std::string::npos);
    std::ofstream(log) << "warning: early\ninfo: all is well\n";
    EXPECT_EQ(endOfEngine(folder).find("well"), std::string::npos) << endOfEngine(folder);
    EXPECT_NE(endOfEngine(folder).find("memory killer"), std::string::npos);
    EXPECT_EQ(endOfEngine(folder, "signal 9 (Killed), why"),
        "the engine ended with signal 9 (Killed), why (dmesg tells; smaller microbatches or more "
        "stages need less memory)");
    EXPECT_EQ(endOfEngine(folder, "exit code 3"), "the engine ended with exit code 3");
    std::ofstream(log) << "info: all is well\nterminate called\n";
    EXPECT_EQ(endOfEngine(folder, "signal 6 (Aborted)"),
        "the engine ended with signal 6 (Aborted); the last line of its log: terminate called");
    EXPECT_EQ(endOfEngine(folder),
        "the engine's process is gone; the last line of its log: terminate called");
}

} // namespace stageloom
