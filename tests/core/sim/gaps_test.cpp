// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/registry.h"
#include "core/sim/gaps.h"
#include "core/sim/simulator.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace stageloom;

namespace {

struct Case {
    ScheduleRequest request;
    SimulationInput input;
};

Case equalStages(const std::string& name, int d, int m, int n)
{
    Case c;
    c.request.name = name;
    c.request.depth = d;
    c.request.microbatches = m;
    c.request.batches = n;
    c.input.stages.assign(std::size_t(d), StageTimes { 1, 2 });
    return c;
}

Trace timed(const Case& c)
{
    return simulate(makeSchedule(c.request).value(), c.input).value();
}

double of(const DeviceTime& device, IdleCause cause)
{
    return device.idle[std::size_t(cause)];
}

Case randomCase(std::mt19937& random)
{
    const auto pick
        = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    static const std::vector<std::string> kNames = scheduleNames();
    const int d = pick(1, 5);
    Case c = equalStages(
        kNames[std::size_t(pick(0, int(kNames.size()) - 1))], d, pick(d, 8), pick(1, 6));
    for (StageTimes& stage : c.input.stages)
        stage = { double(pick(1, 9)), double(pick(1, 18)), -1, -1, 0, pick(0, 3) / 2.0 };
    for (int s = 0; s + 1 < d; ++s)
        c.input.hops.push_back(pick(0, 4) / 2.0);
    c.request.crossStageUpdate
        = pick(0, 1) == 1 && findSchedule(c.request.name)->versionRule != VersionRule::Stash;
    return c;
}

} // namespace

TEST(Gaps, computingAndIdlingFillEveryWindowOfEveryDevice)
{
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
        const Trace trace = timed(randomCase(random));
        const double whole = trace.makespan();
        std::uniform_real_distribution<double> moment(0, whole);
        double begin = moment(random), end = moment(random);
        if (begin > end)
            std::swap(begin, end);
        if (i % 3 == 0)
            begin = 0, end = whole;
        for (const TraceEnds ends : { TraceEnds::Whole, TraceEnds::Cut })
            for (const DeviceTime& device : deviceTimes(trace, begin, end, ends))
                EXPECT_NEAR(device.busy + device.idleTime(), end - begin, 1e-6 * whole);
    }
}

TEST(Gaps, aFlushFillsAndDrainsByTheClosedFormAndNothingElseIdles)
{
    for (const char* name : { "gpipe", "1f1b" })
        for (int d = 2; d <= 5; ++d)
            for (const int m : { d, 2 * d + 1 }) {
                const int n = 3;
                const Trace trace = timed(equalStages(name, d, m, n));
                for (const DeviceTime& device : deviceTimes(trace, 0, trace.makespan())) {
                    const double edges = of(device, IdleCause::Fill) + of(device, IdleCause::Drain);
                    const double all = n * 3.0 * (d - 1); // (d − 1)(F + B) a batch
                    EXPECT_NEAR(device.idleTime(), all, 1e-9) << name << " " << d << " " << m;
                    if (name[0] == 'g') { // 1F1B also waits in the middle where B is not F
                        EXPECT_NEAR(edges, all, 1e-9) << d << " " << m;
                    }
                }
            }
}

TEST(Gaps, twoBwWaitsOnlyBeforeItsFirstBackwardAndAfterItsLastForward)
{
    const Trace trace = timed(equalStages("2bw", 4, 4, 4));
    for (const DeviceTime& device : deviceTimes(trace, 0, trace.makespan())) {
        EXPECT_EQ(device.busy, 48);
        EXPECT_EQ(of(device, IdleCause::Fill) + of(device, IdleCause::Drain), 9);
    }
    for (const DeviceTime& device : deviceTimes(trace, 15, 39)) // two steady batches
        EXPECT_EQ(device.busy, 24);
}

TEST(Gaps, whoWaitsForWhomIsTheSlowStage)
{
    Case c = equalStages("2bw", 3, 3, 6);
    c.input.stages[1] = { 2, 4 };
    const Trace trace = timed(c);
    const auto devices = deviceTimes(trace, 36, 72);
    for (const int fast : { 0, 2 }) {
        const DeviceTime& device = devices[std::size_t(fast)];
        EXPECT_EQ(device.busy, 18);
        EXPECT_EQ(of(device, IdleCause::Imbalance), 18);
        EXPECT_EQ(device.waitsFor, 1);
        EXPECT_EQ(device.waited, 18);
    }
    EXPECT_EQ(devices[0].waitedKind, ActionKind::Backward);
    EXPECT_EQ(devices[2].waitedKind, ActionKind::Forward);
    EXPECT_EQ(devices[1].idleTime(), 0);
    EXPECT_EQ(devices[1].waitsFor, -1);
}

