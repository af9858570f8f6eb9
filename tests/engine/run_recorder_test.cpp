// SPDX-License-Identifier: Apache-2.0
// What a run keeps and tells when its store cannot be written, without anything being trained.
#include "core/store/run_folder.h"
#include "core/store/trace_store.h"
#include "engine/client/run_watch.h"
#include "engine/worker/run_recorder.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cmath>
#include <condition_variable>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <mutex>
#include <stdlib.h>
#include <unistd.h>

using namespace stageloom;
using namespace stageloom::engine;
using namespace std::chrono_literals;

namespace {

struct Heard : RunListener {
    void onMetrics(const MetricPoint&) override { }
    void onSpans(const std::vector<Span>&) override { }
    void onStatus(const RunStatus&) override
    {
        note([&] { attached = true; });
    }
    void onLog(const LogLine& line) override
    {
        note([&] { log += line.level + ": " + line.text + "\n"; });
    }
    void onEnded(RunState state, const std::string& words) override
    {
        note([&] { ended = state, lastWords = words; });
    }
    template <typename Condition> bool waitFor(Condition condition)
    {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, 20s, condition); // only ends a broken test
    }
    template <typename Change> void note(Change change)
    {
        const std::lock_guard lock(mutex);
        change();
        changed.notify_all();
    }
    std::mutex mutex;
    std::condition_variable changed;
    std::string log, lastWords;
    RunState ended = RunState::Running;
    bool attached = false;
};

class RunRecorderTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern
            = (std::filesystem::temp_directory_path() / "stageloom-recorder-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
        m_file = m_folder / "runs.sqlite";
        Database database = Database::open(m_file).value();
        m_record.name = "recorded";
        m_record.id = RunStore(database).create(m_record).value();
        StoreWriter::Options options;
        options.firstRetry = options.longestRetry = 5ms;
        options.busyTimeout = 5ms;
        options.maxDroppable = 30; // all of one run
        m_store = StoreWriter::start(m_file, options).value();
        m_store->setSpare({ m_record, { m_folder } });
        m_server = ControlServer::listen(m_folder,
            { [this] { return m_steering.status(); },
                [](ControlCommand) {
                    return Status {};
                } }).value();
        m_watch = RunWatch::attach(m_folder, m_heard).value();
        ASSERT_TRUE(m_heard->waitFor([&] { return m_heard->attached; }));
        m_log = std::make_unique<RunLog>(m_record.id, *m_store, *m_server);
        RecorderSetup setup;
        setup.run = m_record.id;
        setup.steps = 30;
        setup.tokensPerBatch = 100;
        setup.settleLimit = 50ms;
        m_recorder = std::make_unique<RunRecorder>(setup, *m_store, *m_server, m_steering, *m_log);
        ASSERT_TRUE(m_store->flush());
    }
    void TearDown() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    // Batch n ends at n seconds and has one span.
    void trainTo(std::int64_t first, std::int64_t last)
    {
        for (std::int64_t step = first; step <= last; ++step) {
            BatchReport batch;
            batch.step = step;
            batch.time = double(step);
            batch.loss = 1.0 / double(step);
            Span span {};
            span.batch = int(step - 1);
            span.microbatch = int(step - 1);
            span.start = double(step) - 1;
            span.end = double(step);
            batch.spans = { span };
            m_recorder->report(std::move(batch));
        }
    }
    [[nodiscard]] std::vector<std::int64_t> steps(const std::filesystem::path& file) const
    {
        Database database = Database::open(file).value();
        const auto points = MetricStore(database).read(m_record.id).value();
        std::vector<std::int64_t> found;
        for (const MetricPoint& point : points)
            found.push_back(point.step);
        return found;
    }
    std::vector<std::int64_t> m_all = [] {
        std::vector<std::int64_t> all;
        for (std::int64_t step = 1; step <= 30; ++step)
            all.push_back(step);
        return all;
    }();
    std::filesystem::path m_folder, m_file;
    NewRun m_record;
    Steering m_steering { 30 };
    std::shared_ptr<Heard> m_heard = std::make_shared<Heard>();
    std::unique_ptr<StoreWriter> m_store;
    std::unique_ptr<ControlServer> m_server;
    std::unique_ptr<RunWatch> m_watch;
    std::unique_ptr<RunLog> m_log;
    std::unique_ptr<RunRecorder> m_recorder;
};

} // namespace

TEST_F(RunRecorderTest, aRunThatIsKeptHasNoLastWords)
{
    trainTo(1, 30);
    EXPECT_TRUE(m_recorder->finish(RunState::Finished, {}));
    ASSERT_TRUE(m_heard->waitFor([&] { return m_heard->ended != RunState::Running; }));
    EXPECT_EQ(m_heard->lastWords, "");
    EXPECT_EQ(m_heard->log, "");
    EXPECT_EQ(steps(m_file), m_all);
    Database database = Database::open(m_file).value();
    const RunRow row = RunStore(database).get(m_record.id).value();
    EXPECT_EQ(row.state, RunState::Finished);
    EXPECT_DOUBLE_EQ(row.tokensPerSecond.value(), 100);
    EXPECT_EQ(TraceStore(database).read(m_record.id)->spans.size(), 30u);
}

