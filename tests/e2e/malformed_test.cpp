// SPDX-License-Identifier: Apache-2.0
// Bad input gets one clear sentence that names the file; nothing crashes and nothing is left half
// written.
#include "tests/e2e/command_runner.h"

#include <fstream>

using namespace stageloom;
using namespace stageloom::test;

namespace {

const std::filesystem::path kCases
    = std::filesystem::path(STAGELOOM_SOURCE_DIR) / "../shared/cases";

void expectModelRefused(const std::string& path, const std::string& word)
{
    expectRefusal(stageloom::test::stageloom({ "model", "show", path }), { path, word });
}

} // namespace

TEST(Malformed, everyBrokenConfigOfTheCasesIsNamed)
{
    if (!std::filesystem::exists(kCases))
        GTEST_SKIP() << "the cases are not beside this checkout";
    expectModelRefused((kCases / "malformed/config-nan-hidden.json").string(), "line");
    expectModelRefused((kCases / "malformed/config-no-heads.json").string(), "head");
    expectModelRefused((kCases / "malformed/config-zero-heads.json").string(), "from 1 to");
}

TEST(Malformed, whatIsNoModelIsNamedWithoutAFreeze)
{
    const TemporaryFolder folder;
    expectModelRefused(folder.write("empty.json", ""), "empty");
    expectModelRefused(
        folder.write("picture.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)), "picture");
    expectModelRefused(folder.write("list.json", "[1, 2]"), "object");
    expectModelRefused(folder.path().string(), "config.json");
    const std::string huge = folder.write("huge.json", "");
    std::filesystem::resize_file(huge, std::uintmax_t(2) << 30);
    expectModelRefused(huge, "2.00 GiB");
}

TEST(Malformed, everyPlanThatIsCutShortIsRefused)
{
    const TemporaryFolder folder;
    const std::string whole = (folder.path() / "whole.plan.json").string();
    ASSERT_EQ(stageloom::test::stageloom({ "plan", "--model", "preset:gpt2", "--topology", "cpu:2",
                                             "--batch-size", "8", "--seq", "128", "-o", whole })
                  .exitCode,
        0);
    std::ifstream in(whole);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t length = 1; length < text.size() - 2; length += text.size() / 12) {
        const std::string cut = folder.write("cut.plan.json", text.substr(0, length));
        expectRefusal(stageloom::test::stageloom({ "verify", cut }), { cut });
    }
}

TEST(Malformed, aRefusedPlanWritesNoFile)
{
    const TemporaryFolder folder;
    const std::string target = (folder.path() / "none.plan.json").string();
    EXPECT_EQ(stageloom::test::stageloom({ "plan", "--model", "preset:gpt2-xl", "--topology",
                                             "rtx4090:1", "--batch-size", "8", "-o", target })
                  .exitCode,
        1);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

namespace {

// Every command that reads a document, given `file` where it belongs.
std::vector<std::vector<std::string>> readersOf(const std::string& file)
{
    return { { "model", "show", file }, { "topology", "show", file },
        { "plan", "--model", file, "--topology", "cpu:2", "--batch-size", "8" },
        { "plan", "--model", "preset:gpt2", "--topology", file, "--batch-size", "8" },
        { "plan", "--model", "preset:gpt2", "--topology", "cpu:2", "--batch-size", "8", "--profile",
            file },
        { "simulate", file },
        { "simulate", "--profile", file, "--devices", "1", "--microbatches", "2" },
        { "verify", file }, { "profile", "--model", file },
        { "train", file, "--data", file, "--steps", "2" } };
}

Json smallPlanDocument(const TemporaryFolder& folder)
{
    const std::string file = (folder.path() / "whole.plan.json").string();
    const Finished made = stageloom::test::stageloom({ "plan", "--model", "preset:demo-gpt",
        "--topology", "cpu:2", "--batch-size", "8", "--seq", "32", "-o", file });
    EXPECT_EQ(made.exitCode, 0) << made.err;
    return readJsonFile(file).value_or(Json());
}

} // namespace

TEST(Malformed, noCommandFallsOverWhatIsNoDocument)
{
    const TemporaryFolder folder;
    const std::string sparse = folder.write("sparse.json", "");
    std::filesystem::resize_file(sparse, std::uintmax_t(2) << 30);
    const std::string files[] = { (folder.path() / "missing.json").string(), folder.path().string(),
        sparse, folder.write("empty.json", ""), folder.write("zeros.json", std::string(300, '\0')),
        folder.write("picture.json", "\x89PNG\r\n\x1a\n and more"),
        folder.write("number.json", "7"),
        folder.write("large.json", R"({"unit":"s","layers":[{"forward":1e400,"backward":1}]})"),
        folder.write("deep.json", std::string(200000, '[') + std::string(200000, ']')),
        folder.write("deeper.json", R"({"a":)" + std::string(100000, '[')) };
    for (const std::string& file : files)
        for (const auto& words : readersOf(file)) {
            SCOPED_TRACE(words[0] + " " + words[1] + " with " + file);
            expectRefusal(stageloom::test::stageloom(words), { file });
        }
}

TEST(Malformed, aPlanWhoseStagesDoNotFitTogetherIsNeitherSimulatedNorTrained)
{
    const TemporaryFolder folder;
    const Json plan = smallPlanDocument(folder);
    const auto refused = [&](const char* place, const auto& change) {
        Json changed = plan;
        change(changed);
        const std::string file = folder.write("changed.plan.json", changed.dump());
        for (const auto& words : std::vector<std::vector<std::string>> { { "simulate", file },
                 { "verify", file }, { "train", file, "--data", file, "--steps", "1" } }) {
            SCOPED_TRACE(words[0] + " " + place);
            expectRefusal(stageloom::test::stageloom(words), { file, place });
        }
    };
    refused("/stages/1", [](Json& p) { p["stages"][1]["first_layer"] = 0; }); // overlap
    refused("/stages/1", [](Json& p) {
        p["stages"][1]["first_layer"] = p["stages"][1]["first_layer"].get<int>() + 1; // a gap
    });
    refused("/stages/0/devices", [](Json& p) { p["stages"][0]["devices"] = { 99 }; });
    refused("/stages", [](Json& p) { p["stages"] = Json::array(); });
    refused("/microbatches", [](Json& p) { p["microbatches"] = -4; });
    refused("/optimizer/learning_rate", [](Json& p) { p["optimizer"]["learning_rate"] = -1; });
    refused("/schedule", [](Json& p) { p["schedule"] = "2bww"; });
}

TEST(Malformed, numbersThatCannotBeAreRefusedOrWrongUse)
{
    const auto code = [](const std::vector<std::string>& words) {
        const Finished run = stageloom::test::stageloom(words);
        EXPECT_EQ(run.out, "") << words.back();
        EXPECT_NE(run.err, "") << words.back();
        return run.exitCode;
    };
    const std::vector<std::string> simulate { "simulate", "--stages", "2", "--forward", "1",
        "--backward", "1", "--microbatches", "2" };
    const auto with = [&](const char* option, const char* value) {
        auto words = simulate;
        words.insert(words.end(), { option, value });
        return words;
    };
    EXPECT_EQ(code(with("--hop", "nan")), 1);
    EXPECT_EQ(code(with("--recompute", "nan")), 1);
    EXPECT_EQ(code(with("--recompute", "often")), 2);
    EXPECT_EQ(code({ "simulate", "--stages", "2", "--forward", "1e308", "--backward", "1e308",
                  "--microbatches", "2" }),
        1);
    EXPECT_EQ(code({ "plan", "--model", "preset:gpt2", "--topology", "cpu:2", "--batch-size", "8",
                  "--memory-limit", "nan" }),
        1);
    for (const char* seed : { "-1", "1000000000000000000000" })
        EXPECT_EQ(code({ "train", "p.json", "--data", "t", "--seed", seed }), 1) << seed;
    EXPECT_EQ(code({ "train", "p.json", "--data", "t", "--seed", "x" }), 2);
}

TEST(Malformed, aFileOfAFewBytesIsNoStoreAndIsLeftAlone)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("note.txt", "7");
    expectRefusal(stageloom::test::stageloom({ "--store", file, "runs", "list" }), { file });
    EXPECT_EQ(std::filesystem::file_size(file), 1u);
}