TEST(Gaps, whatIsOnItsWayIsTheLinks)
{
    Case c = equalStages("1f1b", 2, 1, 1);
    c.input.hops = { 0.5 };
    const Trace trace = timed(c); // F 0-1, hop, F 1.5-2.5, B 2.5-4.5, hop, B 5-7
    const auto devices = deviceTimes(trace, 0, trace.makespan());
    EXPECT_EQ(of(devices[0], IdleCause::Link), 0.5);
    EXPECT_EQ(of(devices[0], IdleCause::Fill), 3.5);
    EXPECT_EQ(of(devices[1], IdleCause::Link), 0.5);
    EXPECT_EQ(of(devices[1], IdleCause::Fill), 1);
    EXPECT_EQ(of(devices[1], IdleCause::Drain), 2.5);
}

TEST(Gaps, updatesAndTheirWaitsAreTheOptimizers)
{
    Case c = equalStages("1f1b", 2, 2, 2);
    c.request.crossStageUpdate = true;
    for (StageTimes& stage : c.input.stages)
        stage.update = 0.25;
    const Trace trace = timed(c);
    for (const DeviceTime& device : deviceTimes(trace, 0, trace.makespan())) {
        EXPECT_EQ(of(device, IdleCause::Optimizer), 0.5);
        EXPECT_EQ(device.busy, 12);
    }
    // The last stage is done a backward and a half before stage 0: that is the drain, not the sum.
    const auto gaps = idleGaps(trace, 0, trace.makespan());
    for (const IdleGap& gap : gaps)
        EXPECT_NE(gap.cause, IdleCause::Optimizer);
}

TEST(Gaps, oneStageNeitherFillsNorDrains)
{
    Case c = equalStages("1f1b", 1, 3, 3);
    c.input.stages[0].update = 1;
    const Trace trace = timed(c);
    const auto devices = deviceTimes(trace, 0, trace.makespan());
    EXPECT_EQ(devices[0].idleTime(), of(devices[0], IdleCause::Optimizer));
    EXPECT_EQ(devices[0].idleTime(), 3);
}

// A window in the middle says the same whether the rest of the run is there or only the batches
// beside it: work of other batches inside the window is never taken for idling.
TEST(Gaps, aPartOfARunSaysWhatTheWholeSays)
{
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        Case c = randomCase(random);
        if (findSchedule(c.request.name)->versionRule == VersionRule::Stash)
            continue;
        c.request.batches = 9;
        const Trace whole = timed(c);
        double begin = whole.makespan(), end = 0; // batches 3 to 5
        for (const Span& span : whole.spans)
            if (span.batch >= 3 && span.batch <= 5) {
                begin = std::min(begin, span.start);
                end = std::max(end, span.end);
            }
        Trace part = whole;
        std::erase_if(
            part.spans, [](const Span& span) { return span.batch < 1 || span.batch > 7; });
        const auto expected = deviceTimes(whole, begin, end);
        const auto got = deviceTimes(part, begin, end, TraceEnds::Cut);
        for (std::size_t device = 0; device < expected.size(); ++device) {
            EXPECT_NEAR(got[device].busy, expected[device].busy, 1e-9);
            for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
                EXPECT_NEAR(got[device].idle[cause], expected[device].idle[cause], 1e-9)
                    << c.request.name << " " << causeName(IdleCause(cause));
            EXPECT_EQ(got[device].waitsFor, expected[device].waitsFor);
        }
    }
}

// 1F1B with a flush idles (d − 1)(F + B) of every d·m·… batch; 2BW of equal stages never.
TEST(Gaps, theReportOfARunIsOfItsSteadyState)
{
    const IdleReport stream = idleReport(timed(equalStages("2bw", 4, 4, 8)));
    EXPECT_EQ(stream.batches, 5);
    for (const double share : stream.shares)
        EXPECT_EQ(share, 0);
    const IdleReport flush = idleReport(timed(equalStages("gpipe", 4, 4, 8)));
    EXPECT_NEAR(std::accumulate(flush.shares.begin(), flush.shares.end(), 0.0), 3.0 / 7, 1e-9);
    EXPECT_EQ(flush.devices[0].waitsFor, 1);
}

TEST(Gaps, anEmptyTraceHasNone)
{
    EXPECT_TRUE(idleGaps(Trace {}, 0, 1).empty());
    Trace idle;
    idle.devices = 2;
    const auto shares = idleShares(deviceTimes(idle, 0, 1), 1);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
}
