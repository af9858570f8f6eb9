// SPDX-License-Identifier: Apache-2.0
// Which folder is whose: stores beside each other, copies, and stores that take a removed one's
// name.
#include "core/base/files.h"
#include "core/store/run_folder.h"
#include "core/store/store_fixture.h"
#include "tests/support/held_process.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunFolderOwnerTest : public StoreTest {
protected:
    [[nodiscard]] Database store(const std::string& name) const
    {
        return Database::open(m_folder / name).value();
    }
    // A finished run with a folder that has something in it.
    static fs::path finishedRun(Database& database)
    {
        const RunId id = RunStore(database).createWithFolder({}).value();
        EXPECT_TRUE(RunStore(database).finish(id, RunState::Finished, {}));
        const fs::path folder = RunStore(database).get(id)->folder;
        EXPECT_TRUE(writeFileAtomically(folder / kEngineLogFile, "words"));
        return folder;
    }
    static pid_t engineIn(const fs::path& folder)
    {
        return test::forkHolder([&]() -> std::shared_ptr<void> {
            auto lock = RunLock::take(folder);
            return lock ? std::make_shared<RunLock>(std::move(*lock)) : nullptr;
        });
    }
    // A process that waits, with these words on its command line.
    static pid_t processNamed(const char* option, const char* value)
    {
        const pid_t child = ::fork();
        if (child == 0) {
            ::execl("/bin/sh", "sh", "-c", "while :; do sleep 1; done", "engine", option, value,
                static_cast<char*>(nullptr));
            ::_exit(127);
        }
        const std::string words = fmt::format("/proc/{}/cmdline", child);
        std::string line;
        while (line.find(option) == std::string::npos)
            std::getline(std::ifstream(words) >> std::ws, line);
        return child;
    }
    void copyStore(const std::string& from, const std::string& to) const
    {
        Database database = store(from);
        ASSERT_TRUE(database.mergeLog());
        fs::copy_file(m_folder / from, m_folder / to);
    }
};

} // namespace

TEST_F(RunFolderOwnerTest, storesBesideEachOtherHaveFoldersOfTheirOwn)
{
    Database a = store("a.sqlite"), b = store("b.sqlite");
    const fs::path ofA = finishedRun(a), ofB = finishedRun(b);
    EXPECT_EQ(ofA, m_folder / "a.runs" / "1");
    EXPECT_EQ(ofB, m_folder / "b.runs" / "1");
    ASSERT_TRUE(RunStore(b).remove(RunId { 1 }));
    EXPECT_FALSE(fs::exists(ofB));
    EXPECT_TRUE(fs::exists(ofA / kEngineLogFile));
}

TEST_F(RunFolderOwnerTest, twoStoresOfOneStemShareNoFolder)
{
    Database a = store("a.sqlite"), b = store("a.db");
    const fs::path ofA = finishedRun(a), ofB = finishedRun(b);
    EXPECT_EQ(ofA, m_folder / "a.runs" / "1");
    EXPECT_EQ(ofB, m_folder / "a.runs" / "2") << "an id whose folder is there is left alone";
    ASSERT_TRUE(RunStore(b).remove(RunId { 2 }));
    EXPECT_TRUE(fs::exists(ofA));
}

TEST_F(RunFolderOwnerTest, aCopyNeverRemovesOrSteersWhatIsTheOriginals)
{
    Database a = store("a.sqlite");
    const fs::path finished = finishedRun(a);
    const RunId live = RunStore(a).createWithFolder({}).value();
    const fs::path running = RunStore(a).get(live)->folder;
    const pid_t engine = engineIn(running);
    copyStore("a.sqlite", "copy.sqlite");
    copyStore("a.sqlite", "a.bak"); // the stem, and with it the place, is the original's
    for (const char* name : { "copy.sqlite", "a.bak" }) {
        Database copy = store(name);
        EXPECT_EQ(RunStore(copy).reapLost().value(), 1) << name;
        const RunRow row = RunStore(copy).get(live).value();
        EXPECT_EQ(row.state, RunState::Lost) << "so nothing can be sent to it through the copy";
        EXPECT_THAT(row.failure, HasSubstr((m_folder / "a.sqlite").string()));
        ASSERT_TRUE(RunStore(copy).remove(RunId { 1 }));
        ASSERT_TRUE(RunStore(copy).remove(live));
        EXPECT_TRUE(fs::exists(finished / kEngineLogFile)) << name;
        EXPECT_TRUE(fs::exists(running / kLockFile)) << name;
    }
    EXPECT_EQ(RunStore(a).reapLost().value(), 0);
    EXPECT_EQ(RunStore(a).get(live)->state, RunState::Running);
    test::killAndWait(engine);
}

