// SPDX-License-Identifier: Apache-2.0
// The commands as scripts see them: exit codes, streams, and the documents of the contract.
#include "core/base/files.h"
#include "tests/e2e/command_runner.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

using namespace stageloom;
using namespace stageloom::test;

namespace {

const std::vector<std::string> kWorkedExample { "simulate", "--stages", "4", "--forward", "1",
    "--backward", "2", "--microbatches", "4", "--batches", "4", "--schedule", "2bw" };

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// Every command that is offered, "runs list" for one, as the completion script has them.
std::vector<std::string> commandPaths()
{
    const std::string script = stageloom::test::stageloom({ "completion", "bash" }).out;
    const std::string before = "case \"$next\" in ", after = ") path=$next";
    const std::size_t begin = script.find(before) + before.size();
    std::vector<std::string> paths;
    for (const std::string_view path :
        split(std::string_view(script).substr(begin, script.find(after) - begin), '|'))
        paths.emplace_back(path.substr(1, path.size() - 2)); // 'runs list'
    return paths;
}

} // namespace

TEST(Commands, simulateAnswersTheWorkedExampleOfThePaper)
{
    const Finished run = stageloom::test::stageloom(with(kWorkedExample, { "--json" }));
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Json document = parsed(run.out);
    EXPECT_TRUE(document["time_unit"].is_null());
    EXPECT_EQ(document["makespan"], 57);
    EXPECT_EQ(document["period_per_batch"], 12);
    EXPECT_EQ(document["period_per_microbatch"], 3);
    EXPECT_NEAR(document["bubble_fraction"].get<double>(), 9.0 / 57, 1e-6);
    EXPECT_EQ(document["stages"][0]["busy"], 48);
    EXPECT_EQ(document["stages"][0]["idle"], 9);
    EXPECT_EQ(document["stages"][0]["peak_stash"], 4);
    EXPECT_EQ(document["stages"][0]["peak_versions"], 2);
    const auto& spans = document["spans"];
    const auto forwardNine = std::find_if(spans.begin(), spans.end(), [](const Json& span) {
        return span["kind"] == "F" && span["stage"] == 0 && span["microbatch"] == 9;
    });
    ASSERT_NE(forwardNine, spans.end());
    EXPECT_EQ((*forwardNine)["start"], 24);
    EXPECT_EQ((*forwardNine)["end"], 25);
    EXPECT_EQ((*forwardNine)["version"], 1);
    EXPECT_EQ((*forwardNine)["batch"], 2);
}

TEST(Commands, fillingIsToldOnceOrOfEachBatchAsTheScheduleHasIt)
{
    const auto simulated = [](const char* schedule, const char* batches) {
        return stageloom::test::stageloom(
            { "simulate", "--stages", "4", "--forward", "1", "--backward", "2", "--microbatches",
                "4", "--batches", batches, "--schedule", schedule })
            .out;
    };
    EXPECT_THAT(simulated("2bw", "4"), testing::HasSubstr("3 and 6, once\n"));
    EXPECT_THAT(simulated("1f1b", "4"), testing::HasSubstr("3 and 6, each batch\n"));
    // (d-1)·(f+b) of every batch's (m+d-1)·(f+b).
    EXPECT_THAT(simulated("1f1b", "4"), testing::HasSubstr("steady bubble          42.9 %\n"));
    EXPECT_THAT(simulated("2bw", "2"), testing::HasSubstr("not seen in so few batches"));
}

TEST(Commands, simulateRefusesTooFewMicrobatchesWithTheSmallestLegalBatch)
{
    expectRefusal(stageloom::test::stageloom({ "simulate", "--stages", "4", "--forward", "1",
                      "--backward", "2", "--microbatches", "3", "--schedule", "2bw" }),
        { "3", "4" });
}

TEST(Commands, wrongUseIsExitCodeTwo)
{
    EXPECT_EQ(stageloom::test::stageloom({ "simulate", "--stages", "four" }).exitCode, 2);
    EXPECT_EQ(stageloom::test::stageloom({ "--no-such-option" }).exitCode, 2);
    EXPECT_EQ(stageloom::test::stageloom({ "no-such-command" }).exitCode, 2);
    EXPECT_EQ(stageloom::test::stageloom({ "model" }).exitCode, 2);
}

TEST(Commands, aFolderOfTheSameNameHidesNoCommand)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "schedules");
    // With a display at hand, where a file would open the window.
    const Finished run = runProcess({ "env", "-C", folder.path().string(),
        "QT_QPA_PLATFORM=offscreen", STAGELOOM_BIN_DIR "/stageloom", "schedules" });
    EXPECT_NE(run.exitCode, 124) << "the window stays open";
    const Finished elsewhere = stageloom::test::stageloom({ "schedules" });
    EXPECT_EQ(run.exitCode, elsewhere.exitCode) << run.err;
    EXPECT_EQ(run.out.empty(), elsewhere.out.empty()); // without an engine it prints nothing
    EXPECT_NE(run.out + run.err, "");
}

