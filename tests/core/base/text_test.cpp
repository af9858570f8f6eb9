// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/base/text.h"

#include <gtest/gtest.h>

using namespace stageloom;

TEST(Text, nearestSuggestsASmallMisspellingAndNothingFarAway)
{
    const std::vector<std::string> names { "gpipe", "1f1b", "2bw" };
    EXPECT_EQ(nearest("gpip", names), "gpipe");
    EXPECT_EQ(nearest("2wb", names), "2bw");
    EXPECT_EQ(nearest("completely-else", names), "");
}

TEST(Text, splitKeepsEmptyParts)
{
    EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view> { "a", "", "b" }));
    EXPECT_EQ(trim(" \t x y\n"), "x y");
}

TEST(Json, anErrorNamesFileLineAndColumn)
{
    const auto bad = parseJson("{\n  \"a\": NaN\n}", "some.json");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("some.json: not valid JSON at line 2, column 8"),
        std::string::npos)
        << bad.error().message;
}

TEST(Nearest, offersATypoButNoStranger)
{
    EXPECT_EQ(nearest("gtp2", { "bert", "gpt2", "llama" }), "gpt2");
    EXPECT_EQ(nearest("adamww", { "sgd", "adam", "adamw" }), "adamw");
    EXPECT_EQ(nearest("zzz", { "sgd", "adam", "adamw" }), "");
    EXPECT_EQ(nearest("", { "sgd" }), "");
}
