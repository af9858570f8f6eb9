// SPDX-License-Identifier: Apache-2.0
// Standard output that is full, closed or no longer read, and a folder that is gone.
#include "tests/e2e/command_runner.h"

using namespace stageloom;
using namespace stageloom::test;

namespace {

const std::string kProgram = STAGELOOM_BIN_DIR "/stageloom";

Finished shell(const std::string& script)
{
    return runProcess({ "bash", "-c", script });
}

// A store and a plan, so that every command has something to print.
struct Things {
    TemporaryFolder folder;
    std::string plan = (folder.path() / "p.plan.json").string();
    std::string store = (folder.path() / "runs.sqlite").string();
    Things()
    {
        const Finished made = stageloom::test::stageloom({ "plan", "--model", "preset:demo-gpt",
            "--topology", "cpu:2", "--batch-size", "8", "--seq", "32", "-o", plan });
        EXPECT_EQ(made.exitCode, 0) << made.err;
    }
    [[nodiscard]] std::string command(const std::string& words) const
    {
        return kProgram + " --store " + store + " " + words;
    }
};

} // namespace

TEST(Streams, aFullOutputIsAFailureOfEveryCommandThatPrints)
{
    const Things things;
    for (const std::string& words : std::vector<std::string> { "model show preset:gpt2",
             "model show preset:gpt2 --json", "topology show cpu:4", "schedules", "completion bash",
             "plan --model preset:demo-gpt --topology cpu:2 --batch-size 8 --seq 32",
             "simulate " + things.plan, "simulate " + things.plan + " --json -n 200",
             "verify " + things.plan, "runs list", "runs list --json", "--help", "runs --help",
             "--version" }) {
        const Finished run = shell(things.command(words) + " > /dev/full");
        EXPECT_EQ(run.exitCode, 1) << words;
        EXPECT_NE(run.err.find("standard output cannot be written"), std::string::npos)
            << words << ": " << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << words << ": " << run.err;
    }
}

TEST(Streams, aReaderThatHasSeenEnoughIsNoFailure)
{
    const Things things;
    for (const char* form : { "--json", "--ascii" }) {
        const Finished run = shell(things.command("simulate " + things.plan + " -n 4000 " + form)
            + " | head -c 1; echo \" ${PIPESTATUS[0]}\"");
        EXPECT_EQ(run.out.substr(1), " 0\n") << run.out;
        EXPECT_EQ(run.err, "");
    }
}

TEST(Streams, aClosedOutputIsAFailureAndNeverTheRunStore)
{
    const Things things;
    const Finished run = shell(things.command("runs list") + " >&-");
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_NE(run.err.find("standard output"), std::string::npos) << run.err;
    const Finished after
        = stageloom::test::stageloom({ "--store", things.store, "runs", "list", "--json" });
    EXPECT_EQ(after.exitCode, 0) << after.err;
}

TEST(Streams, aFolderThatIsGoneIsOneSentence)
{
    const Things things;
    const std::string gone = (things.folder.path() / "gone").string();
    for (const std::string& words : std::vector<std::string> {
             "train " + things.plan + " --data text.txt", "--store other.sqlite runs list" }) {
        const Finished run = shell("mkdir " + gone + "; cd " + gone + "; rmdir " + gone + "; exec "
            + kProgram + " " + words);
        expectRefusal(run, {});
        EXPECT_TRUE(run.err.find("folder") != std::string::npos
            || run.err.find("other.sqlite") != std::string::npos)
            << run.err;
    }
}
