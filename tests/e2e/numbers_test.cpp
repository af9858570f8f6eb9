// SPDX-License-Identifier: Apache-2.0
// Numbers of a command line: decimal everywhere, refused with the option's name, never silently 0.
#include "tests/e2e/command_runner.h"

using namespace stageloom;
using namespace stageloom::test;

namespace {

std::vector<std::string> simulate(const std::vector<std::string>& more)
{
    std::vector<std::string> words { "simulate", "--stages", "4", "--schedule", "1f1b", "--json" };
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<std::string> timed(const std::string& forward, const std::string& microbatches)
{
    return simulate({ "--forward", forward, "--backward", "2", "-m", microbatches, "-n", "1" });
}

double makespan(const std::vector<std::string>& words)
{
    const Finished run = stageloom::test::stageloom(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return parsed(run.out).value("makespan", 0.0);
}

} // namespace

TEST(Numbers, aLeadingZeroChangesNothing)
{
    // 1F1B of one batch: (m + d − 1) × (forward + backward).
    EXPECT_EQ(makespan(timed("1", "010")), 13 * 3);
    EXPECT_EQ(makespan(timed("01", "+10")), 13 * 3);
    EXPECT_EQ(makespan(timed("010", "10")), 13 * 12);
    EXPECT_EQ(makespan(timed("1,1,1,1", "10")), 13 * 3);
    EXPECT_EQ(stageloom::test::stageloom(timed("1", "0x10")).exitCode, 2);
    expectRefusal(stageloom::test::stageloom({ "runs", "show", "010" }), { "no run 10" });
}

TEST(Numbers, anEmptyPlaceIsRefusedWithTheOptionsName)
{
    for (const char* forward : { "", " ", "1,,1,1", "1,1,1,", "," })
        expectRefusal(stageloom::test::stageloom(timed(forward, "4")), { "--forward", "empty" });
    expectRefusal(stageloom::test::stageloom(timed("1", "")), { "--microbatches" });
    expectRefusal(stageloom::test::stageloom(
                      simulate({ "--forward", "1", "--backward", "2", "-m", "4", "--csv", "" })),
        { "--csv", "empty" });
    expectRefusal(stageloom::test::stageloom({ "--store", "", "runs", "list" }), { "--store" });
}

TEST(Words, thatAreNotUtf8AreRefusedWithTheOptionsName)
{
    expectRefusal(
        stageloom::test::stageloom({ "train", "p.json", "--data", "t", "--name", "caf\xe9" }),
        { "--name", "byte 4", "0xe9" });
    expectRefusal(stageloom::test::stageloom({ "train", "p.json", "--data", "caf\xe9.txt" }),
        { "--data", "UTF-8" });
    expectRefusal(stageloom::test::stageloom({ "model", "show", "\xff" }), { "byte 1" });
    expectRefusal(stageloom::test::stageloom({ "model", "show", "café" }), { "café" });
}

TEST(Numbers, outOfRangeIsARefusalOfOneShortLine)
{
    const auto refused = [](const std::vector<std::string>& words, const std::string& option) {
        const Finished run = stageloom::test::stageloom(words);
        expectRefusal(run, { option });
        EXPECT_LT(run.err.size(), 120u) << run.err;
    };
    const auto with = [](const char* option, const char* value) {
        auto words = timed("1", "4");
        words.insert(words.end(), { option, value });
        return words;
    };
    refused(with("--hop", "-1"), "--hop");
    refused(with("--hop", "1e999"), "--hop");
    refused(with("--hop", "-inf"), "--hop");
    refused(with("--recompute", "-2"), "--recompute");
    for (const char* batches : { "99999999999999999999999999", "0" })
        refused(simulate({ "--forward", "1", "--backward", "2", "-m", "4", "-n", batches }),
            "--batches");
    refused(timed("-1", "4"), "--forward");
    refused({ "model", "show", "gpt2", "--seq", "-5" }, "--seq");
    refused({ "demo", "--devices", "65" }, "--devices");
    refused({ "train", "p.json", "--data", "t", "--lr", "0" }, "--lr");
    refused({ "train", "p.json", "--data", "t", "--seed", "-1" }, "--seed");
    refused({ "train", "p.json", "--data", "t", "--threads-per-stage", "100000" },
        "--threads-per-stage");
    refused({ "runs", "show", "0" }, "ID");
}

TEST(Numbers, aWordIsWrongUse)
{
    for (const char* word : { "four", "4x", "4.5", "--", "0b1" })
        EXPECT_EQ(stageloom::test::stageloom(timed("1", word)).exitCode, 2) << word;
    EXPECT_EQ(stageloom::test::stageloom(timed("1,one,1,1", "4")).exitCode, 2);
    EXPECT_EQ(stageloom::test::stageloom({ "runs", "show", "first" }).exitCode, 2);
}