TEST_F(RunFolderOwnerTest, aStoreThatMovesWithItsFoldersKeepsThem)
{
    fs::create_directories(m_folder / "here");
    pid_t engine = 0;
    {
        Database a = store("here/a.sqlite");
        finishedRun(a);
        const RunId live = RunStore(a).createWithFolder({}).value();
        engine = engineIn(RunStore(a).get(live)->folder);
    }
    fs::rename(m_folder / "here", m_folder / "there");
    Database a = store("there/a.sqlite");
    EXPECT_EQ(RunStore(a).reapLost().value(), 0) << "its engine's lock is found again";
    EXPECT_EQ(RunStore(a).get(RunId { 2 })->folder, (m_folder / "there/a.runs/2").string());
    ASSERT_TRUE(RunStore(a).remove(RunId { 1 }));
    EXPECT_FALSE(fs::exists(m_folder / "there/a.runs/1"));
    test::killAndWait(engine);
}

TEST_F(RunFolderOwnerTest, aStoreOfTwoNamesOrANewOneIsNoCopy)
{
    pid_t engine = 0;
    {
        Database a = store("a.sqlite");
        finishedRun(a);
        const RunId live = RunStore(a).createWithFolder({}).value();
        engine = engineIn(RunStore(a).get(live)->folder);
        ASSERT_TRUE(a.mergeLog());
    }
    fs::create_symlink("a.sqlite", m_folder / "link.sqlite");
    {
        Database link = store("link.sqlite");
        EXPECT_EQ(RunStore(link).reapLost().value(), 0);
        ASSERT_TRUE(RunStore(link).remove(RunId { 1 }));
        EXPECT_FALSE(fs::exists(m_folder / "a.runs/1"));
        EXPECT_EQ(finishedRun(link), m_folder / "a.runs" / "3");
    }
    fs::create_hard_link(m_folder / "a.sqlite", m_folder / "hard.sqlite");
    {
        Database hard = store("hard.sqlite");
        EXPECT_EQ(RunStore(hard).reapLost().value(), 0);
    }
    fs::remove(m_folder / "hard.sqlite");
    fs::rename(m_folder / "a.sqlite", m_folder / "renamed.sqlite");
    Database renamed = store("renamed.sqlite");
    EXPECT_EQ(RunStore(renamed).reapLost().value(), 0);
    EXPECT_EQ(RunStore(renamed).get(RunId { 2 })->state, RunState::Running);
    test::killAndWait(engine);
    EXPECT_EQ(RunStore(renamed).reapLost().value(), 1);
}

TEST_F(RunFolderOwnerTest, anOlderProgramsFolderIsReadAndItsRunEnds)
{
    Database a = store("a.sqlite");
    const RunId id = newRun(a);
    const fs::path old = m_folder / "runs" / "1";
    fs::create_directories(old);
    ASSERT_TRUE(RunStore(a).setFolder(id, old.string()));
    const pid_t engine = engineIn(old);
    EXPECT_EQ(RunStore(a).reapLost().value(), 0);
    EXPECT_EQ(RunStore(a).get(id)->folder, old.string());
    test::killAndWait(engine);
    EXPECT_EQ(RunStore(a).reapLost().value(), 1);
    ASSERT_TRUE(RunStore(a).remove(id));
    EXPECT_TRUE(fs::exists(old)) << "another store may have the same folder";
}

TEST_F(RunFolderOwnerTest, aRunWithoutAFolderAsksNoLockOfTheWorkingFolder)
{
    const fs::path before = fs::current_path();
    fs::create_directories(m_folder / "work");
    const pid_t engine = engineIn(m_folder / "work"); // somebody's lock that is held
    fs::current_path(m_folder / "work");
    Database a = store("a.sqlite");
    const RunId id = newRun(a);
    a.raw().exec("UPDATE runs SET started = '2020-01-01T00:00:00Z'");
    EXPECT_EQ(RunStore(a).reapLost().value(), 1);
    EXPECT_THAT(RunStore(a).get(id)->failure, HasSubstr("no folder"));
    fs::current_path(before);
    test::killAndWait(engine);
}

TEST_F(RunFolderOwnerTest, aNewStoreLeavesTheIdsOfFoldersThatAreThere)
{
    {
        Database a = store("a.sqlite");
        finishedRun(a);
        ASSERT_TRUE(writeFileAtomically(finishedRun(a) / kSpareFile, "the only copy"));
    }
    for (const char* end : { "", "-wal", "-shm" })
        fs::remove((m_folder / "a.sqlite").string() + end);
    Database fresh = store("a.sqlite");
    EXPECT_THAT(rescuedStores(fresh.file()), ElementsAre(m_folder / "a.runs/2" / kSpareFile));
    const fs::path folder = finishedRun(fresh);
    EXPECT_EQ(folder, m_folder / "a.runs" / "3");
    ASSERT_TRUE(RunStore(fresh).remove(RunId { 3 }));
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_EQ(finishedRun(fresh), m_folder / "a.runs" / "4") << "nor is an id used twice";
    EXPECT_TRUE(fs::exists(m_folder / "a.runs/1" / kEngineLogFile));
}

