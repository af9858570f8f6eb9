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

Plan cpuPlan()
{
    Plan plan = test::smallPlan();
    for (Device& device : plan.topology.devices)
        device.kind = DeviceKind::CpuWorker;
    return plan;
}

class ClientLaunchTest : public FakeEngineTest {
protected:
    Result<LaunchedRun> launch(std::chrono::seconds timeout = std::chrono::seconds(20)) const
    {
        TrainRequest request;
        request.plan = cpuPlan();
        request.dataPath = m_text;
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
    std::filesystem::path m_store, m_text;
    void SetUp() override
    {
        FakeEngineTest::SetUp();
        m_store = m_folder / "runs.sqlite";
        std::ofstream(m_text = m_folder / "text.txt") << std::string(100'000, 'a');
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

TEST_F(ClientLaunchTest, anEngineThatIsKilledIsSaidToBe)
{
    engineDoes("kill -9 $$");
    const auto run = launch();
    ASSERT_FALSE(run);
    EXPECT_THAT(
        run.error().message, HasSubstr("signal 9 (Killed), most often the kernel's memory killer"));
    EXPECT_EQ(rows().at(0).state, RunState::Failed);
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
    EXPECT_EQ(planHash(request->plan), planHash(cpuPlan()));
}

TEST_F(ClientLaunchTest, aLaunchLeavesTheFoldersOfOtherStoresAlone)
{
    engineDoes("exit 1");
    m_store = m_folder / "a.sqlite";
    ASSERT_FALSE(launch());
    const auto ofA = runFolder(m_store, RunId { 1 });
    const auto lock = RunLock::take(ofA);
    ASSERT_TRUE(lock);
    std::ofstream(ofA / kControlPathFile) << "somewhere";
    m_store = m_folder / "b.sqlite";
    ASSERT_FALSE(launch());
    EXPECT_TRUE(std::filesystem::exists(runFolder(m_store, RunId { 1 }) / kRequestFile));
    EXPECT_EQ(lockState(ofA), LockState::Held);
    EXPECT_TRUE(std::filesystem::exists(ofA / kControlPathFile));
    EXPECT_TRUE(std::filesystem::exists(ofA / kEngineLogFile));
}

TEST_F(ClientLaunchTest, namesOfAnyBytesAreKeptReadably)
{
    engineDoes("exit 1");
    TrainRequest request;
    request.plan = cpuPlan();
    request.dataPath = m_text;
    request.name = "caf\xe9 \x1b[31m";
    ASSERT_FALSE(launchRun(request, m_store));
    EXPECT_EQ(rows().at(0).name, "caf\\xe9 \\x1b[31m");
    std::ofstream(m_folder / "caf\xe9.txt") << std::string(100'000, 'a');
    request.dataPath = m_folder / "caf\xe9.txt";
    const auto refused = launchRun(request, m_store);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("caf\\xe9.txt"));
    EXPECT_THAT(refused.error().message, HasSubstr("not UTF-8"));
    EXPECT_EQ(rows().size(), 1u);
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

TEST_F(ClientLaunchTest, whatCannotBeTrainedOnLeavesNoRun)
{
    engineDoes("exit 1");
    const auto refusal = [&](const std::filesystem::path& text) {
        m_text = text;
        const auto run = launch();
        EXPECT_FALSE(run);
        EXPECT_FALSE(std::filesystem::exists(m_store)) << text;
        const std::string words = run ? "" : run.error().message;
        EXPECT_THAT(words, HasSubstr(text.string()));
        return words;
    };
    EXPECT_THAT(refusal(m_folder / "absent"), HasSubstr("no file or folder"));
    EXPECT_THAT(refusal("/dev/null"), HasSubstr("neither"));
    EXPECT_THAT(refusal("/dev/zero"), HasSubstr("neither"));
    const auto empty = m_folder / "empty";
    std::ofstream { empty };
    EXPECT_THAT(refusal(empty), HasSubstr("is empty"));
    const auto few = m_folder / "few";
    std::ofstream(few) << "ab";
    EXPECT_THAT(refusal(few), HasSubstr("2 bytes"));
    const auto folder = m_folder / "texts";
    std::filesystem::create_directories(folder / ".git");
    std::ofstream(folder / ".git" / "HEAD") << "hidden";
    std::ofstream { folder / "empty.txt" };
    EXPECT_THAT(refusal(folder), HasSubstr("no text file"));
}

TEST_F(ClientLaunchTest, aPlanForGpusLeavesNoRun)
{
    engineDoes("exit 1");
    TrainRequest request;
    request.plan = cpuPlan();
    request.dataPath = m_text;
    request.plan.topology.devices.at(1).kind = DeviceKind::Gpu;
    const auto run = launchRun(request, m_store);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, ErrorKind::Unsupported);
    EXPECT_THAT(run.error().message, HasSubstr("STAGELOOM_CUDA"));
    EXPECT_FALSE(std::filesystem::exists(m_store));
}

} // namespace stageloom
