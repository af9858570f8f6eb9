// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_follow.h"
#include "core/base/text.h"
#include "core/store/run_folder.h"
#include "engine/control/control_server.h"
#include "tests/support/process.h"

#include <fstream>
#include <gmock/gmock.h>
#include <thread>

namespace stageloom {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A store with one run whose engine is this process, or nobody.
class RunFollowTest : public testing::Test {
protected:
    void SetUp() override
    {
        auto database = Database::open(m_store);
        ASSERT_TRUE(database);
        RunStore store(*database);
        NewRun run;
        run.name = "followed";
        run.plannedSteps = 4;
        run.planJson = run.requestJson = run.environmentJson = "{}";
        m_id = store.create(run).value();
        m_run = runFolder(m_store, m_id);
        std::filesystem::create_directories(m_run);
        ASSERT_TRUE(store.setFolder(m_id, m_run.string()));
    }
    static MetricPoint point(std::int64_t step)
    {
        MetricPoint point;
        point.step = step;
        point.time = double(step);
        point.validationLoss = std::numeric_limits<double>::quiet_NaN();
        return point;
    }
    void keep(const std::vector<MetricPoint>& points)
    {
        auto database = Database::open(m_store);
        ASSERT_TRUE(MetricStore(*database).append(m_id, points));
    }
    void finish(RunState state, const std::string& failure = {})
    {
        auto database = Database::open(m_store);
        RunSummary summary;
        summary.steps = 4;
        ASSERT_TRUE(RunStore(*database).finish(m_id, state, summary, failure));
    }
    Result<RunRow> follow()
    {
        FollowOptions options;
        options.onPoint = [this](const MetricPoint& heard) { m_steps.push_back(heard.step); };
        return followRun(m_store, m_id, options);
    }
    test::TemporaryFolder m_folder;
    std::filesystem::path m_store = m_folder.path() / "runs.sqlite", m_run;
    RunId m_id;
    std::vector<std::int64_t> m_steps;
};

} // namespace

TEST_F(RunFollowTest, aRunThatIsOverIsReadFromTheStore)
{
    keep({ point(1), point(2), point(3), point(4) });
    finish(RunState::Finished);
    const auto row = follow();
    ASSERT_TRUE(row) << row.error().message;
    EXPECT_EQ(row->state, RunState::Finished);
    EXPECT_THAT(m_steps, ElementsAre(1, 2, 3, 4));
}

// The evaluation of step 2 and the last one: behind their steps, each once, no step without a loss.
TEST_F(RunFollowTest, validationLossesAreLinesOfTheirOwn)
{
    MetricPoint evaluation = point(2);
    evaluation.loss = std::numeric_limits<double>::quiet_NaN();
    evaluation.validationLoss = 3.5;
    MetricPoint last = evaluation;
    last.step = 4;
    last.validationLoss = 3.25;
    keep({ point(1), point(2), evaluation, point(3), point(4), last });
    finish(RunState::Finished);
    FollowOptions options;
    options.json = true;
    testing::internal::CaptureStdout();
    const auto row = followRun(m_store, m_id, options);
    const std::string out = testing::internal::GetCapturedStdout();
    ASSERT_TRUE(row) << row.error().message;
    std::vector<std::string> seen;
    for (const std::string_view line : split(trim(out), '\n')) {
        const Json object = Json::parse(line);
        seen.push_back(object["step"].dump() + (object.contains("loss") ? "" : " v")
            + (object.contains("validation_loss") ? object["validation_loss"].dump() : ""));
    }
    EXPECT_THAT(seen, ElementsAre("1", "2", "2 v3.5", "3", "4", "4 v3.25"));
}

TEST_F(RunFollowTest, aFailureIsOneLineWithItsLastWords)
{
    finish(RunState::Failed, "out of\nmemory");
    const auto row = follow();
    ASSERT_FALSE(row);
    EXPECT_THAT(row.error().message, HasSubstr("out of memory"));
    EXPECT_THAT(row.error().message, HasSubstr("run 1 failed"));
}

TEST_F(RunFollowTest, aStopThatWasAskedForIsNoFailure)
{
    finish(RunState::Stopped);
    EXPECT_TRUE(follow());
}

TEST_F(RunFollowTest, aRunThatIsNotThereIsNamed)
{
    const auto row = followRun(m_store, RunId { 99 }, {});
    ASSERT_FALSE(row);
    EXPECT_THAT(row.error().message, HasSubstr("99"));
}

// What came before the follower listened is in the store; what comes after it is heard. Each step
// once and in order.
TEST_F(RunFollowTest, missedStepsComeFromTheStoreAndLaterOnesLive)
{
    const auto lock = RunLock::take(m_run);
    ASSERT_TRUE(lock);
    ControlHandlers handlers;
    handlers.query = [] { return RunStatus { "running", 2, 4, 1, 1, 1, 1 }; };
    handlers.command = [](ControlCommand) { return Status {}; };
    auto server = ControlServer::listen(m_run, std::move(handlers));
    ASSERT_TRUE(server) << server.error().message;
    keep({ point(1), point(2) });
    std::thread engine([&] {
        for (int i = 0; i < 2000 && (*server)->subscribers() == 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        (*server)->broadcast(point(3));
        (*server)->broadcast(point(4));
        finish(RunState::Finished);
        (*server)->broadcast(EndedEvent { RunState::Finished, "" });
    });
    const auto row = follow();
    engine.join();
    ASSERT_TRUE(row) << row.error().message;
    EXPECT_EQ(row->state, RunState::Finished);
    EXPECT_THAT(m_steps, ElementsAre(1, 2, 3, 4));
}

} // namespace stageloom
