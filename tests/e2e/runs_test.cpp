// SPDX-License-Identifier: Apache-2.0
// What `runs …` does with runs that really trained.
#include "core/base/files.h"
#include "tests/e2e/train_fixture.h"

#include <fstream>

using namespace stageloom;
using namespace stageloom::test;

namespace {

std::string textOf(const std::filesystem::path& file)
{
    return readTextFile(file, 64u << 20).value_or("");
}

} // namespace

TEST(Runs, aFinishedRunIsExportedInEveryFormAndOrderOfWords)
{
    const TrainBench bench;
    const std::string id = bench.trained();
    const std::string csv = (bench.folder.path() / "run.csv").string();
    ASSERT_EQ(bench.run({ "runs", "export", id, "--csv", csv }).exitCode, 0);
    const std::string behind = textOf(csv);
    EXPECT_EQ(behind.substr(0, 9), "step,time");
    std::filesystem::remove(csv);
    const Finished before = bench.run({ "runs", "export", "--csv", csv, id });
    ASSERT_EQ(before.exitCode, 0) << before.err;
    EXPECT_EQ(textOf(csv), behind);
    const Finished standard = bench.run({ "runs", "export", "--csv", id });
    ASSERT_EQ(standard.exitCode, 0) << standard.err;
    EXPECT_EQ(standard.out, behind);

    const std::string chrome = (bench.folder.path() / "run.trace.json").string();
    ASSERT_EQ(bench.run({ "runs", "export", id, "--chrome-trace", chrome }).exitCode, 0);
    const Json trace = parsed(textOf(chrome));
    const Json& events = trace.is_array() ? trace : trace["traceEvents"];
    int forwards = 0;
    for (const Json& event : events)
        forwards += event.value("ph", "") == "X"
                && event.value("name", "").find('F') != std::string::npos
            ? 1
            : 0;
    const Json plan = bench.row(id)["plan"];
    const int microbatches = plan["microbatches"], stages = int(plan["stages"].size());
    EXPECT_EQ(forwards, 6 * microbatches * stages) << "six steps";

    const Json whole = parsed(bench.run({ "runs", "export", id, "--json" }).out);
    ASSERT_EQ(whole["metrics"].size(), 6u) << "six steps, the evaluation is part of the last";
    EXPECT_TRUE(whole["metrics"][5]["loss"].is_number());
    EXPECT_TRUE(whole["metrics"][5]["validation_loss"].is_number());
    EXPECT_EQ(std::count(behind.begin(), behind.end(), '\n'), 7) << behind;
    EXPECT_FALSE(whole["trace"].is_null());
    expectRefusal(bench.run({ "runs", "export", id }), { "--csv" });
    expectRefusal(bench.run({ "runs", "export", id, "--csv", "--json" }), { "FILE" });
    expectRefusal(bench.run({ "runs", "export", "99", "--csv" }), { "99" });
}

