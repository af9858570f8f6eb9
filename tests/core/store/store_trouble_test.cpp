// SPDX-License-Identifier: Apache-2.0
// A store that takes nothing for a while, or no more: nothing of a run may be lost in silence.
#include "core/store/metric_store.h"
#include "core/store/run_folder.h"
#include "core/store/store_fixture.h"
#include "core/store/store_writer.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

namespace stageloom {

namespace {

using namespace std::chrono_literals;
using Kind = StoreNotice::Kind;

// Keeps what the writer says; a test waits for it with a limit that only ends a broken test.
class Notices {
public:
    void hear(const StoreNotice& notice)
    {
        const std::lock_guard lock(m_mutex);
        m_all.push_back(notice);
        m_heard.notify_all();
    }
    std::string waitFor(Kind kind)
    {
        std::unique_lock lock(m_mutex);
        std::string text;
        m_heard.wait_for(lock, 20s, [&] {
            for (const StoreNotice& notice : m_all)
                if (notice.kind == kind)
                    text = notice.text;
            return !text.empty();
        });
        return text;
    }
    int count(Kind kind)
    {
        const std::lock_guard lock(m_mutex);
        return int(std::count_if(m_all.begin(), m_all.end(),
            [&](const StoreNotice& notice) { return notice.kind == kind; }));
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_heard;
    std::vector<StoreNotice> m_all;
};

RunSummary stepsDone(std::int64_t steps)
{
    RunSummary summary;
    summary.steps = steps;
    return summary;
}

class StoreTroubleTest : public StoreTest {
protected:
    void SetUp() override
    {
        StoreTest::SetUp();
        Database database = open();
        m_other = newRun(database, "another run");
        m_run = newRun(database);
        std::filesystem::create_directories(m_runFolder = m_folder / "runs" / "2");
        std::ofstream(m_noFolder = m_folder / "file") << "no folder";
    }
    std::unique_ptr<StoreWriter> writer(std::size_t maxDroppable = 1000) const
    {
        StoreWriter::Options options;
        options.firstRetry = options.longestRetry = 5ms;
        options.busyTimeout = 5ms;
        options.look = 5ms;
        options.maxDroppable = maxDroppable;
        auto made = StoreWriter::start(m_file, options).value();
        made->listen([notices = m_notices](const StoreNotice& notice) { notices->hear(notice); });
        return made;
    }
    [[nodiscard]] SparePlace spare() const
    {
        NewRun run;
        run.name = "a run";
        run.id = m_run;
        return { run, { m_noFolder, m_runFolder } };
    }
    // A point and as many spans a step.
    void postSteps(StoreWriter& writer, int first, int last, std::size_t spans = 0) const
    {
        for (int step = first; step <= last; ++step) {
            MetricPoint point;
            point.step = step;
            point.loss = 1.0 / step;
            writer.post([run = m_run, point](Database& database) {
                return MetricStore(database).append(run, { point });
            });
            if (spans > 0)
                writer.postDroppable(
                    [run = m_run](Database& database) {
                        return RunStore(database).appendLog(run, { 0, "info", "spans" });
                    },
                    spans);
        }
    }
    [[nodiscard]] std::vector<std::int64_t> steps(const std::filesystem::path& file) const
    {
        Database database = Database::open(file).value();
        std::vector<std::int64_t> found;
        const auto points = MetricStore(database).read(m_run).value();
        for (const MetricPoint& point : points)
            found.push_back(point.step);
        return found;
    }
    static std::vector<std::int64_t> upTo(std::int64_t last)
    {
        std::vector<std::int64_t> steps;
        for (std::int64_t step = 1; step <= last; ++step)
            steps.push_back(step);
        return steps;
    }
    RunId m_other, m_run;
    std::filesystem::path m_runFolder, m_noFolder;
    std::shared_ptr<Notices> m_notices = std::make_shared<Notices>();
};

} // namespace

TEST_F(StoreTroubleTest, whatALockedStoreDidNotTakeIsWrittenOnceItIsFree)
{
    const auto writer = this->writer();
    postSteps(*writer, 1, 9);
    ASSERT_TRUE(writer->flush());
    Database holder = open();
    holder.raw().exec("BEGIN EXCLUSIVE");
    postSteps(*writer, 10, 30);
    const std::string warning = m_notices->waitFor(Kind::Failing);
    EXPECT_NE(warning.find(m_file.string()), std::string::npos) << warning;
    EXPECT_NE(warning.find("locked"), std::string::npos) << warning;
    postSteps(*writer, 31, 40);
    holder.raw().exec("ROLLBACK");
    EXPECT_NE(m_notices->waitFor(Kind::Recovered), "");
    ASSERT_TRUE(writer->settle(20s));
    EXPECT_EQ(steps(m_file), upTo(40));
    EXPECT_EQ(m_notices->count(Kind::Failing), 1) << "told once, however often it is tried";
    EXPECT_EQ(m_notices->count(Kind::Recovered), 1);
}

TEST_F(StoreTroubleTest, aLongLockCostsOldSpansAndSaysHowMany)
{
    const auto writer = this->writer(100);
    Database holder = open();
    holder.raw().exec("BEGIN EXCLUSIVE");
    postSteps(*writer, 1, 20, 10); // 200 spans, room for 100
    m_notices->waitFor(Kind::Failing);
    postSteps(*writer, 21, 21, 10);
    // What is being tried counts once it is back in the queue.
    for (int i = 0; i < 2000 && writer->droppedItems() < 110; ++i)
        std::this_thread::sleep_for(5ms);
    holder.raw().exec("ROLLBACK");
    const std::string text = m_notices->waitFor(Kind::Recovered);
    EXPECT_NE(text.find("110 spans"), std::string::npos) << text;
    ASSERT_TRUE(writer->settle(20s));
    EXPECT_EQ(steps(m_file), upTo(21));
    Database database = open();
    EXPECT_EQ(RunStore(database).log(m_run)->size(), 10u);
}

TEST_F(StoreTroubleTest, aStoreThatStaysLockedLeavesTheWholeRunInASpareStore)
{
    const auto writer = this->writer();
    writer->setSpare(spare());
    postSteps(*writer, 1, 9);
    ASSERT_TRUE(writer->flush());
    Database holder = open();
    holder.raw().exec("BEGIN EXCLUSIVE");
    postSteps(*writer, 10, 31);
    writer->post([run = m_run](Database& database) {
        return RunStore(database).finish(run, RunState::Finished, stepsDone(31), {});
    });
    const Status status = writer->settle(50ms);
    ASSERT_FALSE(status);
    const std::filesystem::path file = m_runFolder / kSpareFile;
    EXPECT_NE(status.error().message.find(file.string()), std::string::npos)
        << status.error().message;
    EXPECT_EQ(m_notices->waitFor(Kind::Moved), status.error().message);
    EXPECT_EQ(steps(file), upTo(31)) << "also what the run store had taken";
    Database kept = Database::open(file).value();
    EXPECT_EQ(RunStore(kept).get(m_run)->state, RunState::Finished);
}

// The file of a full disk takes no page more; what is in memory must not fill the disk either.
TEST_F(StoreTroubleTest, aFullDiskIsToldAndTheRunIsKeptElsewhere)
{
    const auto writer = this->writer();
    writer->setSpare(spare());
    writer->post([](Database& database) -> Status {
        const int pages = database.raw().execAndGet("PRAGMA page_count").getInt();
        database.raw().execAndGet(fmt::format("PRAGMA max_page_count = {}", pages));
        return {};
    });
    ASSERT_TRUE(writer->flush());
    for (int i = 0; i < 50; ++i)
        writer->post([run = m_run](Database& database) {
            return RunStore(database).appendLog(run, { 0, "info", std::string(4000, 'x') });
        });
    const std::string warning = m_notices->waitFor(Kind::Failing);
    EXPECT_NE(warning.find("full"), std::string::npos) << warning;
    ASSERT_FALSE(writer->settle(0ms));
    Database kept = Database::open(m_runFolder / kSpareFile).value();
    EXPECT_EQ(RunStore(kept).log(m_run)->size(), 50u);
}

TEST_F(StoreTroubleTest, aRemovedFileIsNoticedAndNothingOfTheStoreIsLost)
{
    const auto writer = this->writer();
    writer->setSpare(spare());
    postSteps(*writer, 1, 5);
    ASSERT_TRUE(writer->flush());
    std::filesystem::remove(m_file);
    const std::string warning = m_notices->waitFor(Kind::Moved);
    EXPECT_NE(warning.find("removed"), std::string::npos) << "before anything is posted";
    postSteps(*writer, 6, 8);
    EXPECT_FALSE(writer->settle(20s));
    const std::filesystem::path file = m_runFolder / kSpareFile;
    EXPECT_NE(warning.find(file.string()), std::string::npos) << warning;
    EXPECT_EQ(steps(file), upTo(8));
    Database kept = Database::open(file).value();
    EXPECT_EQ(RunStore(kept).get(m_other)->name, "another run") << "the store's other runs, too";
    EXPECT_FALSE(std::filesystem::exists(m_file)) << "a name that is free stays free";
}

TEST_F(StoreTroubleTest, aStoreThatTakesThePlaceOfTheOldOneIsLeftAlone)
{
    auto writer = this->writer();
    writer->setSpare(spare());
    postSteps(*writer, 1, 2);
    ASSERT_TRUE(writer->flush());
    for (const char* end : { "", "-wal", "-shm" })
        std::filesystem::remove(m_file.string() + end);
    {
        Database fresh = open();
        ASSERT_EQ(newRun(fresh, "somebody's").value, 1);
        m_notices->waitFor(Kind::Moved);
        postSteps(*writer, 3, 4);
        EXPECT_FALSE(writer->settle(20s));
        writer.reset();
    }
    EXPECT_EQ(steps(m_runFolder / kSpareFile), upTo(4));
    Database fresh = open();
    const auto rows = RunStore(fresh).list().value();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].name, "somebody's");
}

