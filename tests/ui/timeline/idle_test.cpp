// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/range_statistics.h"
#include <gtest/gtest.h>
#include <random>

using namespace stageloom;

namespace {

std::vector<IdleGap> gapsOf(const TimelineSide& side, double shortest = 0)
{
    std::vector<IdleGap> gaps;
    for (int device = 0; device < side.trace().devices; ++device)
        side.visitGaps(
            device, side.extent(), shortest, [&](const TimeRange& range, IdleCause cause) {
                gaps.push_back({ device, range, cause });
            });
    return gaps;
}

} // namespace

TEST(IdleCauses, explainEveryGapOfAHandMadeTrace)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    const auto gaps = gapsOf(model.side(TraceSide::Plan));
    // GPU 0 waits for gradients in 2-4 and 6-7; GPU 1 fills in 0-1 and drains in 7-9.
    ASSERT_EQ(gaps.size(), 4U);
    EXPECT_EQ(gaps[0].cause, IdleCause::Imbalance);
    EXPECT_EQ(gaps[0].range, (TimeRange { 2, 4 }));
    EXPECT_EQ(gaps[1].range, (TimeRange { 6, 7 }));
    EXPECT_EQ(gaps[2].cause, IdleCause::Fill);
    EXPECT_EQ(gaps[3].cause, IdleCause::Drain);
    const auto all = statistics(model, TraceSide::Plan, { 0, 9 });
    double sum = 12.0 / 18; // busy: 2 × (2 × 1 + 2 × 2) of 2 × 9
    EXPECT_NEAR(all.busyShare, sum, 1e-12);
    for (const double share : all.idle)
        sum += share;
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(IdleCauses, timeAfterTheInputIsMadeBelongsToTheLink)
{
    Trace t = test::twoStages();
    t.spans[2].start = 4.5; // its gradient is ready at 4
    const auto gaps = gapsOf(TimelineSide(t));
    ASSERT_GE(gaps.size(), 2U);
    EXPECT_EQ(gaps[1].cause, IdleCause::Link);
    EXPECT_EQ(gaps[1].range, (TimeRange { 4, 4.5 }));
}

TEST(IdleCauses, shortGapsCanBeLeftOut)
{
    const auto gaps = gapsOf(TimelineSide(test::twoStages()), 1.5);
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0].range, (TimeRange { 2, 4 }));
    EXPECT_EQ(gaps[1].range, (TimeRange { 7, 9 }));
}

// Against a walk over every span, for ranges that cut blocks, spans and gaps anywhere.
TEST(RangeStatistics, equalsAWalkOverEverySpan)
{
    const Trace trace = test::longPipeline(3, 2000);
    TimelineModel model;
    model.setTrace(TraceSide::Run, trace);
    std::mt19937 random(3);
    const TimeRange all = model.extent();
    for (int round = 0; round < 60; ++round) {
        std::uniform_real_distribution<double> when(all.begin - 3, all.end + 3);
        const double a = when(random), b = when(random);
        const TimeRange range { std::min(a, b), std::max(a, b) };
        const RangeStatistics found = statistics(model, TraceSide::Run, range);
        std::map<ActionKind, std::pair<std::size_t, double>> walked;
        for (const Span& s : trace.spans)
            if (s.start < range.end && s.end > range.begin) {
                ++walked[s.kind].first;
                walked[s.kind].second
                    += std::min(s.end, range.end) - std::max(s.start, range.begin);
            }
        ASSERT_EQ(found.kinds.size(), walked.size());
        for (const auto& [kind, want] : walked) {
            ASSERT_EQ(found.kinds.at(kind).count, want.first);
            ASSERT_NEAR(found.kinds.at(kind).total, want.second, 1e-6 * (1 + want.second));
        }
        // Busy, idle and what lies outside of the trace make up the whole.
        double sum = found.busyShare;
        for (const double share : found.idle)
            sum += share;
        const double inside
            = std::max(0.0, std::min(all.end, range.end) - std::max(all.begin, range.begin));
        ASSERT_NEAR(sum, inside / range.length(), 1e-6);
    }
}
