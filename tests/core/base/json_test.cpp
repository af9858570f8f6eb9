// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include <gtest/gtest.h>

namespace stageloom {

namespace {

void expectRefused(const std::string& text, const std::vector<std::string>& words)
{
    const Result<Json> json = parseJson(text, "file.json");
    ASSERT_FALSE(json) << text.substr(0, 80);
    for (const std::string& word : words)
        EXPECT_NE(json.error().message.find(word), std::string::npos)
            << "no '" << word << "' in: " << json.error().message;
}

} // namespace

TEST(Json, errorsNameTheLineAndTheColumn)
{
    expectRefused("{\n  \"a\": 1,\n  oops\n}", { "file.json", "line 3" });
    expectRefused(" \n", { "empty" });
}

TEST(Json, numbersBeyondADoubleAreAnErrorAndNoException)
{
    expectRefused(R"({"a":1e400})", { "file.json", "1e400" });
}

TEST(Json, nestingHasALimitThatStringsDoNotCountFor)
{
    const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_TRUE(parseJson(nested(500), "file.json"));
    expectRefused("\n" + nested(501), { "nested", "line 2, column 501" });
    EXPECT_TRUE(parseJson("\"" + std::string(1000, '[') + "\\\"[\"", "file.json"));
}

} // namespace stageloom