TEST(Runs, compareShowsWhatDiffers)
{
    const TrainBench bench;
    const std::string one = bench.trained({ "--seed", "1" }),
                      two = bench.trained({ "--seed", "2" });
    const Finished text = bench.run({ "runs", "compare", one, two });
    ASSERT_EQ(text.exitCode, 0) << text.err;
    EXPECT_NE(text.out.find("/seed"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("the plans are the same"), std::string::npos) << text.out;
    const Json document = parsed(bench.run({ "runs", "compare", one, two, "--json" }).out);
    ASSERT_EQ(document["request_differences"].size(), 1u) << document;
    EXPECT_EQ(document["request_differences"][0]["path"], "/seed");
    EXPECT_EQ(document["request_differences"][0]["values"], Json({ 1, 2 }));
    EXPECT_TRUE(document["plan_differences"].empty());
    expectRefusal(bench.run({ "runs", "compare", one }), { "second" });
}

TEST(Runs, aPausedRunStandsStillUntilItIsContinued)
{
    const TrainBench bench;
    ASSERT_EQ(bench
                  .run({ "train", bench.plan, "--data", bench.text, "--steps", "100000", "--detach",
                      "--json" })
                  .exitCode,
        0);
    // Past the second batch, so that a rate is known.
    for (int i = 0; i < 100 && bench.row("1")["steps"].get<std::int64_t>() < 4; ++i)
        runProcess({ "sleep", "0.2" });
    ASSERT_EQ(bench.run({ "runs", "pause", "1" }).exitCode, 0);
    // Once two looks a second apart show the same step, it stands.
    std::int64_t last = -1;
    bool stands = false;
    for (int i = 0; i < 20 && !stands; ++i) {
        runProcess({ "sleep", "1.5" }); // the store is written once a second
        const std::int64_t now = bench.row("1")["steps"];
        stands = std::exchange(last, now) == now && now > 0;
    }
    EXPECT_TRUE(stands);
    EXPECT_EQ(bench.row("1")["state"], "paused");
    EXPECT_EQ(parsed(bench.run({ "runs", "list", "--json" }).out)["runs"][0]["state"], "paused");
    EXPECT_NE(bench.run({ "runs", "list" }).out.find("paused"), std::string::npos);
    expectRefusal(bench.run({ "runs", "delete", "1" }), { "1" });
    ASSERT_EQ(bench.run({ "runs", "continue", "1" }).exitCode, 0);
    EXPECT_EQ(bench.row("1")["state"], "running");
    bool moved = false;
    for (int i = 0; i < 20 && !moved; ++i) {
        runProcess({ "sleep", "1.5" });
        moved = bench.row("1")["steps"].get<std::int64_t>() > last;
    }
    EXPECT_TRUE(moved);
    expectRefusal(bench.run({ "runs", "checkpoint", "1" }), { "checkpoint" });
    ASSERT_EQ(bench.run({ "runs", "stop", "1", "--now" }).exitCode, 0);
    EXPECT_TRUE(bench.waitForState("1", "stopped"));
    // Seconds of standing still are no bubble.
    EXPECT_LT(bench.row("1")["bubble_fraction_measured"].get<double>(), 0.75);
    expectRefusal(bench.run({ "runs", "stop", "1" }), { "stopped" });
    EXPECT_EQ(bench.run({ "runs", "delete", "1" }).exitCode, 0);
    expectRefusal(bench.run({ "runs", "show", "1" }), { "1" });
}

TEST(Runs, anInterruptStopsTheRunAfterItsBatchAndIsNoFailure)
{
    const TrainBench bench;
    const Finished run
        = runProcess({ "timeout", "--preserve-status", "-s", "INT", "4",
                         STAGELOOM_BIN_DIR "/stageloom", "--store", bench.store, "train",
                         bench.plan, "--data", bench.text, "--steps", "100000", "--json" },
            60);
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const auto lines = split(trim(run.out), '\n');
    const Json end = parsed(std::string(lines.back()));
    EXPECT_EQ(end["state"], "stopped");
    const auto steps = std::count_if(lines.begin(), lines.end(),
        [](std::string_view line) { return line.find("\"loss\"") != std::string_view::npos; });
    EXPECT_EQ(end["steps"], int(steps)) << "every step was printed";
    EXPECT_GT(end["steps"], 0);
}

TEST(Runs, attachFollowsToTheEnd)
{
    const TrainBench bench;
    ASSERT_EQ(bench
                  .run({ "train", bench.plan, "--data", bench.text, "--steps", "150", "--detach",
                      "--json" })
                  .exitCode,
        0);
    const Finished followed = bench.run({ "runs", "attach", "1", "--json" });
    ASSERT_EQ(followed.exitCode, 0) << followed.err;
    const auto lines = split(trim(followed.out), '\n');
    const Json end = parsed(std::string(lines.back()));
    EXPECT_EQ(end["steps"], 150);
    EXPECT_EQ(end["state"], "finished");
    // Shown afterwards, the run has all that was asked for.
    const Json row = bench.row("1");
    EXPECT_EQ(row["state"], "finished");
    EXPECT_EQ(row["request"]["steps"], 150);
    EXPECT_FALSE(row["environment"]["engine"].is_null());
    const Finished shown = bench.run({ "runs", "show", "1" });
    EXPECT_NE(shown.out.find("150 of 150 steps"), std::string::npos) << shown.out;
}

TEST(Runs, aPlanForGpusIsRefusedByTheEngineWithTheBuildOption)
{
    const TrainBench bench;
    const std::string plan = (bench.folder.path() / "gpu.plan.json").string();
    ASSERT_EQ(bench
                  .run({ "plan", "--model", "preset:demo-gpt", "--topology", "rtx4090:2",
                      "--batch-size", "8", "--width", "1", "-o", plan })
                  .exitCode,
        0);
    expectRefusal(bench.run({ "train", plan, "--data", bench.text, "--steps", "2" }),
        { "RTX 4090", "STAGELOOM_CUDA", "cpu:" });
    EXPECT_TRUE(parsed(bench.run({ "runs", "list", "--json" }).out)["runs"].empty())
        << "a refusal leaves no run behind";
}

TEST(Runs, aKilledEngineIsAnErrorThatNamesTheSignal)
{
    const TrainBench bench;
    const std::string script = fmt::format(
        "{0}/stageloom --store {1} train {2} --data {3} --steps 100000 & client=$!; n=0; "
        "until pid=$(pgrep -f '[s]tageloom-engine train --folder {4}') || [ $((n += 1)) -gt 300 ]; "
        "do sleep 0.1; done; sleep 2; kill -9 $pid; wait $client",
        STAGELOOM_BIN_DIR, bench.store, bench.plan, bench.text, bench.folder.path().string());
    const Finished run = runProcess({ "sh", "-c", script }, 60);
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_NE(run.err.find("signal 9 (Killed)"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("Training starts"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("memory killer"), std::string::npos) << run.err;
    EXPECT_EQ(bench.row("1")["state"], "failed") << "who started it saw how it was killed";
}

TEST(Runs, aNameOfAnyLengthStaysOneRowOfTheTable)
{
    const TrainBench bench;
    const std::string name = "first\nsecond\t" + std::string(300, 'x') + "\x1b[31m";
    const std::string id = bench.trained({ "--name", name });
    const Finished listed = bench.run({ "runs", "list" });
    EXPECT_EQ(std::count(listed.out.begin(), listed.out.end(), '\n'), 2) << listed.out;
    EXPECT_NE(listed.out.find("first second xxx"), std::string::npos) << listed.out;
    EXPECT_NE(listed.out.find("…"), std::string::npos);
    EXPECT_EQ(listed.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(listed.out.find(std::string(100, 'x')), std::string::npos);
    EXPECT_EQ(bench.row(id)["name"], "first\nsecond\t" + std::string(300, 'x') + "\\x1b[31m")
        << "JSON has it whole, without what a terminal obeys";
}