// The window's program is stood in for by one that prints the words it is given.
TEST(Commands, noCommandBecomesTheWindowWithTheSameWords)
{
    const TemporaryFolder folder;
    const std::string plan = folder.write("p.plan.json", "{}");
    const auto open = [&](const std::string& display, std::vector<std::string> words) {
        words.insert(words.begin(),
            { "env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM=" + display,
                "STAGELOOM_WINDOW=/bin/echo", STAGELOOM_BIN_DIR "/stageloom" });
        return runProcess(words);
    };
    EXPECT_EQ(open("offscreen", {}).out, "\n");
    EXPECT_EQ(open("offscreen", { plan }).out, plan + "\n");
    EXPECT_EQ(open("offscreen", { "--store", "x", plan }).out, "--store x " + plan + "\n");
    EXPECT_NE(open("offscreen", { "schedules" }).out.find("1f1b"), std::string::npos);
    EXPECT_EQ(open("offscreen", { plan, plan }).exitCode, 2);
    EXPECT_NE(open("", {}).out.find("COMMAND"), std::string::npos) << "no display: the help";
    EXPECT_EQ(open("", { plan }).exitCode, 2);
}

TEST(Commands, aWindowThatIsNotBuiltIsOneSentenceWithItsRemedy)
{
    const TemporaryFolder folder;
    const std::string nowhere = (folder.path() / "no-window").string();
    expectRefusal(runProcess({ "env", "QT_QPA_PLATFORM=offscreen", "STAGELOOM_WINDOW=" + nowhere,
                      STAGELOOM_BIN_DIR "/stageloom" }),
        { nowhere, "packaging/run", "core" });
}

TEST(Commands, aWordThatIsNothingIsOneSentence)
{
    const Finished run = stageloom::test::stageloom({ "--store", "x.sqlite", "no-such-thing" });
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.err,
        "stageloom: no-such-thing is neither a file nor a command of Stageloom; see --help\n");
}

TEST(Commands, everyCommandHasHelpWithAnExample)
{
    const std::vector<std::string> commands = commandPaths();
    EXPECT_THAT(commands, testing::IsSupersetOf({ "demo", "model show", "runs export" }));
    for (const std::string& command : commands) {
        std::vector<std::string> words;
        for (const std::string_view word : split(command, ' '))
            words.emplace_back(word);
        words.emplace_back("--help");
        const Finished run = stageloom::test::stageloom(words);
        EXPECT_EQ(run.exitCode, 0) << command;
        const std::size_t examples = run.out.find("Example");
        ASSERT_NE(examples, std::string::npos) << command << ":\n" << run.out;
        EXPECT_NE(run.out.find("stageloom " + command, examples), std::string::npos)
            << command << ":\n"
            << run.out;
    }
    // What this version does not do is not offered as if it did.
    const Finished runs = stageloom::test::stageloom({ "runs", "--help" });
    EXPECT_EQ(runs.out.find("resume"), std::string::npos) << runs.out;
    EXPECT_NE(runs.out.find("coming"), std::string::npos) << runs.out;
}

TEST(Commands, noOutputReplacesWhatIsRead)
{
    const TemporaryFolder folder;
    const auto in = [&](const char* name) { return (folder.path() / name).string(); };
    const std::string plan = in("p.plan.json"), config = in("config.json"), other = in("other");
    const std::string shown
        = stageloom::test::stageloom({ "topology", "show", "cpu:2", "--json" }).out;
    ASSERT_TRUE(writeFileAtomically(in("t.json"), shown));
    std::filesystem::copy_file(
        std::filesystem::path(STAGELOOM_SOURCE_DIR) / "resources/presets/models/demo-gpt.json",
        config);
    const std::vector<std::string> planning { "plan", "--model", config, "--topology", in("t.json"),
        "--batch-size", "8", "--schedule", "2bw,all" };
    const auto runWith
        = [](const std::vector<std::string>& words, const std::vector<std::string>& more) {
              return stageloom::test::stageloom(with(words, more));
          };
    ASSERT_EQ(runWith(planning, { "-o", plan }).exitCode, 0);
    const auto size = std::filesystem::file_size(plan);
    std::filesystem::create_symlink(plan, in("link"));
    expectRefusal(runWith(planning, { "-o", config }), { "--output", "the model", config });
    expectRefusal(runWith(planning, { "-o", in("t.json") }), { "--output", "the topology" });
    for (const std::string& named : { plan, folder.path().string() + "/./p.plan.json", in("link") })
        for (const char* option : { "--csv", "--chrome-trace" })
            expectRefusal(runWith({ "simulate", plan }, { option, named }), { option, "the plan" });
    expectRefusal(runWith({ "simulate", plan }, { "--csv", other, "--chrome-trace", other }),
        { "--csv", "--chrome-trace" });
    EXPECT_FALSE(std::filesystem::exists(other));
    EXPECT_EQ(std::filesystem::file_size(plan), size);
    EXPECT_EQ(runWith({ "simulate", plan }, { "--csv", "/dev/null", "--chrome-trace", "/dev/null" })
                  .exitCode,
        0);
}

