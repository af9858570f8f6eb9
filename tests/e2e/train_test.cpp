// SPDX-License-Identifier: Apache-2.0
// A run from the command line to the store: what it prints, what it keeps, how it ends.
#include "tests/e2e/train_fixture.h"

using namespace stageloom;
using namespace stageloom::test;

using Bench = TrainBench;

TEST(Train, aRunPrintsEveryStepAndIsKept)
{
    const Bench bench;
    const Finished trained = bench.run({ "train", bench.plan, "--data", bench.text, "--steps", "12",
        "--name", "first", "--json" });
    ASSERT_EQ(trained.exitCode, 0) << trained.err;
    std::vector<Json> lines;
    for (const std::string_view line : split(trim(trained.out), '\n'))
        lines.push_back(parsed(std::string(line)));
    ASSERT_EQ(lines.size(), 14u) << trained.out;
    EXPECT_EQ(lines[12]["step"], 12);
    EXPECT_EQ(lines[12]["validation_loss"], lines[13]["validation_loss"]);
    EXPECT_FALSE(lines[12].contains("loss"));
    for (int i = 0; i < 12; ++i)
        EXPECT_EQ(lines[std::size_t(i)]["step"], i + 1);
    EXPECT_LT(lines[11]["loss"].get<double>(), lines[0]["loss"].get<double>());
    const Json& end = lines.back();
    for (const char* key : { "run", "steps", "final_loss", "validation_loss", "tokens_per_second",
             "peak_rss_bytes", "bubble_fraction_predicted", "bubble_fraction_measured" })
        EXPECT_TRUE(end.contains(key)) << key;

    const Finished listed = bench.run({ "runs", "list", "--json" });
    ASSERT_EQ(listed.exitCode, 0) << listed.err;
    const Json row = parsed(listed.out)["runs"][0];
    EXPECT_EQ(row["name"], "first");
    EXPECT_EQ(row["state"], "finished");
    EXPECT_EQ(row["steps"], 12);
    EXPECT_EQ(row["id"], end["run"]);
    const std::string id = std::to_string(end["run"].get<int>());
    const Finished exported = bench.run({ "runs", "export", id, "--csv" });
    ASSERT_EQ(exported.exitCode, 0) << exported.err;
    // A heading and twelve steps, the last with the evaluation.
    EXPECT_EQ(std::count(exported.out.begin(), exported.out.end(), '\n'), 13);
}

TEST(Train, theSameSeedGivesTheSameLosses)
{
    const Bench bench;
    const std::vector<std::string> words { "train", bench.plan, "--data", bench.text, "--steps",
        "5", "--seed", "7", "--json" };
    const auto losses = [](const std::string& out) {
        std::vector<double> values;
        for (const std::string_view line : split(trim(out), '\n'))
            if (const Json object = parsed(std::string(line)); object.contains("loss"))
                values.push_back(object["loss"]);
        return values;
    };
    const std::vector<double> first = losses(bench.run(words).out);
    EXPECT_EQ(first.size(), 5u);
    EXPECT_EQ(first, losses(bench.run(words).out));
}

TEST(Train, aDetachedRunIsStoppedAfterABatchAndStaysComplete)
{
    const Bench bench;
    const Finished started
        = bench.run({ "train", bench.plan, "--data", bench.text, "--steps", "100000", "--detach" });
    ASSERT_EQ(started.exitCode, 0) << started.err;
    const Finished stopped = bench.run({ "runs", "stop", "1" });
    EXPECT_EQ(stopped.exitCode, 0) << stopped.err;
    const Finished attached = bench.run({ "runs", "attach", "1" });
    (void)attached; // it may already have ended: only the record counts
    std::string state = "running";
    for (int i = 0; i < 100 && state == "running"; ++i) {
        runProcess({ "sleep", "0.2" });
        state = parsed(bench.run({ "runs", "list", "--json" }).out)["runs"][0]["state"];
    }
    EXPECT_EQ(state, "stopped");
}

// What a batch system, a shutdown and `kill` do.
TEST(Train, aSignalToTheEngineStopsAfterTheBatchAndKeepsEveryStep)
{
    for (const char* signal : { "-TERM", "-INT", "-HUP" }) {
        const Bench bench;
        const Finished started = bench.run({ "train", bench.plan, "--data", bench.text, "--steps",
            "100000", "--detach", "--json" });
        ASSERT_EQ(started.exitCode, 0) << started.err;
        const std::string pid = std::to_string(parsed(started.out).value("pid", 0));
        for (int i = 0; i < 200 && bench.row("1")["steps"] == 0; ++i)
            runProcess({ "sleep", "0.1" });
        ASSERT_EQ(runProcess({ "kill", signal, pid }).exitCode, 0);
        ASSERT_TRUE(bench.waitForState("1", "stopped"))
            << signal << ": " << bench.row("1")["state"];
        const int steps = bench.row("1").value("steps", 0);
        EXPECT_GT(steps, 0);
        const Finished exported = bench.run({ "runs", "export", "1", "--csv" });
        ASSERT_EQ(exported.exitCode, 0) << exported.err;
        int next = 1;
        std::string last;
        for (const std::string_view line : split(trim(exported.out), '\n')) {
            last = std::string(split(line, ',').front());
            if (last == std::to_string(next))
                ++next;
        }
        EXPECT_EQ(next - 1, steps) << "from the first step to the last, none is missing";
        EXPECT_EQ(last, std::to_string(steps));
    }
}

