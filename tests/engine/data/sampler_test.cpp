// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text_source.h"

#include <gtest/gtest.h>
#include <set>

using namespace stageloom::engine;

namespace {

std::vector<std::uint8_t> ramp(std::size_t size)
{
    std::vector<std::uint8_t> text(size);
    for (std::size_t i = 0; i < size; ++i)
        text[i] = static_cast<std::uint8_t>(i);
    return text;
}

// The tokens of 12 samples, read in microbatches of b.
std::vector<std::int64_t> twelve(const Sampler& sampler, int b, std::int64_t seq)
{
    std::vector<std::int64_t> tokens(static_cast<std::size_t>(12 * seq)), targets(tokens.size());
    for (int k = 0; k < 12 / b; ++k)
        sampler.samples(k * b, b, tokens.data() + k * b * seq, targets.data() + k * b * seq);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        EXPECT_EQ(targets[i], (tokens[i] + 1) % 256) << "the successor in a ramp";
    return tokens;
}

} // namespace

TEST(Sampler, aSampleIsTheSameHoweverTheBatchIsCut)
{
    const auto text = ramp(250);
    const Sampler sampler(text, 7, 42);
    const auto whole = twelve(sampler, 12, 7);
    for (const int b : { 1, 2, 3, 4, 6 })
        EXPECT_EQ(twelve(sampler, b, 7), whole) << b;
    EXPECT_EQ(twelve(Sampler(text, 7, 42), 4, 7), whole);
    EXPECT_NE(twelve(Sampler(text, 7, 43), 4, 7), whole);
}

TEST(Sampler, everyWindowOfTheTextIsReachedAndNoneLeavesIt)
{
    const auto text = ramp(12);
    const Sampler sampler(text, 7, 1); // places 0 … 4
    std::set<std::int64_t> places;
    std::vector<std::int64_t> tokens(7), targets(7);
    for (int k = 0; k < 500; ++k) {
        sampler.samples(k, 1, tokens.data(), targets.data());
        places.insert(tokens[0]);
        EXPECT_LT(targets[6], 12);
    }
    EXPECT_EQ(places, (std::set<std::int64_t> { 0, 1, 2, 3, 4 }));
}

TEST(Sampler, theShortestTextThatHoldsAWindowWorks)
{
    const auto text = ramp(8);
    std::vector<std::int64_t> tokens(7), targets(7);
    Sampler(text, 7, 1).samples(3, 1, tokens.data(), targets.data());
    EXPECT_EQ(tokens[0], 0);
    EXPECT_EQ(targets[6], 7);
}