TEST_F(RunRecorderTest, whoWatchesIsWarnedAndToldWhereTheRunIs)
{
    trainTo(1, 9);
    Database holder = Database::open(m_file).value();
    holder.raw().exec("BEGIN EXCLUSIVE");
    m_store->postDroppable([](Database&) { return Status {}; }, 7);
    trainTo(10, 30);
    const Status kept = m_recorder->finish(RunState::Finished, {});
    ASSERT_FALSE(kept) << "a run that its store lacks is no success";
    ASSERT_TRUE(m_heard->waitFor([&] { return m_heard->ended != RunState::Running; }));
    EXPECT_EQ(m_heard->ended, RunState::Finished) << "the training itself went well";
    const std::filesystem::path spare = m_folder / kSpareFile;
    EXPECT_NE(m_heard->lastWords.find(spare.string()), std::string::npos) << m_heard->lastWords;
    EXPECT_NE(m_heard->lastWords.find("7 spans"), std::string::npos) << m_heard->lastWords;
    EXPECT_NE(m_heard->log.find("warning: Nothing of the run can be saved now"), std::string::npos)
        << m_heard->log;
    EXPECT_EQ(steps(spare), m_all);
    Database database = Database::open(spare).value();
    EXPECT_EQ(RunStore(database).get(m_record.id)->state, RunState::Finished);
    std::string log;
    const auto lines = RunStore(database).log(m_record.id).value();
    for (const LogLine& line : lines)
        log += line.level + ": " + line.text + "\n";
    EXPECT_EQ(log, m_heard->log) << "what was told is also written";
}

// Where the log's disk is full, the line is lost and nothing else.
TEST_F(RunRecorderTest, aLogThatCannotBeWrittenEndsNothing)
{
    const int kept = ::dup(STDERR_FILENO), full = ::open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    ::dup2(full, STDERR_FILENO);
    EXPECT_NO_THROW(m_log->write("warning", "nobody reads this in engine.log"));
    ::dup2(kept, STDERR_FILENO);
    ::close(kept);
    ::close(full);
    ASSERT_TRUE(m_store->flush());
    Database database = Database::open(m_file).value();
    const auto lines = RunStore(database).log(m_record.id).value();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].text, "nobody reads this in engine.log");
}

TEST_F(RunRecorderTest, anEvaluationBelongsToTheStepItWasMadeAt)
{
    trainTo(1, 3);
    m_recorder->report(EvaluationReport { 3, 3, 2.5, 3.5 });
    trainTo(4, 4);
    EXPECT_TRUE(m_recorder->finish(RunState::Finished, {}));
    Database database = Database::open(m_file).value();
    const auto points = MetricStore(database).read(m_record.id).value();
    ASSERT_EQ(points.size(), 4u) << "a row a step";
    EXPECT_DOUBLE_EQ(points[2].loss, 1.0 / 3);
    EXPECT_DOUBLE_EQ(points[2].validationLoss, 2.5);
    EXPECT_TRUE(std::isnan(points[3].validationLoss));
    EXPECT_DOUBLE_EQ(RunStore(database).get(m_record.id)->validationLoss.value(), 2.5);
}

TEST_F(RunRecorderTest, batchesThatChangeNothingAreToldOncePerRowAndInTheLastWords)
{
    for (std::int64_t step = 1; step <= 6; ++step) {
        BatchReport batch;
        batch.step = step;
        batch.time = double(step);
        batch.loss = step < 3 || step > 5 ? 1 : std::nan("");
        batch.wholeSkipped = step >= 3 && step <= 5;
        batch.skipped = batch.wholeSkipped;
        batch.brokenStage = batch.wholeSkipped ? 1 : -1;
        batch.lossFinite = !batch.wholeSkipped;
        batch.gradNorm = batch.wholeSkipped ? std::nan("") : 1;
        m_recorder->report(std::move(batch));
    }
    EXPECT_TRUE(m_recorder->finish(RunState::Finished, {}));
    ASSERT_TRUE(m_heard->waitFor([&] { return m_heard->ended != RunState::Running; }));
    EXPECT_EQ(m_heard->log,
        "warning: Batch 3 changes no weight: the loss on stage 1 is not a finite number; a lower "
        "learning rate, a longer warm-up or gradient clipping helps.\n"
        "notice: 3 batches in a row changed no weight; batch 6 is learnt from again.\n");
    EXPECT_NE(m_heard->lastWords.find("3 of the run's batches"), std::string::npos)
        << m_heard->lastWords;
    Database database = Database::open(m_file).value();
    const auto points = MetricStore(database).read(m_record.id).value();
    ASSERT_EQ(points.size(), 6u);
    EXPECT_TRUE(std::isnan(points[3].gradNorm)) << "not 0";
}

// Two workers: what one of them held is half a pipeline's time.
TEST_F(RunRecorderTest, aHoldOfOneWorkerIsLostToItsShareOnly)
{
    RecorderSetup setup;
    setup.run = m_record.id;
    setup.steps = 30;
    setup.tokensPerBatch = 100;
    setup.devices = setup.stages = 2;
    RunRecorder recorder(setup, *m_store, *m_server, m_steering, *m_log);
    BatchReport batch;
    recorder.report(HoldReport { 0, 0.0, 1.0 }); // the other worker trains meanwhile
    batch.step = 1;
    batch.time = 2.5;
    recorder.report(batch);
    EXPECT_DOUBLE_EQ(recorder.summary().tokensPerSecond.value(), 100 / 2.0);
    recorder.report(HoldReport { 0, 3.0, 4.0 }); // both
    recorder.report(HoldReport { 1, 3.0, 4.0 });
    batch.step = 2;
    batch.time = 5.5;
    recorder.report(batch);
    EXPECT_DOUBLE_EQ(recorder.summary().tokensPerSecond.value(), 200 / 4.0);
}
