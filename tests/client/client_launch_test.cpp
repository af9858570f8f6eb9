// SPDX-License-Identifier: Apache-2.0
#include "client/fake_engine.h"
#include "core/plan/plan_fixture.h"
#include "core/store/run_folder.h"
#include "core/store/run_store.h"
#include "engine/client/run_launcher.h"

#include <gmock/gmock.h>

namespace stageloom {

namespace {

using testing::HasSubstr;

class ClientLaunchTest : public FakeEngineTest {
protected:
    Result<LaunchedRun> launch(std::chrono::seconds timeout = std::chrono::seconds(20)) const
    {
        TrainRequest request;
        request.plan = test::smallPlan();
        request.dataPath = "/nowhere";
        request.steps = 7;
        request.name = "launched";
        return launchRun(request, m_store, timeout);
    }
    [[nodiscard]] std::vector<RunRow> rows() const
    {
        auto database = Database::open(m_store);
        EXPECT_TRUE(database);
        return RunStore(*database).list().value();
    }
    std::filesystem::path m_store;
    void SetUp() override
    {
        FakeEngineTest::SetUp();
        m_store = m_folder / "runs.sqlite";
    }
};

} // namespace

TEST_F(ClientLaunchTest, anEngineThatDiesLeavesAFailedRunWithItsWords)
{
    engineDoes("echo 'out of\nmemory' >&2; exit 3");
    const auto run = launch();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().message, HasSubstr("exit code 3"));
    EXPECT_THAT(run.error().message, HasSubstr("out of memory")) << "in one line";
    const auto kept = rows();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].state, RunState::Failed);
    EXPECT_THAT(kept[0].failure, HasSubstr("memory"));
    EXPECT_EQ(kept[0].plannedSteps, 7);
    EXPECT_EQ(kept[0].name, "launched");
}

TEST_F(ClientLaunchTest, theEngineIsToldFolderStoreAndRunAndFindsItsRequest)
{
    const auto said = m_folder / "said";
    engineDoes("echo \"$@\" > " + said.string() + "; cp \"$3/request.json\" "
        + (m_folder / "request.json").string() + "; exit 1");
    ASSERT_FALSE(launch());
    std::string line;
    std::ifstream file(said);
    std::getline(file, line);
    const std::string folder = runFolder(m_store, RunId { 1 }).string();
    EXPECT_EQ(line, "train --folder " + folder + " --store " + m_store.string() + " --run 1");
    const auto document = readJsonFile(m_folder / "request.json");
    ASSERT_TRUE(document);
    const auto request = trainRequestFromJson(*document, "request.json");
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_EQ(request->steps, 7);
    EXPECT_EQ(planHash(request->plan), planHash(test::smallPlan()));
}

TEST_F(ClientLaunchTest, anEngineThatNeverAnswersIsEnded)
{
    const auto pid = m_folder / "pid";
    engineDoes("echo $$ > " + pid.string() + "; sleep 30");
    const auto run = launch(std::chrono::seconds(1));
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, ErrorKind::Timeout);
    pid_t engine = 0;
    std::ifstream(pid) >> engine;
    ASSERT_GT(engine, 0);
    EXPECT_NE(::kill(engine, 0), 0) << "it still runs";
    EXPECT_EQ(rows().at(0).state, RunState::Failed);
}

TEST_F(ClientLaunchTest, withoutAnEngineNoRunIsKept)
{
    ::setenv("STAGELOOM_ENGINE", (m_folder / "nothing").c_str(), 1);
    ASSERT_FALSE(launch());
    EXPECT_FALSE(std::filesystem::exists(m_store));
}

} // namespace stageloom
