// SPDX-License-Identifier: Apache-2.0
// Bad input gets one clear sentence that names the file; nothing crashes and nothing is left half written.
#include "tests/e2e/command_runner.h"

#include <fstream>

using namespace stageloom;
using namespace stageloom::test;

namespace {

const std::filesystem::path kCases = std::filesystem::path(STAGELOOM_SOURCE_DIR) / "../shared/cases";

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
    expectModelRefused((kCases / "malformed/config-zero-heads.json").string(), "at least 1");
}

TEST(Malformed, whatIsNoModelIsNamedWithoutAFreeze)
{
    const TemporaryFolder folder;
    expectModelRefused(folder.write("empty.json", ""), "empty");
    expectModelRefused(folder.write("picture.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)), "picture");
    expectModelRefused(folder.write("list.json", "[1, 2]"), "object");
    expectModelRefused(folder.path().string(), "config.json");
    const std::string huge = folder.write("huge.json", "");
    std::filesystem::resize_file(huge, std::uintmax_t(2) << 30);
    expectModelRefused(huge, "GB");
}

TEST(Malformed, everyPlanThatIsCutShortIsRefused)
{
    const TemporaryFolder folder;
    const std::string whole = (folder.path() / "whole.plan.json").string();
    ASSERT_EQ(stageloom::test::stageloom({ "plan", "--model", "preset:gpt2", "--topology", "cpu:2", "--batch-size", "8", "--seq", "128", "-o", whole }).exitCode, 0);
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
    EXPECT_EQ(stageloom::test::stageloom({ "plan", "--model", "preset:gpt2-xl", "--topology", "rtx4090:1", "--batch-size", "8", "-o", target }).exitCode, 1);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}
