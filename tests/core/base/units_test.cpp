// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <gtest/gtest.h>

using namespace stageloom;

TEST(Units, threeDigitsThatMatter)
{
    EXPECT_EQ(formatSeconds(0.398), "398 ms");
    EXPECT_EQ(formatSeconds(1.2345), "1.23 s");
    EXPECT_EQ(formatSeconds(135), "2 min 15 s");
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatCount(124439808), "124 M");
    EXPECT_EQ(formatPercent(0.1386), "13.9 %");
    EXPECT_EQ(formatRate(82300.4, "tokens"), "82,300 tokens/s");
    EXPECT_EQ(groupDigits(-1234567), "-1,234,567");
}

// A card that its vendor sells with 24 GB has 24 × 2^30 bytes; a link of 25 GB/s moves 25 × 10^9.
TEST(Units, memoryIsBinaryAndLinksAreDecimal)
{
    EXPECT_EQ(formatBytes(25769803776.0), "24.0 GiB");
    EXPECT_EQ(formatBytes(1536), "1.50 KiB");
    EXPECT_EQ(formatBytes(1073741823.0), "1.00 GiB");
    EXPECT_EQ(formatBandwidth(25e9), "25.0 GB/s");
    EXPECT_EQ(formatBandwidth(900), "900 B/s");
}

TEST(Units, estimatesSayTwoDigits)
{
    EXPECT_EQ(aboutRate(63975, "tokens"), "≈ 64 k tokens/s");
    EXPECT_EQ(aboutRate(1184, "tokens"), "≈ 1.2 k tokens/s");
    EXPECT_EQ(aboutRate(9.96, "samples"), "≈ 10 samples/s");
    EXPECT_EQ(aboutSeconds(13.47), "≈ 13 s");
    EXPECT_EQ(aboutSeconds(0.3804), "≈ 380 ms");
    EXPECT_EQ(aboutSeconds(0.0999), "≈ 100 ms");
    EXPECT_EQ(aboutSeconds(0), "≈ 0 s");
}

TEST(Units, sizesAreReadAsTheyAreWritten)
{
    EXPECT_EQ(parseBytes("22GB"), 22e9);
    EXPECT_EQ(parseBytes(" 22 gb "), 22e9);
    EXPECT_EQ(parseBytes("80GiB"), 80.0 * 1024 * 1024 * 1024);
    EXPECT_EQ(parseBytes("0.5MiB"), 524288.0);
    EXPECT_EQ(parseBytes("1e9"), 1e9);
    EXPECT_EQ(parseBytes("-3kB"), -3000.0);
    for (const char* word : { "", "GB", "22GX", "22 G B", "twenty", "22G" })
        EXPECT_FALSE(parseBytes(word)) << word;
}
