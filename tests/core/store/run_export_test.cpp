// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/store/metric_store.h"
#include "core/store/plan_facts.h"
#include "core/store/run_export.h"
#include "core/store/store_fixture.h"
#include "core/store/trace_store.h"

#include <gmock/gmock.h>
#include <limits>

namespace stageloom {

namespace {

using testing::HasSubstr;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class RunExportTest : public StoreTest {
protected:
    static RunId measured(Database& database, double loss)
    {
        const RunId id = newRun(database);
        EXPECT_TRUE(MetricStore(database).append(id,
            { { 1, 0.5, loss, kNone, 100, 1, 0.001, 4096, 64 },
                { 2, 1.0, kNone, loss / 2, kNone, kNone, kNone, kNone, 128 } }));
        EXPECT_TRUE(TraceStore(database).begin(id, 1, 1, 1));
        Span span;
        span.end = 0.25;
        EXPECT_TRUE(TraceStore(database).append(id, { span }));
        return id;
    }
};

using Writer = Status (*)(Database&, const std::vector<RunId>&, const TextSink&);

Result<std::string> textOf(Writer write, Database& database, const std::vector<RunId>& ids)
{
    std::string text;
    const Status written = write(database, ids, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    if (!written)
        return failure(written);
    return text;
}

std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> all;
    for (const std::string_view line : split(trim(text), '\n'))
        all.emplace_back(line);
    return all;
}

} // namespace

TEST_F(RunExportTest, oneRunIsItsOwnTableAndLeavesUnmeasuredCellsEmpty)
{
    Database database = open();
    const auto text = textOf(writeMetricsCsv, database, { measured(database, 4) });
    ASSERT_TRUE(text) << text.error().message;
    const auto all = lines(*text);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_THAT(all[0], testing::StartsWith("step,time,"));
    EXPECT_THAT(all[1], testing::StartsWith("1,0.5,64,4,,100,1,0.001,4096"));
    EXPECT_THAT(all[2], testing::StartsWith("2,1,128,,2,,,,"));
    for (const std::string& line : all)
        EXPECT_EQ(split(line, ',').size(), split(all[0], ',').size()) << line;
}

TEST_F(RunExportTest, bothFormsHaveEveryMetricByItsName)
{
    Database database = open();
    const RunId id = newRun(database);
    MetricPoint point;
    double value = 0.25;
    for (const MetricColumn& column : metricColumns())
        point.*column.member = ++value;
    ASSERT_TRUE(MetricStore(database).append(id, { point }));
    std::string header = "step,time,tokens", row = "0,0,0";
    const Json document = Json::parse(textOf(writeRunsJson, database, { id }).value());
    for (const MetricColumn& column : metricColumns()) {
        header += std::string(",") + column.name;
        row += fmt::format(",{}", point.*column.member);
        EXPECT_EQ(document["metrics"][0][column.name], point.*column.member) << column.name;
    }
    const auto all = lines(textOf(writeMetricsCsv, database, { id }).value());
    EXPECT_EQ(all[0], header);
    EXPECT_EQ(all[1], row);
}

TEST_F(RunExportTest, anEvaluationIsPartOfItsStep)
{
    Database database = open();
    const RunId id = newRun(database);
    ASSERT_TRUE(MetricStore(database).append(id,
        { { 1, 0.5, 4, kNone, 100, 1, 0.001, 4096, 64 },
            { 2, 1, 3, kNone, 100, 1, 0.001, 4096, 128 },
            { 2, 1.5, kNone, 3.5, kNone, kNone, kNone, kNone, 128 },
            { 3, 2, 2, kNone, 100, 1, 0.001, 4096, 192 } }));
    const auto all = lines(textOf(writeMetricsCsv, database, { id }).value());
    ASSERT_EQ(all.size(), 4u);
    EXPECT_THAT(all[2], testing::StartsWith("2,1,128,3,3.5,100,1,0.001,4096"));
    const Json metrics = Json::parse(textOf(writeRunsJson, database, { id }).value())["metrics"];
    ASSERT_EQ(metrics.size(), 3u);
    EXPECT_EQ(metrics[1]["loss"], 3.0);
    EXPECT_EQ(metrics[1]["validation_loss"], 3.5);
}

TEST_F(RunExportTest, severalRunsAreToldApartInEveryForm)
{
    Database database = open();
    const std::vector<RunId> ids { measured(database, 4), measured(database, 6) };
    const auto csv = lines(textOf(writeMetricsCsv, database, ids).value());
    ASSERT_EQ(csv.size(), 5u);
    EXPECT_THAT(csv[0], testing::StartsWith("run,step,"));
    EXPECT_THAT(csv[1], testing::StartsWith("1,1,"));
    EXPECT_THAT(csv[3], testing::StartsWith("2,1,"));

    const Json document = Json::parse(textOf(writeRunsJson, database, ids).value());
    ASSERT_EQ(document["runs"].size(), 2u);
    EXPECT_EQ(document["runs"][1]["metrics"][0]["loss"], 6.0);
    EXPECT_EQ(Json::parse(textOf(writeRunsJson, database, { ids[0] }).value())["id"], 1);

    const Json trace = Json::parse(textOf(writeRunsChromeTrace, database, ids).value());
    std::map<int, int> complete; // events by process
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X")
            ++complete[event["pid"].get<int>()];
    EXPECT_EQ(complete, (std::map<int, int> { { 1, 1 }, { 2, 1 } }));
}

TEST_F(RunExportTest, whatIsNotThereIsSaidInASentence)
{
    Database database = open();
    const RunId bare = newRun(database);
    EXPECT_THAT(textOf(writeRunsChromeTrace, database, { bare }).error().message,
        HasSubstr("no recorded spans"));
    EXPECT_THAT(
        textOf(writeMetricsCsv, database, { RunId { 9 } }).error().message, HasSubstr("no run 9"));
}

TEST_F(RunExportTest, factsOfAPlanAreReadOutOfItsText)
{
    Database database = open();
    NewRun run;
    run.planJson = R"({"stages":[{"devices":[0,1]},{"devices":[2,3]},{"devices":[4,5]}],
        "microbatches":8,"microbatch_size":4,"optimizer":{"learning_rate":0.0003}})";
    ASSERT_TRUE(RunStore(database).create(run));
    run.planJson = "this is no JSON";
    ASSERT_TRUE(RunStore(database).create(run));
    newRun(database); // a plan without those keys
    const auto facts = readPlanFacts(database);
    ASSERT_TRUE(facts) << facts.error().message;
    ASSERT_EQ(facts->size(), 3u);
    EXPECT_EQ((*facts)[0].stages, 3);
    EXPECT_EQ((*facts)[0].width, 2);
    EXPECT_EQ((*facts)[0].batchSize(), 64);
    EXPECT_EQ((*facts)[0].learningRate, 0.0003);
    for (const std::size_t empty : { 1u, 2u }) {
        EXPECT_FALSE((*facts)[empty].stages);
        EXPECT_FALSE((*facts)[empty].batchSize());
        EXPECT_FALSE((*facts)[empty].learningRate);
    }
    const auto later = readPlanFacts(database, RunId { 2 });
    ASSERT_EQ(later.value().size(), 1u);
    EXPECT_EQ(later->front().id, RunId { 3 });
}

} // namespace stageloom
