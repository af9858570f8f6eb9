// SPDX-License-Identifier: Apache-2.0
// The commands that show data and start nothing: model, topology, doctor, completion, simulate.
#include "core/plan/trainable.h"
#include "core/store/run_store.h"
#include "tests/e2e/command_runner.h"

#include <fstream>
#include <map>

using namespace stageloom;
using namespace stageloom::test;

namespace {

// Ten layers in milliseconds whose sums are easy to say; `last` goes into the head.
Json profileDocument(const Json& extra = Json::object())
{
    Json document { { "unit", "ms" }, { "hop", 2 }, { "layers", Json::array() } };
    for (int i = 0; i < 9; ++i)
        document["layers"].push_back(
            { { "name", "l" + std::to_string(i) }, { "forward", 1 }, { "backward", 2 } });
    document["layers"].push_back({ { "name", "head" }, { "forward", 1 }, { "backward", 2 } });
    document.update(extra);
    return document;
}

Json withRecompute(Json document, double milliseconds)
{
    for (Json& layer : document["layers"])
        layer["recompute"] = milliseconds;
    return document;
}

// One stage alone runs without a gap: its makespan is the sum of its work.
double oneStageMakespan(
    const TemporaryFolder& folder, const Json& document, const std::vector<std::string>& more = {})
{
    const std::string file = folder.write("times.json", document.dump());
    std::vector<std::string> words { "simulate", "--profile", file, "--devices", "1",
        "--microbatches", "4", "--batches", "1", "--schedule", "1f1b", "--json" };
    words.insert(words.end(), more.begin(), more.end());
    const Finished run = stageloom::test::stageloom(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parsed(run.out)["makespan"].get<double>();
}

std::string savedPlan(const TemporaryFolder& folder, const std::vector<std::string>& more = {})
{
    const std::string file = (folder.path() / "saved.plan.json").string();
    std::vector<std::string> words { "plan", "--model", "preset:gpt2", "--seq", "128", "-o", file };
    words.insert(words.end(), more.begin(), more.end());
    const Finished made = stageloom::test::stageloom(words);
    EXPECT_EQ(made.exitCode, 0) << made.err;
    return file;
}

} // namespace

TEST(DataCommands, modelShowCountsGpt2AsPublishedAndMarksTheTiedHead)
{
    const Finished run = stageloom::test::stageloom(
        { "model", "show", "preset:gpt2", "--seq", "256", "--dtype", "bf16", "--json" });
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Json model = parsed(run.out);
    EXPECT_EQ(model["family"], "gpt2");
    EXPECT_EQ(model["parameters"], 124'439'808);
    EXPECT_EQ(model["tied_head"], true);
    EXPECT_EQ(model["seq"], 256);
    EXPECT_EQ(model["dtype"], "bf16");
    const Json& head = model["layers"].back();
    EXPECT_EQ(head["parameters"], 0);
    EXPECT_EQ(head["tied_to"], model["layers"][0]["name"]);
    // Two bytes an element: the boundary between blocks is seq × hidden.
    EXPECT_EQ(model["layers"][1]["output_bytes"], 256 * 768 * 2);
}

TEST(DataCommands, modelShowOfAnUnknownNameOffersTheNearest)
{
    expectRefusal(stageloom::test::stageloom({ "model", "show", "gpt22" }), { "gpt22", "gpt2" });
    EXPECT_EQ(stageloom::test::stageloom({ "model", "show", "gpt2", "--seq", "0" }).exitCode, 1);
}

TEST(DataCommands, demoWithoutItsTextPrintsNothing)
{
    const TemporaryFolder folder;
    const std::string nowhere = (folder.path() / "nowhere").string();
    expectRefusal(stageloom::test::stageloom({ "demo", "--data", nowhere }), { nowhere });
}

TEST(DataCommands, theLocalTopologyHasAllOfTheHostsMemoryAndWorkersShareIt)
{
    const Finished run = stageloom::test::stageloom({ "topology", "show", "local", "--json" });
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Json topology = parsed(run.out);
    // "MemTotal:       24684092 kB"
    std::ifstream file("/proc/meminfo");
    std::string word;
    double kilobytes = 0;
    file >> word >> kilobytes;
    ASSERT_EQ(word, "MemTotal:");
    EXPECT_EQ(topology["host"]["memory_bytes"].get<double>(), kilobytes * 1024);
    double shared = 0;
    for (const Json& device : topology["devices"])
        if (device["kind"] == "cpu-worker")
            shared += device["memory_bytes"].get<double>();
    EXPECT_LE(shared, kilobytes * 1024 * 1.0000001);
    EXPECT_GT(shared, 0);
    EXPECT_FALSE(topology["notes"].empty());
}

TEST(DataCommands, topologyShowsEveryPairOnceAndRefusesUnknownNames)
{
    const Finished run = stageloom::test::stageloom({ "topology", "show", "cpu:4", "--json" });
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Json topology = parsed(run.out);
    EXPECT_EQ(topology["devices"].size(), 4u);
    EXPECT_EQ(topology["links"].size(), 6u);
    expectRefusal(stageloom::test::stageloom({ "topology", "show", "cpu:0" }), { "cpu:0", "256" });
    expectRefusal(stageloom::test::stageloom({ "topology", "show", "dgx1" }), { "dgx1" });
}

TEST(DataCommands, doctorWithoutAnEngineSaysSoOnceAndPrintsNothing)
{
    const TemporaryFolder folder;
    const std::string store = (folder.path() / "runs.sqlite").string(),
                      nowhere = (folder.path() / "no-engine").string();
    for (const char* form : { "--json", "--store" }) {
        std::vector<std::string> words { "env", "STAGELOOM_ENGINE=" + nowhere,
            STAGELOOM_BIN_DIR "/stageloom", "doctor", "--store", store };
        if (std::string(form) == "--json")
            words.push_back(form);
        expectRefusal(runProcess(words), { nowhere, "engine", "build" });
    }
}

TEST(DataCommands, doctorSaysLibTorchsVersionAndWhatThisProcessMayUse)
{
    const TemporaryFolder folder;
    EngineCapabilities capabilities;
    capabilities.version = "7.7";
    capabilities.libtorch = "9.9.9";
    const std::string engine = folder.write(
        "engine", "#!/bin/sh\ncat <<'END'\n" + toJson(capabilities).dump() + "\nEND\n");
    std::filesystem::permissions(engine, std::filesystem::perms::owner_all);
    // One core of those that are there.
    const Finished run = runProcess({ "sh", "-c",
        "first=$(taskset -pc $$ | sed 's/.*: \\([0-9]*\\).*/\\1/'); exec taskset -c $first env "
        "STAGELOOM_ENGINE="
            + engine + " " STAGELOOM_BIN_DIR "/stageloom doctor --json --store "
            + (folder.path() / "runs.sqlite").string() });
    ASSERT_EQ(run.exitCode, 0) << run.err;
    std::map<std::string, std::string> found;
    const Json document = parsed(run.out);
    for (const Json& check : document["checks"])
        found[check["name"]] = check["found"];
    EXPECT_EQ(found["LibTorch"], "LibTorch 9.9.9, engine 7.7");
    EXPECT_EQ(found["CPU"], "1 core for stages, 1 hardware thread to use");
    EXPECT_NE(found["memory"].find("iB"), std::string::npos) << found["memory"];
}

TEST(DataCommands, completionKnowsEveryCommandInEveryShell)
{
    for (const char* shell : { "bash", "zsh", "fish" }) {
        const Finished run = stageloom::test::stageloom({ "completion", shell });
        ASSERT_EQ(run.exitCode, 0) << run.err;
        for (const char* word : { "demo", "model", "topology", "profile", "plan", "simulate",
                 "verify", "train", "runs", "doctor", "checkpoint", "no-recompute" })
            EXPECT_NE(run.out.find(word), std::string::npos) << shell << " lacks " << word;
    }
    EXPECT_EQ(stageloom::test::stageloom({ "completion", "tcsh" }).exitCode, 2);
}

TEST(DataCommands, theBashCompletionOffersWhatFollows)
{
    const TemporaryFolder folder;
    const std::string program = STAGELOOM_BIN_DIR "/stageloom";
    const std::string script
        = folder.write("complete.sh", stageloom::test::stageloom({ "completion", "bash" }).out);
    const auto offered = [&](const std::string& words) {
        const auto at = std::to_string(std::count(words.begin(), words.end(), ' ') + 1);
        return runProcess(
            { "bash", "-c",
                "export XDG_DATA_HOME=" + folder.path().string() + "; source " + script
                    + "; COMP_WORDS=(" + program + " " + words + "); COMP_CWORD=" + at
                    + "; _stageloom; echo \"${COMPREPLY[*]}\"" })
            .out;
    };
    EXPECT_EQ(offered("mod"), "model\n");
    EXPECT_EQ(offered("model s"), "show\n");
    EXPECT_EQ(offered("runs export --ch"), "--chrome-trace\n");
    EXPECT_EQ(offered("runs resu"), "\n") << "hidden";
    // Values are the program's own.
    EXPECT_EQ(offered("simulate p.json --schedule 1f"), "1f1b\n");
    EXPECT_EQ(offered("model show demo"), "demo-gpt\n");
    EXPECT_EQ(offered("model show gpt2 --dtype b"), "bf16\n");
    EXPECT_EQ(offered("topology show loc"), "local\n");
    EXPECT_EQ(offered("topology show dgx1"), "dgx1-v100-16g\n");
    EXPECT_EQ(offered("profile --model gpt2 --optimizer ad"), "adam adamw\n");
    std::filesystem::create_directories(folder.path() / "stageloom");
    {
        auto database = Database::open(folder.path() / "stageloom" / "runs.sqlite");
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(RunStore(*database).create({}));
    }
    EXPECT_EQ(offered("runs show 2"), "2\n");
}

TEST(DataCommands, simulateTakesTheRecomputeTimesThatAProfileGives)
{
    const TemporaryFolder folder;
    const Json plain = profileDocument(), again = withRecompute(plain, 0.5);
    EXPECT_NEAR(oneStageMakespan(folder, plain), 0.120, 1e-12); // 4 × 10 × 3 ms
    EXPECT_NEAR(oneStageMakespan(folder, again), 0.140, 1e-12);
    EXPECT_NEAR(oneStageMakespan(folder, again, { "--no-recompute" }), 0.120, 1e-12);
    // A measured profile says what recomputing would cost, not that it happens.
    const Json measured = withRecompute(profileDocument({ { "recomputes", false } }), 0.5);
    EXPECT_NEAR(oneStageMakespan(folder, measured), 0.120, 1e-12);
    EXPECT_NEAR(oneStageMakespan(folder, measured, { "--recompute" }), 0.140, 1e-12);
    // Layers without a time of their own recompute their forward where it is asked for.
    EXPECT_NEAR(oneStageMakespan(folder, plain, { "--recompute" }), 0.160, 1e-12);
    // A time given beats the file, in the file's unit, once a stage.
    EXPECT_NEAR(oneStageMakespan(folder, again, { "--recompute", "3" }), 0.132, 1e-12);
}

TEST(DataCommands, simulateReadsAHopInTheProfilesUnit)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("times.json", profileDocument().dump());
    const auto makespan = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words { "simulate", "--profile", file, "--stage-layers", "5,5",
            "--microbatches", "1", "--batches", "1", "--schedule", "1f1b", "--json" };
        words.insert(words.end(), more.begin(), more.end());
        return parsed(stageloom::test::stageloom(words).out)["makespan"].get<double>();
    };
    EXPECT_NEAR(makespan({}), 0.034, 1e-12); // 30 ms of work, two hops of 2 ms
    EXPECT_NEAR(makespan({ "--hop", "5" }), 0.040, 1e-12);
}

