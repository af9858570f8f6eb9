// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/registry.h"
#include "core/sim/simulator.h"
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
                gaps.push_back({ device, range.begin, range.end, cause });
            });
    return gaps;
}

TimeRange rangeOf(const IdleGap& gap)
{
    return { gap.begin, gap.end };
}

Trace randomRun(std::mt19937& random)
{
    const auto pick
        = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    static const std::array<const char*, 3> names { "2bw", "1f1b", "gpipe" };
    ScheduleRequest request;
    request.name = names[static_cast<std::size_t>(pick(0, 2))];
    request.depth = pick(1, 5);
    request.microbatches = pick(request.depth, 9);
    request.batches = pick(1, 40); // with more than one block of spans a device
    request.crossStageUpdate = pick(0, 1) == 1;
    SimulationInput input;
    for (int stage = 0; stage < request.depth; ++stage)
        input.stages.push_back(
            { double(pick(1, 9)), double(pick(1, 18)), -1, -1, 0, pick(0, 3) / 2.0 });
    for (int border = 0; border + 1 < request.depth; ++border)
        input.hops.push_back(pick(0, 4) / 2.0);
    return simulate(makeSchedule(request).value(), input).value();
}

} // namespace

// The timeline's sums by blocks against the commands' walk over the whole list.
TEST(IdleCauses, ofAnyWindowAreWhatCoreSays)
{
    std::mt19937 random(11);
    for (int round = 0; round < 150; ++round) {
        const Trace trace = randomRun(random);
        TraceFrame frame;
        frame.ends = round % 2 ? TraceEnds::Whole : TraceEnds::Cut;
        const TimelineSide side(trace, frame);
        std::uniform_real_distribution<double> when(0, trace.makespan());
        for (int window = 0; window < 6; ++window) {
            double begin = when(random), end = when(random);
            if (window == 0)
                begin = 0, end = trace.makespan();
            const TimeRange range { std::min(begin, end), std::max(begin, end) };
            const auto wanted = deviceTimes(trace, range.begin, range.end, frame.ends);
            for (int device = 0; device < trace.devices; ++device) {
                const LaneSums sums = side.sums(device, range);
                const DeviceTime& want = wanted[static_cast<std::size_t>(device)];
                ASSERT_NEAR(sums.busy(), want.busy, 1e-6);
                for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
                    ASSERT_NEAR(sums.idle[cause], want.idle[cause], 1e-6)
                        << round << " device " << device << " "
                        << causeName(static_cast<IdleCause>(cause));
            }
        }
    }
}

TEST(IdleCauses, explainEveryGapOfAHandMadeTrace)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    const auto gaps = gapsOf(model.side(TraceSide::Plan));
    // GPU 0 has sent all forwards down at 2 and waits until the first gradient comes at 4, and for
    // the last one from 6 to 7; GPU 1 has no forward before 1 and nothing left after 7. That is
    // (d - 1)(F + B) = 3 for each.
    ASSERT_EQ(gaps.size(), 4U);
    const std::array<IdleGap, 4> wanted { IdleGap { 0, 2, 4, IdleCause::Fill },
        { 0, 6, 7, IdleCause::Drain }, { 1, 0, 1, IdleCause::Fill },
        { 1, 7, 9, IdleCause::Drain } };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(gaps[i].device, wanted[i].device);
        EXPECT_EQ(rangeOf(gaps[i]), rangeOf(wanted[i]));
        EXPECT_EQ(gaps[i].cause, wanted[i].cause);
    }
    const auto all = statistics(model, TraceSide::Plan, { 0, 9 });
    EXPECT_NEAR(all.busyShare, 12.0 / 18, 1e-12); // 2 × (2 × 1 + 2 × 2) of 2 × 9
    EXPECT_NEAR(all.idle[static_cast<std::size_t>(IdleCause::Fill)], 3.0 / 18, 1e-12);
    EXPECT_NEAR(all.idle[static_cast<std::size_t>(IdleCause::Drain)], 3.0 / 18, 1e-12);
}

// Of a part out of the middle nobody knows whether it fills or empties.
TEST(IdleCauses, theEndsOfAPartAreNeitherFillNorDrain)
{
    TraceFrame frame;
    frame.ends = TraceEnds::Cut;
    const auto gaps = gapsOf(TimelineSide(test::twoStages(), frame));
    ASSERT_EQ(gaps.size(), 4U);
    EXPECT_EQ(gaps[0].cause, IdleCause::Imbalance);
    EXPECT_EQ(gaps[1].cause, IdleCause::Imbalance);
    EXPECT_EQ(gaps[2].cause, IdleCause::Imbalance);
    EXPECT_EQ(gaps[3].cause, IdleCause::Other);
}

TEST(IdleCauses, timeAfterTheInputIsMadeBelongsToTheLink)
{
    Trace t = test::twoStages();
    t.spans[2].start = 4.5; // its gradient is ready at 4
    const auto gaps = gapsOf(TimelineSide(t));
    ASSERT_GE(gaps.size(), 2U);
    EXPECT_EQ(gaps[1].cause, IdleCause::Link);
    EXPECT_EQ(rangeOf(gaps[1]), (TimeRange { 4, 4.5 }));
}

TEST(IdleCauses, shortGapsCanBeLeftOut)
{
    const auto gaps = gapsOf(TimelineSide(test::twoStages()), 1.5);
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(rangeOf(gaps[0]), (TimeRange { 2, 4 }));
    EXPECT_EQ(rangeOf(gaps[1]), (TimeRange { 7, 9 }));
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
        // Busy and idle make up all of the range that lies inside the trace.
        double sum = found.busyShare;
        for (const double share : found.idle)
            sum += share;
        const double inside
            = std::max(0.0, std::min(all.end, range.end) - std::max(all.begin, range.begin));
        ASSERT_NEAR(sum, inside / range.length(), 1e-6);
    }
}
