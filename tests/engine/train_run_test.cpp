// SPDX-License-Identifier: Apache-2.0
// A run from its request to its last row, inside this process.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/plan/plan_fixture.h"
#include "core/plan/train_request.h"
#include "core/store/run_folder.h"
#include "core/store/run_store.h"
#include "engine/worker/commands.h"
#include "support/process.h"

#include <gmock/gmock.h>

using namespace stageloom;
using namespace stageloom::engine;
using testing::HasSubstr;

namespace {

struct RunBench {
    stageloom::test::TemporaryFolder folder;
    std::filesystem::path store = folder.path() / "runs.sqlite";
    TrainRequest request;

    RunBench()
    {
        request.plan = stageloom::test::smallPlan();
        request.plan.modelConfig["vocab_size"] = 256;
        for (Device& device : request.plan.topology.devices)
            device.kind = DeviceKind::CpuWorker;
        std::string text;
        for (int i = 0; i < 400; ++i)
            text += "a line of text, number " + std::to_string(i) + "\n";
        request.dataPath = folder.write("text.txt", text);
        request.steps = 4;
    }
    // The row that the run leaves, and what the engine said.
    RunRow train(Status& said) const
    {
        Database database = Database::open(store).value();
        RunStore runs(database);
        const RunId run = runs.create(NewRun {}).value();
        EXPECT_TRUE(writeFileAtomically(folder.path() / kRequestFile, dumpJson(toJson(request))));
        said = trainRun({ folder.path(), store, run });
        return runs.get(run).value();
    }
};

} // namespace

TEST(TrainRun, endsFinishedWithItsPredictionInTheRecord)
{
    const RunBench bench;
    Status said;
    const RunRow row = bench.train(said);
    EXPECT_TRUE(said) << said.error().message;
    EXPECT_EQ(row.state, RunState::Finished);
    EXPECT_EQ(row.steps, 4);
    Database database = Database::open(bench.store).value();
    const Json record = RunStore(database).environment(row.id).value();
    EXPECT_GT(record["predicted"]["step_seconds"].get<double>(), 0);
    EXPECT_EQ(record["engine"]["threads_per_stage"], 1);
}

// 10^15 bytes of weights: no machine has them, so that the allocation itself
// fails.
TEST(TrainRun, weightsThatDoNotFitEndItFailedWithASentence)
{
    RunBench bench;
    bench.request.plan.modelConfig["vocab_size"] = 100'000'000; // the most that is read
    bench.request.plan.modelConfig["n_embd"] = 1'000'000;
    Status said;
    const RunRow row = bench.train(said);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().message, HasSubstr("ran out of memory"));
    EXPECT_EQ(row.state, RunState::Failed);
    EXPECT_EQ(row.failure, said.error().message);
}

TEST(TrainRun, moreThreadsThanCoresAreRefused)
{
    RunBench bench;
    bench.request.threadsPerStage = 100'000;
    Status said;
    const RunRow row = bench.train(said);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().message, HasSubstr("100000 threads"));
    EXPECT_EQ(row.state, RunState::Failed);
}
