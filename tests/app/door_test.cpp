// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a library throws leaves the commands as one sentence and exit code 1.
#include "app/commands/command.h"
#include "core/base/json.h"

#include <gmock/gmock.h>
#include <new>

namespace stageloom {

namespace {

using testing::HasSubstr;

struct Left {
    int code;
    std::string words;
};

template <typename Body> Left through(const Body& body)
{
    testing::internal::CaptureStderr();
    const int code = throughTheDoor([&]() -> int {
        body();
        return 0;
    });
    return { code, testing::internal::GetCapturedStderr() };
}

void expectSentence(const Left& left, const char* word)
{
    EXPECT_EQ(left.code, 1);
    EXPECT_THAT(left.words, testing::StartsWith("stageloom: "));
    EXPECT_THAT(left.words, HasSubstr(word));
    EXPECT_EQ(std::count(left.words.begin(), left.words.end(), '\n'), 1) << left.words;
}

} // namespace

TEST(Door, saysWhatLibrariesThrow)
{
    expectSentence(through([] { throw std::bad_alloc(); }), "memory");
    expectSentence(through([] { static_cast<void>(Json(7).at("key")); }), "JSON");
    expectSentence(through([] { static_cast<void>(std::string("a").at(5)); }), "report");
    expectSentence(through([] {
        throw std::filesystem::filesystem_error(
            "status", "/some/where", std::make_error_code(std::errc::permission_denied));
    }),
        "/some/where");
}

TEST(Door, leavesACodeAlone)
{
    EXPECT_EQ(throughTheDoor([] { return 0; }), 0);
    EXPECT_EQ(throughTheDoor([] { return 2; }), 2);
}

} // namespace stageloom
