// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/decimation.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace stageloom;

namespace {

std::vector<double> noise(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& value : values)
        value = normal(random);
    return values;
}

void expectLikeAWalk(const MinMaxPyramid& pyramid, const std::vector<double>& values)
{
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
        const std::size_t from = random() % values.size();
        const std::size_t to = from + 1 + random() % (values.size() - from);
        const auto [low, high] = std::minmax_element(
            values.begin() + static_cast<long>(from), values.begin() + static_cast<long>(to));
        const MinMax got = pyramid.range(from, to);
        ASSERT_EQ(got.low, *low) << from << " " << to;
        ASSERT_EQ(got.high, *high) << from << " " << to;
    }
}

} // namespace

TEST(MiddleOf, leavesTheRarestOutAtEitherEnd)
{
    std::vector<double> values;
    for (int i = 0; i <= 100; ++i)
        values.push_back((i * 37) % 101); // 0 … 100, shuffled
    EXPECT_EQ(middleOf(values, 0.02).low, 2);
    EXPECT_EQ(middleOf(values, 0.02).high, 98);
    EXPECT_EQ(middleOf(values, 0).high, 100);
    EXPECT_EQ(middleOf({ 3, std::nan(""), 5 }, 0.02).low, 3); // few: all count
    EXPECT_TRUE(middleOf({ std::nan("") }, 0.02).empty());
    EXPECT_TRUE(middleOf({}, 0.02).empty());
}

TEST(MinMaxPyramid, answersLikeAWalkHoweverItWasFilled)
{
    for (const std::size_t count : { 1UL, 16UL, 17UL, 255UL, 256UL, 257UL, 4097UL }) {
        const auto values = noise(count, static_cast<unsigned>(count));
        MinMaxPyramid whole, grown;
        whole.assign(values);
        for (const double value : values)
            grown.append(value);
        expectLikeAWalk(whole, values);
        expectLikeAWalk(grown, values);
    }
}

TEST(Decimation, keepsEveryExtremeOfEveryColumn)
{
    auto values = noise(50'000, 4);
    values[31'337] = 90; // one spike, one dip
    values[12'345] = -70;
    std::vector<double> x(values.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<double>(i);
    MinMaxPyramid pyramid;
    pyramid.assign(values);
    const auto points = decimate(x, pyramid, 0, 50'000, 500);
    EXPECT_LE(points.size(), 1002U);
    double high = -1e9, low = 1e9;
    for (const DrawnPoint& p : points) {
        high = std::max(high, p.y);
        low = std::min(low, p.y);
    }
    EXPECT_EQ(high, 90);
    EXPECT_EQ(low, -70);
    for (std::size_t i = 1; i < points.size(); ++i)
        ASSERT_LE(points[i - 1].x, points[i].x);
}

TEST(Decimation, drawsFewPointsAsTheyAre)
{
    const std::vector<double> x { 0, 1, 2, 3, 4 }, values { 5, 4, 3, 2, 1 };
    MinMaxPyramid pyramid;
    pyramid.assign(values);
    const auto points = decimate(x, pyramid, 1.5, 2.5, 100);
    ASSERT_EQ(points.size(), 3U); // 1 and 3 lie outside: the line runs to them
    EXPECT_EQ(points.front().x, 1);
    EXPECT_EQ(points.back().y, 2);
}

TEST(Smoothing, aSlopeIsFollowedToItsEnds)
{
    std::vector<double> line;
    for (int i = 0; i < 60; ++i)
        line.push_back(7.2 - 0.1 * i); // a mean of the past would lie a tenth a step above it
    const std::vector<double> got = smoothed(line, 0.9);
    for (std::size_t i = 0; i < line.size(); ++i)
        EXPECT_NEAR(got[i], line[i], 1e-9) << i;
}

// Against the weighted least squares written out.
TEST(Smoothing, isTheLineThatFitsBest)
{
    const std::vector<double> values { 4, 0, 8, std::nan(""), 5, 1 };
    const double weight = 0.5;
    const std::vector<double> got = smoothed(values, weight);
    for (std::size_t i = 0; i < values.size(); ++i) {
        double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
        for (std::size_t j = 0; j < values.size(); ++j) {
            if (std::isnan(values[j]))
                continue;
            const double d = static_cast<double>(j) - static_cast<double>(i);
            const double w = std::pow(weight, std::fabs(d));
            s0 += w;
            s1 += w * d;
            s2 += w * d * d;
            t0 += w * values[j];
            t1 += w * d * values[j];
        }
        EXPECT_NEAR(got[i], (s2 * t0 - s1 * t1) / (s0 * s2 - s1 * s1), 1e-9) << i;
    }
}

TEST(Pyramid, whatIsCutOffIsForgotten)
{
    std::vector<double> values = noise(5000, 3);
    MinMaxPyramid cut, whole;
    cut.assign(values);
    cut.truncate(4321);
    for (int i = 0; i < 100; ++i)
        cut.append(-50 - i);
    values.resize(4321);
    for (int i = 0; i < 100; ++i)
        values.push_back(-50 - i);
    whole.assign(values);
    for (const auto& [from, to] : { std::pair<std::size_t, std::size_t> { 0, 4421 }, { 0, 4321 },
             { 4300, 4330 }, { 256, 4416 }, { 4000, 4421 } }) {
        EXPECT_EQ(cut.range(from, to).low, whole.range(from, to).low) << from;
        EXPECT_EQ(cut.range(from, to).high, whole.range(from, to).high) << from;
    }
}

TEST(Smoothing, aConstantStaysItself)
{
    for (const double value : smoothed(std::vector<double>(100, 3.5), 0.99))
        EXPECT_NEAR(value, 3.5, 1e-12);
}