TEST_F(StoreTroubleTest, aRunThatSomebodyDeletedIsKeptBesideTheStore)
{
    const auto writer = this->writer();
    writer->setSpare(spare());
    {
        Database database = open();
        SQLite::Statement(database.raw(), "DELETE FROM runs WHERE id = 2").exec();
    }
    writer->post(
        [run = m_run](Database& database) { return RunStore(database).update(run, stepsDone(7)); });
    EXPECT_FALSE(writer->settle(20s));
    Database kept = Database::open(m_runFolder / kSpareFile).value();
    EXPECT_EQ(RunStore(kept).get(m_run)->steps, 7);
}

TEST_F(StoreTroubleTest, withNoPlaceLeftTheLossIsAnError)
{
    const auto writer = this->writer();
    SparePlace place = spare();
    place.folders = { m_noFolder };
    writer->setSpare(place);
    Database holder = open();
    holder.raw().exec("BEGIN EXCLUSIVE");
    postSteps(*writer, 1, 3);
    EXPECT_FALSE(writer->settle(20ms));
    EXPECT_NE(m_notices->waitFor(Kind::Refused).find(m_file.string()), std::string::npos);
}

TEST_F(StoreTroubleTest, aListenerThatThrowsIsAnErrorAndCostsNothing)
{
    const auto writer = this->writer();
    writer->listen([](const StoreNotice&) { throw std::runtime_error("the log's disk is full"); });
    postSteps(*writer, 1, 3);
    writer->post([](Database&) -> Status { return fail(ErrorKind::Internal, "one job's own"); });
    postSteps(*writer, 4, 5);
    const Status status = writer->flush();
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("one job's own"), std::string::npos);
    postSteps(*writer, 6, 6);
    EXPECT_TRUE(writer->settle(20s)) << "the writer lives";
    EXPECT_EQ(steps(m_file), upTo(6));
}