TEST(Commands, everyOptionsWordsStandInOneColumn)
{
    const Finished run = stageloom::test::stageloom({ "simulate", "--help" });
    for (const std::string_view line : split(run.out, '\n'))
        if (line.starts_with("  -") && line.size() > 30) {
            EXPECT_NE(line[30], ' ') << line;
            EXPECT_EQ(line[29], ' ') << line;
        }
    // What completion offers is chosen by an option's type.
    const std::string script = stageloom::test::stageloom({ "completion", "bash" }).out;
    for (const char* kind : { "'plan --model') kind='MODEL'", "'plan --topology') kind='TOPOLOGY'",
             "'plan --schedule') kind='SCHEDULE'", "'plan --dtype') kind='DTYPE'",
             "'plan --optimizer') kind='OPTIMIZER'" })
        EXPECT_NE(script.find(kind), std::string::npos) << kind;
}

TEST(Commands, aPlanIsMadeSavedSimulatedAndVerified)
{
    const TemporaryFolder folder;
    const std::string plan = (folder.path() / "p.plan.json").string();
    const Finished made = stageloom::test::stageloom(
        { "plan", "--model", "preset:gpt2", "--topology", "dgx1-v100-16g", "--batch-size", "64",
            "--seq", "512", "--dtype", "fp16", "-o", plan, "--json" });
    ASSERT_EQ(made.exitCode, 0) << made.err;
    const Json best = parsed(made.out)["plans"][0];
    EXPECT_EQ(best["width"].get<int>() * best["depth"].get<int>(), 8);
    EXPECT_LE(best["peak_memory_bytes"].get<double>(), 16.0 * 1024 * 1024 * 1024);
    const Finished simulated = stageloom::test::stageloom({ "simulate", plan, "--json" });
    ASSERT_EQ(simulated.exitCode, 0) << simulated.err;
    EXPECT_EQ(parsed(simulated.out)["time_unit"], "s");
    EXPECT_EQ(stageloom::test::stageloom({ "verify", plan }).exitCode, 0);
}

TEST(Commands, aPlanThatCannotFitSaysWhichStageAndCategoryAndByHowMuch)
{
    const Finished run = stageloom::test::stageloom(
        { "plan", "--model", "preset:gpt2-xl", "--topology", "rtx4090:1", "--batch-size", "8" });
    expectRefusal(run, { "stage 0", "GiB" });
}

TEST(Commands, aStoreThatIsNoDatabaseIsRefusedAndLeftAlone)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("runs.sqlite",
        "this is a letter, not a database; long enough to have a header's length, and more than "
        "that");
    expectRefusal(stageloom::test::stageloom({ "--store", file, "runs", "list" }), { file });
}

TEST(Commands, aPlanOfVeryManyUnknownKeysIsReadInTime)
{
    const TemporaryFolder folder;
    const std::string plan = (folder.path() / "a.plan.json").string();
    ASSERT_EQ(test::stageloom({ "plan", "--model", "preset:demo-gpt", "--topology", "cpu:2",
                                  "--batch-size", "8", "-o", plan })
                  .exitCode,
        0);
    std::string text = readTextFile(plan, 1 << 20).value();
    text.erase(text.rfind('}'));
    for (int i = 0; i < 300'000; ++i)
        text += ",\"k" + std::to_string(i) + "\":1";
    const Finished checked
        = test::stageloom({ "verify", folder.write("wide.plan.json", text + "}") });
    EXPECT_EQ(checked.exitCode, 0) << checked.err;
    EXPECT_LT(checked.out.size() + checked.err.size(), 10'000u);
}

TEST(Commands, outputGoesIntoStreamsAndThroughLinks)
{
    const TemporaryFolder folder;
    const auto planInto = [&](const std::string& place) {
        return test::stageloom({ "plan", "--model", "preset:demo-gpt", "--topology", "cpu:2",
            "--batch-size", "8", "-o", place });
    };
    const Finished printed = planInto("/dev/stdout");
    EXPECT_EQ(printed.exitCode, 0) << printed.err;
    EXPECT_NE(printed.out.find("\"microbatches\""), std::string::npos) << printed.out;
    const std::string link = (folder.path() / "link").string(),
                      real = folder.write("real.json", "old");
    std::filesystem::create_symlink(real, link);
    EXPECT_EQ(planInto(link).exitCode, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_NE(readTextFile(real, 1 << 20).value(), "old");
}