TEST(Train, aRunThatDivergesSaysSoAndEndsAfterTenBatches)
{
    const Bench bench;
    const std::vector<std::string> words { "train", bench.plan, "--data", bench.text, "--lr", "1e5",
        "--json", "--steps" };
    std::vector<std::string> few = words, many = words;
    few.emplace_back("6");
    many.emplace_back("200");
    const Finished shortRun = bench.run(few);
    EXPECT_EQ(shortRun.exitCode, 0) << shortRun.err;
    const auto lines = split(trim(shortRun.out), '\n');
    ASSERT_EQ(lines.size(), 7u);
    const Json last = parsed(std::string(lines[5]));
    EXPECT_TRUE(last["grad_norm"].is_null()) << last;
    EXPECT_TRUE(last["loss"].is_null()) << last;
    const Finished longRun = bench.run(many);
    EXPECT_EQ(longRun.exitCode, 1);
    EXPECT_NE(longRun.err.find("diverged"), std::string::npos) << longRun.err;
    EXPECT_EQ(bench.row("2")["state"], "failed");
    EXPECT_LT(bench.row("2")["steps"], 40);
}

TEST(Train, filesThatAreNoTextAreNamed)
{
    const Bench bench;
    std::filesystem::create_directories(bench.folder.path() / "mix");
    (void)bench.folder.write("mix/a.txt", std::string(20000, 'a'));
    (void)bench.folder.write("mix/b.bin", std::string("zero\0bytes", 10));
    const Finished trained = bench.run(
        { "train", bench.plan, "--data", (bench.folder.path() / "mix").string(), "--steps", "2" });
    EXPECT_EQ(trained.exitCode, 0) << trained.err;
    EXPECT_NE(trained.err.find("b.bin' looks binary"), std::string::npos) << trained.err;
}

TEST(Train, aLaunchThatWouldBeRefusedLeavesNoRun)
{
    const Bench bench;
    expectRefusal(bench.run({ "train", bench.plan, "--data", bench.text, "--steps", "3",
                      "--threads-per-stage", "200" }),
        { "200 threads" });
    const std::string llama = (bench.folder.path() / "llama.plan.json").string();
    ASSERT_EQ(bench
                  .run({ "plan", "--model", "preset:llama-small", "--topology", "cpu:2",
                      "--batch-size", "4", "--seq", "32", "-o", llama })
                  .exitCode,
        0);
    expectRefusal(bench.run({ "train", llama, "--data", bench.text, "--steps", "3" }), { "llama" });
    EXPECT_TRUE(parsed(bench.run({ "runs", "list", "--json" }).out)["runs"].empty());
}

TEST(Train, missingTextIsOneSentence)
{
    const Bench bench;
    const std::string nowhere = (bench.folder.path() / "nowhere.txt").string();
    expectRefusal(
        bench.run({ "train", bench.plan, "--data", nowhere, "--steps", "3" }), { nowhere });
}

TEST(Train, anUnknownRunIsOneSentence)
{
    const Bench bench;
    expectRefusal(bench.run({ "runs", "show", "4711" }), { "4711" });
}

TEST(Train, anEndedRunIsNotTrainedAgain)
{
    const Bench bench;
    const std::string id = bench.trained();
    const Json before = bench.row(id);
    const Finished again = runProcess({ STAGELOOM_BIN_DIR "/stageloom-engine", "train", "--folder",
        before["folder"].get<std::string>(), "--store", bench.store, "--run", id });
    expectRefusal(again, { "run " + id, "finished", "stageloom train" });
    EXPECT_EQ(bench.row(id), before);
}

TEST(Train, storesBesideEachOtherSteerTheirOwnRunsOnly)
{
    const Bench bench;
    const auto in = [&](const char* store, std::vector<std::string> words) {
        words.insert(words.begin(), { "--store", (bench.folder.path() / store).string() });
        return test::stageloom(std::move(words), 60);
    };
    for (const char* store : { "a.sqlite", "b.sqlite" })
        ASSERT_EQ(
            in(store,
                { "train", bench.plan, "--data", bench.text, "--steps", "100000", "--detach" })
                .exitCode,
            0);
    EXPECT_EQ(in("a.sqlite", { "runs", "stop", "1" }).exitCode, 0);
    const auto stateIn = [&](const char* store) {
        return parsed(in(store, { "runs", "list", "--json" }).out)["runs"][0]["state"]
            .get<std::string>();
    };
    std::string state = "running";
    for (int i = 0; i < 100 && state == "running"; ++i) {
        runProcess({ "sleep", "0.2" });
        state = stateIn("a.sqlite");
    }
    EXPECT_EQ(state, "stopped");
    EXPECT_EQ(stateIn("b.sqlite"), "running");
    EXPECT_EQ(in("b.sqlite", { "runs", "stop", "--now", "1" }).exitCode, 0);
    (void)in("b.sqlite", { "runs", "attach", "1" });
}

TEST(Train, aCopyOfTheStoreRightAfterARunHasIt)
{
    const Bench bench;
    ASSERT_EQ(bench.run({ "train", bench.plan, "--data", bench.text, "--steps", "5" }).exitCode, 0);
    const std::string copy = (bench.folder.path() / "copy.sqlite").string();
    std::filesystem::copy_file(bench.store, copy);
    const Json rows
        = parsed(test::stageloom({ "--store", copy, "runs", "list", "--json" }).out)["runs"];
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0]["state"], "finished");
    EXPECT_EQ(rows[0]["steps"], 5);
}