TEST_F(StoreTroubleTest, aJobThatThrowsIsItsOwnErrorAndMemoryThatIsShortIsWaitedFor)
{
    const auto writer = this->writer();
    int tries = 0;
    writer->post([&tries](Database&) -> Status {
        if (++tries < 3)
            throw std::bad_alloc();
        return {};
    });
    postSteps(*writer, 1, 2);
    EXPECT_TRUE(writer->flush());
    EXPECT_EQ(tries, 3);
    writer->post([](Database&) -> Status { throw std::logic_error("a bug"); });
    postSteps(*writer, 3, 3);
    const Status status = writer->flush();
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("a bug"), std::string::npos);
    EXPECT_EQ(steps(m_file), upTo(3));
    EXPECT_NE(m_notices->waitFor(Kind::Failing).find("memory"), std::string::npos);
}

TEST_F(StoreTroubleTest, noExceptionOfAJobTakesOthersWithIt)
{
    const auto writer = this->writer();
    postSteps(*writer, 1, 2);
    writer->post([](Database&) -> Status { throw 7; });
    postSteps(*writer, 3, 4);
    EXPECT_FALSE(writer->settle(20s));
    EXPECT_EQ(steps(m_file), upTo(4));
}

TEST_F(StoreTroubleTest, onceARunIsSettledACopyOfTheOneFileHasIt)
{
    const auto writer = this->writer();
    const Database reader = open(); // as the command that follows a run has one
    postSteps(*writer, 1, 12);
    ASSERT_TRUE(writer->settle(20s));
    std::filesystem::copy_file(m_file, m_folder / "copy.sqlite");
    EXPECT_EQ(steps(m_folder / "copy.sqlite"), upTo(12));
}

TEST_F(StoreTroubleTest, anOlderSpareStoreIsNeverWrittenOver)
{
    const std::filesystem::path old = m_runFolder / kSpareFile;
    {
        std::ofstream(old) << "the only copy of something";
    }
    const Database from = open();
    const Result<Database> made = openSpare(spare(), from);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_NE(made->file(), old);
    std::ifstream in(old);
    std::string text;
    std::getline(in, text);
    EXPECT_EQ(text, "the only copy of something");
}

} // namespace stageloom
