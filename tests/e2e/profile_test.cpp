// SPDX-License-Identifier: Apache-2.0
// Measured layer times, from the command to the file that the planner and the simulator read.
#include "tests/e2e/train_fixture.h"

using namespace stageloom;
using namespace stageloom::test;

namespace {

std::vector<std::string> profileWords(const std::vector<std::string>& more)
{
    std::vector<std::string> words { "profile", "--model", "preset:demo-gpt", "--seq", "32" };
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace

TEST(ProfileCommand, theFileItWritesIsReadByPlannerAndSimulator)
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "demo.profile.json").string();
    const Finished run = stageloom::test::stageloom(profileWords({ "--json", "-o", file }), 120);
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Json profile = parsed(run.out);
    // Embedding, four blocks, norm and head.
    ASSERT_EQ(profile["layers"].size(), 7u);
    double forward = 0, backward = 0;
    for (const Json& layer : profile["layers"]) {
        EXPECT_GT(layer["forward"].get<double>(), 0) << layer;
        EXPECT_GT(layer["recompute"].get<double>(), 0) << layer;
        EXPECT_GT(layer["backward"].get<double>(), 0) << layer;
        forward += layer["forward"].get<double>();
        backward += layer["backward"].get<double>();
    }
    EXPECT_EQ(profile["seq"], 32);
    EXPECT_NE(run.err.find("100 %"), std::string::npos) << run.err;

    // One stage alone: the simulator's makespan is the sum of the file's times.
    const Finished simulated
        = stageloom::test::stageloom({ "simulate", "--profile", file, "--devices", "1",
            "--microbatches", "3", "--batches", "1", "--schedule", "1f1b", "--json" });
    ASSERT_EQ(simulated.exitCode, 0) << simulated.err;
    EXPECT_NEAR(parsed(simulated.out)["makespan"].get<double>(), 3 * (forward + backward), 1e-9);

    const Finished planned = stageloom::test::stageloom({ "plan", "--model", "preset:demo-gpt",
        "--seq", "32", "--topology", "cpu:2", "--batch-size", "8", "--profile", file, "--json" });
    ASSERT_EQ(planned.exitCode, 0) << planned.err;
    EXPECT_EQ(parsed(planned.out)["plans"][0]["measured_times"], true);
}

TEST(ProfileCommand, theTableNamesEveryLayer)
{
    const Finished run = stageloom::test::stageloom(profileWords({}), 120);
    ASSERT_EQ(run.exitCode, 0) << run.err;
    for (const char* word : { "embedding", "block 3", "head", "RECOMPUTE", "optimizer step" })
        EXPECT_NE(run.out.find(word), std::string::npos) << "no '" << word << "' in\n" << run.out;
}

TEST(ProfileCommand, interruptedItWritesNothing)
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "never.json").string();
    // Long enough to be interrupted: twelve passes of a model of 124 million parameters.
    const Finished run = runProcess(
        { "timeout", "--preserve-status", "-s", "INT", "1", STAGELOOM_BIN_DIR "/stageloom",
            "profile", "--model", "preset:gpt2", "--seq", "64", "-o", file },
        60);
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("cancelled"), std::string::npos) << run.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ProfileCommand, whatCannotBeMeasuredIsOneSentence)
{
    const TemporaryFolder folder;
    const std::string nowhere = (folder.path() / "no/such/file.json").string();
    expectRefusal(stageloom::test::stageloom(profileWords({ "-o", nowhere })), { "no/such" });
    expectRefusal(stageloom::test::stageloom(profileWords({ "-o", folder.path().string() })),
        { folder.path().string() });
    expectRefusal(
        stageloom::test::stageloom(profileWords({ "--device", "cuda:0" })), { "STAGELOOM_CUDA" });
    expectRefusal(
        stageloom::test::stageloom({ "profile", "--model", "preset:none" }), { "none", "presets" });
    expectRefusal(
        stageloom::test::stageloom(profileWords({ "--stages", "8" })), { "7 layers", "8" });
    const Finished llama
        = stageloom::test::stageloom({ "profile", "--model", "preset:llama-small" });
    EXPECT_EQ(llama.exitCode, 1);
    EXPECT_EQ(llama.out, "");
    EXPECT_NE(llama.err.find("llama"), std::string::npos) << llama.err;
}
