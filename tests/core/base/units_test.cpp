// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <gtest/gtest.h>

using namespace stageloom;

TEST(Units, threeDigitsThatMatter)
{
    EXPECT_EQ(formatSeconds(0.398), "398 ms");
    EXPECT_EQ(formatSeconds(1.2345), "1.23 s");
    EXPECT_EQ(formatSeconds(135), "2 min 15 s");
    EXPECT_EQ(formatBytes(19.04e9), "19.0 GB");
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatCount(124439808), "124 M");
    EXPECT_EQ(formatPercent(0.1386), "13.9 %");
    EXPECT_EQ(formatRate(82300.4, "tokens"), "82,300 tokens/s");
    EXPECT_EQ(groupDigits(-1234567), "-1,234,567");
    EXPECT_EQ(formatBytes(999.9e6), "1.00 GB");
}
