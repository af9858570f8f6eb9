// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_fixture.h"
#include "core/store/trace_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <tuple>

namespace stageloom {

namespace {

using TraceStoreTest = StoreTest;

std::vector<Span> spansOfBatch(int batch, int count)
{
    std::vector<Span> spans;
    for (int i = 0; i < count; ++i) {
        Span s;
        s.start = batch + i / 977.0;
        s.end = s.start + 1 / 1000.0 * (1 + i % 7);
        s.batch = batch;
        s.microbatch = batch * 8 + i % 8;
        s.version = batch - i % 2;
        s.stage = std::int16_t(i % 3);
        s.device = std::int16_t(i % 3);
        s.kind = static_cast<ActionKind>(i % 9);
        s.chunk = std::uint8_t(i % 2);
        s.cargo = static_cast<Cargo>(i % 3);
        spans.push_back(s);
    }
    return spans;
}

// The order of a Trace, by another way than the store's.
std::vector<Span> sorted(std::vector<Span> spans)
{
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::tuple(a.device, a.start) < std::tuple(b.device, b.start);
    });
    return spans;
}

} // namespace

TEST_F(TraceStoreTest, hundredThousandSpansComeBackAsTheyWere)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    ASSERT_TRUE(store.begin(id, 3, 3, 8));
    std::vector<Span> all;
    for (int batch = 0; batch < 1000; ++batch) {
        const auto spans = spansOfBatch(batch, 100);
        ASSERT_TRUE(store.append(id, spans));
        all.insert(all.end(), spans.begin(), spans.end());
    }
    const auto trace = store.read(id);
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->spans, sorted(all));
    EXPECT_EQ(trace->devices, 3);
    EXPECT_EQ(trace->stages, 3);
    EXPECT_EQ(trace->microbatches, 8);
    EXPECT_EQ(trace->timeUnit, "s");
    EXPECT_EQ(store.lastBatch(id).value(), 999);
    const int blocks = database.raw().execAndGet("SELECT count(*) FROM span_blocks").getInt();
    EXPECT_LE(blocks, 100) << "some thousand spans a block";
}

TEST_F(TraceStoreTest, readsOnlyTheBatchesAskedFor)
{
    Database database = open();
    const RunId id = newRun(database), other = newRun(database);
    TraceStore store(database);
    std::vector<Span> expected;
    for (int batch = 0; batch < 60; ++batch) {
        const auto spans = spansOfBatch(batch, 150);
        ASSERT_TRUE(store.append(id, spans));
        ASSERT_TRUE(store.append(other, spansOfBatch(batch + 7, 3)));
        if (batch >= 20 && batch <= 22)
            expected.insert(expected.end(), spans.begin(), spans.end());
    }
    EXPECT_EQ(store.readBatches(id, 20, 22)->spans, sorted(expected));
    EXPECT_TRUE(store.readBatches(id, 100, 200)->spans.empty());
}

TEST_F(TraceStoreTest, blocksSayWhatTheyCover)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    ASSERT_TRUE(store.append(id, spansOfBatch(4, 50)));
    ASSERT_TRUE(store.append(id, spansOfBatch(2, 50)));
    SQLite::Database& db = database.raw();
    EXPECT_EQ(db.execAndGet("SELECT first_batch FROM span_blocks").getInt(), 2);
    EXPECT_EQ(db.execAndGet("SELECT last_batch FROM span_blocks").getInt(), 4);
    EXPECT_EQ(db.execAndGet("SELECT first_time FROM span_blocks").getDouble(), 2.0);
    EXPECT_NEAR(db.execAndGet("SELECT longest FROM span_blocks").getDouble(), 0.007, 1e-9);
}

TEST_F(TraceStoreTest, readingTellsHowFarItIsAndEndsWhenItIsTold)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    ASSERT_TRUE(store.append(id, spansOfBatch(0, 5000))); // three blocks
    std::vector<std::size_t> told;
    const auto whole = store.read(id, [&told](std::size_t done, std::size_t all) {
        EXPECT_EQ(all, 5000u);
        told.push_back(done);
        return true;
    });
    ASSERT_TRUE(whole);
    EXPECT_EQ(told, (std::vector<std::size_t> { 2048, 4096, 5000 }));
    EXPECT_EQ(whole->spans, store.read(id)->spans);
    int asked = 0;
    const auto stopped = store.read(id, [&asked](std::size_t, std::size_t) { return ++asked < 2; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
    EXPECT_EQ(asked, 2);
}

TEST_F(TraceStoreTest, aRunWithoutSpansHasAnEmptyTrace)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    EXPECT_TRUE(store.read(id)->spans.empty());
    EXPECT_EQ(store.lastBatch(id).value(), -1);
    EXPECT_FALSE(store.append(RunId { 99 }, spansOfBatch(0, 1))) << "spans belong to a run";
}

TEST_F(TraceStoreTest, absurdShapesAreDamageAndNotBelieved)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    ASSERT_TRUE(store.begin(id, 3, 3, 8));
    ASSERT_TRUE(store.append(id, spansOfBatch(0, 100)));
    ASSERT_TRUE(store.read(id));
    const auto with = [&](const std::string& column, std::int64_t value) {
        ASSERT_TRUE(store.begin(id, 3, 3, 8));
        database.raw().exec(fmt::format("UPDATE trace_info SET {} = {}", column, value));
        const Result<Trace> read = store.read(id);
        ASSERT_FALSE(read) << column << " " << value;
        for (const std::string& word :
            { std::string("damaged"), std::string("run 1"), m_file.string() })
            EXPECT_NE(read.error().message.find(word), std::string::npos) << read.error().message;
    };
    for (const char* column : { "devices", "stages", "microbatches" })
        for (const std::int64_t value : { std::int64_t(0), std::int64_t(-5),
                 std::int64_t(2'000'000'000), std::int64_t(1) << 40 })
            with(column, value);
    with("stages", 1); // its spans lie on three
    with("devices", 2);
}

TEST_F(TraceStoreTest, spansWhoseShapeWasLostSayWhatTheyWereRecordedFor)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    std::vector<Span> spans;
    for (int batch = 0; batch < 2; ++batch)
        for (std::int16_t stage = 0; stage < 3; ++stage)
            for (int m = 0; m < 4; ++m) {
                Span span;
                span.device = span.stage = stage;
                span.kind = ActionKind::Forward;
                span.batch = batch;
                span.microbatch = batch * 4 + m;
                span.start = span.microbatch + stage;
                span.end = span.start + 1;
                spans.push_back(span);
            }
    ASSERT_TRUE(store.append(id, spans));
    const Result<Trace> read = store.read(id);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->devices, 3);
    EXPECT_EQ(read->stages, 3);
    EXPECT_EQ(read->microbatches, 4);
    EXPECT_EQ(read->spans.size(), 24u);
}

TEST_F(TraceStoreTest, aDamagedBlockIsAnErrorThatNamesIt)
{
    Database database = open();
    const RunId id = newRun(database);
    TraceStore store(database);
    ASSERT_TRUE(store.append(id, spansOfBatch(0, 500)));
    database.raw().exec(
        "UPDATE span_blocks SET data = substr(data, 1, 40) || x'ff' || substr(data, 42)");
    const auto trace = store.read(id);
    ASSERT_FALSE(trace);
    EXPECT_NE(trace.error().message.find("run 1, block 0"), std::string::npos);
    database.raw().exec("UPDATE span_blocks SET spans = 1000000000");
    EXPECT_FALSE(store.read(id));
}

} // namespace stageloom
