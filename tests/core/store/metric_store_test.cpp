// SPDX-License-Identifier: Apache-2.0
#include "core/store/column_block.h"
#include "core/store/metric_store.h"
#include "core/store/store_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cmath>
#include <limits>

namespace stageloom {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using MetricStoreTest = StoreTest;

// Values with no pattern that a codec could lean on; validation loss is measured now and then.
MetricPoint pointAt(int step)
{
    MetricPoint p;
    p.step = step;
    p.time = step * 0.125;
    p.loss = 10.0 / (1 + step) + std::sin(step) * 1e-3;
    p.validationLoss = step % 50 == 0 ? p.loss * 1.1 : kNaN;
    p.tokensPerSecond = 1e4 + step % 97;
    p.gradNorm = std::cos(step);
    p.learningRate = 1e-3 / (1 + step);
    p.rssBytes = 1e9 + step;
    p.tokens = step * 4096.0;
    return p;
}

void expectSame(const MetricPoint& a, const MetricPoint& b)
{
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.loss, b.loss);
    EXPECT_EQ(std::isnan(a.validationLoss), std::isnan(b.validationLoss));
    if (!std::isnan(a.validationLoss)) {
        EXPECT_EQ(a.validationLoss, b.validationLoss);
    }
    EXPECT_EQ(a.tokensPerSecond, b.tokensPerSecond);
    EXPECT_EQ(a.gradNorm, b.gradNorm);
    EXPECT_EQ(a.learningRate, b.learningRate);
    EXPECT_EQ(a.rssBytes, b.rssBytes);
    EXPECT_EQ(a.tokens, b.tokens);
}

} // namespace

TEST_F(MetricStoreTest, hundredThousandPointsComeBackBitForBit)
{
    Database database = open();
    const RunId id = newRun(database);
    std::vector<MetricPoint> points;
    for (int step = 1; step <= 100'000; ++step)
        points.push_back(pointAt(step));
    MetricStore store(database);
    ASSERT_TRUE(store.append(id, points));
    const auto back = store.read(id);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->size(), points.size());
    for (std::size_t i = 0; i < points.size(); i += 997)
        expectSame((*back)[i], points[i]);
    expectSame(back->back(), points.back());
}

TEST_F(MetricStoreTest, pointsThatComeOneByOneFillSharedBlocks)
{
    Database database = open();
    const RunId id = newRun(database), other = newRun(database);
    MetricStore store(database);
    for (int step = 1; step <= 1100; ++step) {
        ASSERT_TRUE(store.append(id, { pointAt(step) }));
        if (step % 10 == 0) {
            ASSERT_TRUE(store.append(other, { pointAt(step), pointAt(step + 1) }));
        }
    }
    const auto back = store.read(id);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->size(), 1100u);
    for (int step = 1; step <= 1100; ++step)
        expectSame((*back)[std::size_t(step - 1)], pointAt(step));
    const int blocks
        = database.raw().execAndGet("SELECT count(*) FROM metric_blocks WHERE run = 1").getInt();
    EXPECT_LE(blocks, 5) << "never a row a point";
    EXPECT_EQ(store.read(other)->size(), 220u);
}

TEST_F(MetricStoreTest, whatIsMeasuredLaterOfAStepIsNoStepOfItsOwn)
{
    Database database = open();
    const RunId id = newRun(database);
    MetricStore store(database);
    ASSERT_TRUE(store.append(id, { pointAt(1), pointAt(2) }));
    MetricPoint evaluation = pointAt(2); // as older engines wrote it: nothing else is known
    evaluation.validationLoss = 1.5;
    evaluation.loss = evaluation.gradNorm = kNaN;
    ASSERT_TRUE(store.append(id, { evaluation, pointAt(3) }));
    MetricPoint expected = pointAt(2);
    expected.validationLoss = 1.5;
    const auto back = store.read(id).value();
    ASSERT_EQ(back.size(), 3u);
    expectSame(back[0], pointAt(1));
    expectSame(back[1], expected);
    expectSame(back[2], pointAt(3));
}