TEST(DataCommands, simulateOfAPlanTakesAnotherScheduleAndBatch)
{
    const TemporaryFolder folder;
    const std::string plan = savedPlan(folder, { "--topology", "cpu:2", "--batch-size", "8" });
    const Finished run = stageloom::test::stageloom({ "simulate", plan, "--schedule", "gpipe",
        "--microbatches", "6", "--batches", "1", "--json" });
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Json document = parsed(run.out);
    EXPECT_EQ(document["stages"][0]["peak_stash"], 6); // GPipe keeps all of them
    int updates = 0;
    for (const Json& span : document["spans"])
        updates += span["kind"] == "U" ? 1 : 0;
    EXPECT_EQ(updates, 2) << "one a stage";
    expectRefusal(
        stageloom::test::stageloom({ "simulate", plan, "--microbatches", "1" }), { "1", "2" });
}

TEST(DataCommands, simulateRefusesOptionsOfAnotherSourceOfTimes)
{
    const TemporaryFolder folder;
    const std::string plan = savedPlan(folder, { "--topology", "cpu:2", "--batch-size", "8" });
    expectRefusal(stageloom::test::stageloom({ "simulate", plan, "--devices", "2" }),
        { "--devices", "plan" });
    expectRefusal(
        stageloom::test::stageloom({ "simulate", plan, "--forward", "1" }), { "--forward" });
    expectRefusal(stageloom::test::stageloom({ "simulate", "--stages", "2", "--forward", "1",
                      "--backward", "2", "--microbatches", "2", "--stage-layers", "1,1" }),
        { "--stage-layers", "--profile" });
}

TEST(DataCommands, aPlanOfReplicasIsSavedButTrainNamesItsWidthAndTheRemedy)
{
    if (!std::filesystem::exists(STAGELOOM_BIN_DIR "/stageloom-engine"))
        GTEST_SKIP() << "what is trained is asked of the engine, and this build has none";
    const TemporaryFolder folder;
    const std::string plan = savedPlan(
        folder, { "--topology", "dgx1-v100-16g", "--batch-size", "64", "--width", "4" });
    expectRefusal(stageloom::test::stageloom({ "train", plan, "--data", plan }),
        { plan, "width 4", "--width 1" });
}
