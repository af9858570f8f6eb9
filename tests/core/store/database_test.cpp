// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"
#include "core/store/migrations.h"
#include "core/store/store_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace {

using testing::HasSubstr;
using DatabaseTest = StoreTest;
using MigrationsTest = StoreTest;

int versionOf(const Database& database)
{
    return database.raw().execAndGet("SELECT max(version) FROM schema_versions").getInt();
}

void claimVersion(const Database& database, int version, int minReadable)
{
    database.raw().exec(
        fmt::format("INSERT INTO schema_versions VALUES ({}, {}, 'from the future', '')", version,
            minReadable));
}

} // namespace

TEST_F(DatabaseTest, isMadeWithItsFolderAndItsSettings)
{
    m_file = m_folder / "a" / "b" / "runs.sqlite";
    const Database database = open();
    EXPECT_TRUE(std::filesystem::exists(m_file));
    EXPECT_EQ(database.raw().execAndGet("PRAGMA journal_mode").getString(), "wal");
    EXPECT_EQ(database.raw().execAndGet("PRAGMA foreign_keys").getInt(), 1);
    EXPECT_EQ(database.raw().execAndGet("PRAGMA busy_timeout").getInt(), 5000);
    EXPECT_EQ(versionOf(database), storeMigrations().back().version);
}

TEST_F(DatabaseTest, everyWrongFileIsOneClearSentence)
{
    EXPECT_THAT(Database::open(m_folder).error().message, HasSubstr("is a folder"));
    EXPECT_THAT(Database::open("").error().message, HasSubstr("empty"));
    EXPECT_THAT(
        Database::open(m_file, Database::Mode::ReadOnly).error().message, HasSubstr("there is no"));

    std::ofstream(m_file) << std::string(4096, 'x');
    EXPECT_THAT(Database::open(m_file).error().message, HasSubstr("no SQLite database"));
    EXPECT_THAT(Database::open(m_file / "below" / "runs.sqlite").error().message,
        HasSubstr("cannot make the folder"));

    const auto other = m_folder / "other.sqlite";
    SQLite::Database(other.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE t(a)");
    EXPECT_THAT(Database::open(other).error().message, HasSubstr("another program"));
}

TEST_F(DatabaseTest, aDamagedFileIsAnErrorNotACrash)
{
    {
        Database database = open();
        for (int i = 0; i < 200; ++i)
            newRun(database, std::string(200, 'n'));
        database.raw().exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    {
        std::fstream file(m_file, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4096); // the first page holds the header and stays
        file << std::string(std::size_t(std::filesystem::file_size(m_file)) - 4096, '\xaa');
    }
    Result<Database> database = Database::open(m_file);
    if (!database) {
        EXPECT_THAT(database.error().message, HasSubstr("damaged"));
        return;
    }
    const auto rows = RunStore(*database).list();
    ASSERT_FALSE(rows);
    EXPECT_THAT(rows.error().message, HasSubstr("damaged"));
}

TEST_F(DatabaseTest, aReadOnlyConnectionReadsAndRefusesToWrite)
{
    Database writing = open();
    newRun(writing);
    Database reading = open(Database::Mode::ReadOnly);
    EXPECT_EQ(RunStore(reading).list()->size(), 1u);
    EXPECT_THAT(RunStore(reading).create({}).error().message, HasSubstr("read-only"));
}

TEST_F(DatabaseTest, twoConnectionsWriteAtTheSameTime)
{
    {
        const Database made = open();
    }
    const auto write = [this] {
        Database database = open();
        for (int i = 0; i < 50; ++i)
            newRun(database);
    };
    std::thread first(write), second(write);
    first.join();
    second.join();
    Database database = open();
    EXPECT_EQ(RunStore(database).list()->size(), 100u);
}

TEST_F(DatabaseTest, aKillInTheMiddleOfATransactionLosesNothingCommitted)
{
    {
        Database database = open();
    }
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        Database database = open();
        newRun(database, "committed");
        database.raw().exec("BEGIN IMMEDIATE");
        database.raw().exec("INSERT INTO runs(name, started) VALUES ('torn', '')");
        [[maybe_unused]] const ssize_t n = ::write(ready[1], "y", 1);
        ::alarm(60);
        for (;;)
            ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    if (child > 0) // never kill(-1)
        ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    Database database = open();
    const auto rows = RunStore(database).list();
    ASSERT_EQ(rows->size(), 1u);
    EXPECT_EQ(rows->front().name, "committed");
    newRun(database, "after");
    EXPECT_EQ(database.raw().execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(MigrationsTest, aSecondStartChangesNothing)
{
    std::string applied;
    {
        Database database = open();
        newRun(database);
        applied = database.raw()
                      .execAndGet("SELECT group_concat(version || applied) FROM schema_versions")
                      .getString();
    }
    Database database = open();
    EXPECT_EQ(RunStore(database).list()->size(), 1u);
    EXPECT_EQ(database.raw()
                  .execAndGet("SELECT group_concat(version || applied) FROM schema_versions")
                  .getString(),
        applied);
}

TEST_F(MigrationsTest, anOlderFileIsBroughtUpStepByStep)
{
    Database database = open();
    newRun(database, "kept");
    const int ours = storeMigrations().back().version;
    std::vector<Migration> steps = storeMigrations();
    steps.push_back({ ours + 1, ours, "a colour",
        "ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'" });
    steps.push_back({ ours + 2, ours + 1, "another", "UPDATE runs SET colour = 'blue'" });
    ASSERT_TRUE(migrate(database, steps));
    EXPECT_EQ(database.raw().execAndGet("SELECT colour FROM runs WHERE name = 'kept'").getString(),
        "blue");
    EXPECT_EQ(versionOf(database), ours + 2);
}

TEST_F(MigrationsTest, aNewerFileOpensWhereItSaysThatItMay)
{
    const int ours = storeMigrations().back().version;
    {
        Database database = open();
        claimVersion(database, ours + 5, ours);
    }
    Database database = open();
    newRun(database);
    EXPECT_EQ(versionOf(database), ours + 5) << "its version is left alone";
    EXPECT_TRUE(Database::open(m_file, Database::Mode::ReadOnly));
}

TEST_F(MigrationsTest, aNewerFileThatThisProgramCannotReadIsRefused)
{
    const int ours = storeMigrations().back().version;
    {
        Database database = open();
        claimVersion(database, ours + 5, ours + 1);
    }
    for (const auto mode : { Database::Mode::ReadWrite, Database::Mode::ReadOnly }) {
        const Result<Database> refused = Database::open(m_file, mode);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
        EXPECT_THAT(refused.error().message, HasSubstr("update stageloom"));
    }
}

TEST_F(MigrationsTest, aStepThatFailsLeavesTheFileAsItWas)
{
    Database database = open();
    const int ours = storeMigrations().back().version;
    std::vector<Migration> steps = storeMigrations();
    steps.push_back({ ours + 1, 1, "half of it works",
        "CREATE TABLE extra(a); INSERT INTO nowhere VALUES (1)" });
    const Status failed = migrate(database, steps);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr("half of it works"));
    EXPECT_FALSE(database.raw().tableExists("extra"));
    EXPECT_EQ(versionOf(database), ours);
    newRun(database);
}

TEST_F(MigrationsTest, anOlderFileIsNotReadWithoutWriting)
{
    Database database = open();
    std::vector<Migration> steps = storeMigrations();
    steps.push_back({ steps.back().version + 1, 1, "next", "CREATE TABLE extra(a)" });
    EXPECT_THAT(checkReadable(database, steps).error().message, HasSubstr("older schema version"));
}

} // namespace stageloom