TEST_F(MetricStoreTest, blockBoundsAreTheColumnsMinimumAndMaximum)
{
    Database database = open();
    const RunId id = newRun(database);
    std::vector<MetricPoint> points(3);
    points[0].loss = 3, points[1].loss = kNaN, points[2].loss = -1;
    for (MetricPoint& p : points)
        p.validationLoss = kNaN;
    ASSERT_TRUE(MetricStore(database).append(id, points));
    SQLite::Database& db = database.raw();
    EXPECT_EQ(db.execAndGet("SELECT loss_min FROM metric_blocks").getDouble(), -1);
    EXPECT_EQ(db.execAndGet("SELECT loss_max FROM metric_blocks").getDouble(), 3);
    EXPECT_TRUE(db.execAndGet("SELECT validation_loss_min FROM metric_blocks").isNull());
}

TEST_F(MetricStoreTest, aSeriesLeavesOutWhatWasNotMeasured)
{
    Database database = open();
    const RunId id = newRun(database);
    MetricStore store(database);
    std::vector<MetricPoint> points;
    for (int step = 1; step <= 120; ++step)
        points.push_back(pointAt(step));
    ASSERT_TRUE(store.append(id, points));
    const auto series = store.series(id, "validation_loss");
    ASSERT_TRUE(series);
    EXPECT_EQ(series->step, (std::vector<double> { 50, 100 }));
    EXPECT_EQ(series->value[1], pointAt(100).validationLoss);
    EXPECT_EQ(series->tokens[0], 50 * 4096.0);
    for (const std::string& name : metricNames())
        EXPECT_TRUE(store.series(id, name)) << name;
    const auto unknown = store.series(id, "lose");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("grad_norm"), std::string::npos)
        << "names what there is";
}

// Released blocks hold these six in this order.
TEST_F(MetricStoreTest, newMetricsStandBehindThoseThatOlderBlocksHold)
{
    const std::vector<std::string> older { "loss", "validation_loss", "tokens_per_second",
        "grad_norm", "learning_rate", "rss_bytes" };
    std::vector<std::string> names = metricNames();
    ASSERT_GE(names.size(), older.size());
    names.resize(older.size());
    EXPECT_EQ(names, older);
}

TEST_F(MetricStoreTest, aBlockFromBeforeAMetricIsReadWithoutItAndGrows)
{
    Database database = open();
    const RunId id = newRun(database);
    MetricStore store(database);
    ASSERT_TRUE(store.append(id, { pointAt(1), pointAt(2) }));
    // As a program without the last metric wrote it.
    const std::vector<MetricColumn>& columns = metricColumns();
    ColumnBlockWriter older;
    older.integers(std::vector<std::int64_t> { 1, 2 });
    older.doubles(std::vector<double> { pointAt(1).time, pointAt(2).time });
    older.doubles(std::vector<double> { pointAt(1).tokens, pointAt(2).tokens });
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
        older.doubles(
            std::vector<double> { pointAt(1).*columns[i].member, pointAt(2).*columns[i].member });
    const std::string blob = older.finish();
    SQLite::Statement put(database.raw(), "UPDATE metric_blocks SET data = ?");
    put.bind(1, blob.data(), int(blob.size()));
    ASSERT_EQ(put.exec(), 1);

    ASSERT_TRUE(store.append(id, { pointAt(3) }));
    const auto back = store.read(id);
    ASSERT_TRUE(back) << back.error().message;
    ASSERT_EQ(back->size(), 3u);
    expectSame(back->back(), pointAt(3));
    const auto last = columns.back().member;
    for (const std::size_t i : { 0u, 1u }) {
        MetricPoint point = (*back)[i];
        EXPECT_TRUE(std::isnan(point.*last)) << "not measured, and not 0";
        point.*last = pointAt(int(i) + 1).*last;
        expectSame(point, pointAt(int(i) + 1));
    }
    const auto series = store.series(id, columns.back().name);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->step, std::vector<double> { 3 });
}

TEST_F(MetricStoreTest, aDamagedBlockIsAnErrorThatNamesIt)
{
    Database database = open();
    const RunId id = newRun(database);
    MetricStore store(database);
    ASSERT_TRUE(store.append(id, { pointAt(1), pointAt(2), pointAt(3) }));
    for (const char* damage : { "UPDATE metric_blocks SET data = substr(data, 1, length(data) - 3)",
             "UPDATE metric_blocks SET data = x'00112233'",
             "UPDATE metric_blocks SET data = x''" }) {
        database.raw().exec(damage);
        const auto back = store.read(id);
        ASSERT_FALSE(back) << damage;
        EXPECT_NE(back.error().message.find("run 1, block 0"), std::string::npos)
            << back.error().message;
        EXPECT_FALSE(store.append(id, { pointAt(4) })) << "nothing is built on a damaged block";
    }
}

} // namespace stageloom
