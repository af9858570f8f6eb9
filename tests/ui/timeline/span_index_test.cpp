// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/span_index.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace stageloom;

namespace {

// Spans that may overlap, with gaps, of three stages and two kinds, sorted by start.
std::vector<Span> randomSpans(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> step(0, 2), length(0, 3);
    std::vector<Span> spans;
    double time = 0;
    for (std::size_t i = 0; i < count; ++i) {
        time += step(random);
        spans.push_back(test::span(random() % 2 ? ActionKind::Forward : ActionKind::Backward,
            static_cast<int>(random() % 3), static_cast<int>(i), time, time + length(random)));
    }
    return spans;
}

SpanIndex indexed(const std::vector<Span>& spans)
{
    SpanIndex index;
    for (std::size_t i = 0; i < spans.size(); ++i)
        index.add(static_cast<std::uint32_t>(i));
    index.finish(spans);
    return index;
}

void expectLikeAWalk(const SpanIndex& index, const std::vector<Span>& spans, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> when(-5, spans.back().start + 10);
    for (int round = 0; round < 200; ++round) {
        const double time = when(random);
        std::size_t ending = 0, starting = 0;
        while (ending < spans.size() && spans[index.reference(ending)].end <= time)
            ++ending;
        while (starting < spans.size() && spans[index.reference(starting)].start < time)
            ++starting;
        ASSERT_EQ(index.firstEndingAfter(spans, time), ending) << time;
        ASSERT_EQ(index.firstStartingAt(spans, time), starting) << time;
        ASSERT_EQ(index.firstStartingAt(spans, time, starting / 2), starting) << time;
        const std::size_t from = random() % spans.size();
        const std::size_t to = from + random() % (spans.size() - from) + 1;
        double busy = 0;
        std::map<std::pair<int, ActionKind>, double> share;
        for (std::size_t i = from; i < to; ++i) {
            const Span& s = spans[index.reference(i)];
            busy += s.end - s.start;
            share[{ s.stage, s.kind }] += s.end - s.start;
        }
        const SpanSummary summary = index.summary(spans, from, to);
        ASSERT_NEAR(summary.busy, busy, 1e-4 * (busy + 1));
        // Exact below the width of a node; above, a node stands for its longest share.
        if (to - from < SpanIndex::kRadix) {
            double longest = 0;
            for (const auto& [key, time_] : share)
                longest = std::max(longest, time_);
            ASSERT_NEAR((share[{ summary.stage, summary.kind }]), longest, 1e-9);
        }
    }
}

} // namespace

TEST(SpanIndex, answersLikeAWalkOverAllSpans)
{
    for (const std::size_t count : { 1UL, 15UL, 16UL, 17UL, 256UL, 257UL, 5000UL }) {
        const auto spans = randomSpans(count, static_cast<unsigned>(count));
        expectLikeAWalk(indexed(spans), spans, 7);
    }
}

TEST(SpanIndex, sortsSpansByStart)
{
    auto spans = randomSpans(600, 5);
    std::shuffle(spans.begin(), spans.end(), std::mt19937(1));
    const SpanIndex index = indexed(spans);
    for (std::size_t i = 1; i < index.size(); ++i)
        ASSERT_LE(spans[index.reference(i - 1)].start, spans[index.reference(i)].start);
    expectLikeAWalk(index, spans, 13);
}

TEST(SpanIndex, aUniformStretchKeepsItsStageAndKindFromAfar)
{
    std::vector<Span> spans;
    for (int i = 0; i < 4000; ++i)
        spans.push_back(
            test::span(i % 5 ? ActionKind::Backward : ActionKind::Forward, 3, i, i, i + 0.9));
    const SpanSummary summary = indexed(spans).summary(spans, 10, 3990);
    EXPECT_EQ(summary.stage, 3);
    EXPECT_EQ(summary.kind, ActionKind::Backward);
}