TEST_F(RunFolderOwnerTest, removingARunLeavesARescuedStoreOfIt)
{
    Database a = store("a.sqlite");
    const fs::path folder = finishedRun(a);
    ASSERT_TRUE(writeFileAtomically(folder / "unsaved-2.sqlite", "the only copy"));
    EXPECT_THAT(rescuedStores(a.file()), ElementsAre(folder / "unsaved-2.sqlite"));
    ASSERT_TRUE(RunStore(a).remove(RunId { 1 }));
    EXPECT_EQ(readTextFile(folder / "unsaved-2.sqlite", 100).value(), "the only copy");
    EXPECT_FALSE(fs::exists(folder / kEngineLogFile));
    fs::remove_all(m_folder / "a.runs");
    EXPECT_THAT(rescuedStores(a.file()), IsEmpty());
}

TEST_F(RunFolderOwnerTest, aFolderThatCannotBeMadeLeavesNoRun)
{
    Database a = store("a.sqlite");
    ASSERT_TRUE(writeFileAtomically(m_folder / "a.runs", "a file of that name"));
    const Result<RunId> made = RunStore(a).createWithFolder({});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr((m_folder / "a.runs").string()));
    EXPECT_THAT(RunStore(a).list().value(), IsEmpty());
}

TEST_F(RunFolderOwnerTest, aRemovedFolderDoesNotHideALivingEngine)
{
    Database a = store("a.sqlite");
    const RunId id = RunStore(a).createWithFolder({}).value();
    a.raw().exec("UPDATE runs SET started = '2020-01-01T00:00:00Z'");
    fs::remove_all(RunStore(a).get(id)->folder);
    // What its command line says is what tells an engine: this program was started without it.
    const pid_t engine = processNamed("--run", "1");
    ASSERT_TRUE(
        RunStore(a).setEnvironment(id, fmt::format(R"({{"engine":{{"pid":{}}}}})", engine)));
    EXPECT_EQ(RunStore(a).reapLost().value(), 0);
    EXPECT_EQ(RunStore(a).engineWithoutFolder(id).value(), std::optional(int(engine)));
    test::killAndWait(engine);
    EXPECT_EQ(RunStore(a).engineWithoutFolder(id).value(), std::nullopt);
    EXPECT_EQ(RunStore(a).reapLost().value(), 1);
}

// Without the powers of a superuser, which no mode keeps out.
class OrdinaryUser {
public:
    OrdinaryUser()
        : m_before(::setfsuid(65534))
    {
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;
    ~OrdinaryUser() { ::setfsuid(uid_t(m_before)); }

private:
    int m_before;
};

TEST_F(RunFolderOwnerTest, aStoreThatCannotBeWrittenIsReadAllTheSame)
{
    {
        Database a = store("a.sqlite");
        finishedRun(a);
        ASSERT_TRUE(a.mergeLog());
    }
    ASSERT_EQ(::chmod((m_folder / "a.sqlite").c_str(), 0444), 0);
    for (const mode_t folderMode : { mode_t(0777), mode_t(0555) }) { // with room for a log or not
        ASSERT_EQ(::chmod(m_folder.c_str(), folderMode), 0);
        const OrdinaryUser user;
        if (::access((m_folder / "a.sqlite").c_str(), W_OK) == 0 && ::getuid() != 0)
            GTEST_SKIP() << "this user cannot be kept out";
        EXPECT_FALSE(Database::open(m_folder / "a.sqlite"));
        Result<Database> read
            = Database::open(m_folder / "a.sqlite", Database::Mode::WriteIfPossible);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_FALSE(read->writable());
        EXPECT_EQ(RunStore(*read).list()->size(), 1u);
        EXPECT_EQ(RunStore(*read).reapLost().value(), 0);
        EXPECT_EQ(RunStore(*read).setName(RunId { 1 }, "x").error().kind, ErrorKind::Io);
    }
    ASSERT_EQ(::chmod(m_folder.c_str(), 0755), 0);
}

TEST_F(RunFolderOwnerTest, aCopyOfTheOneFileIsWholeOnceTheLogIsMerged)
{
    Database writing = store("a.sqlite"), reading = store("a.sqlite");
    finishedRun(writing);
    ASSERT_EQ(RunStore(reading).list()->size(), 1u);
    ASSERT_TRUE(writing.mergeLog()) << "although another connection is open";
    fs::copy_file(m_folder / "a.sqlite", m_folder / "copy.sqlite");
    Database copy = store("copy.sqlite");
    EXPECT_EQ(RunStore(copy).list()->size(), 1u);
}

} // namespace stageloom
