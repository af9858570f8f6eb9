// SPDX-License-Identifier: Apache-2.0
// The published timetable of 2BW (d = m = 4, F one slot, B two), written out by hand, against
// generator and simulator.
#include "core/schedule/generators/generators.h"
#include "core/schedule/passes/passes.h"
#include "core/schedule/registry.h"
#include "core/schedule/text_format.h"
#include "core/schedule/verify.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <gtest/gtest.h>

#include <random>

using namespace stageloom;

namespace {

Schedule schedule(const std::string& name, int d, int m, int n, bool crossStage = false)
{
    ScheduleRequest request;
    request.name = name;
    request.depth = d;
    request.microbatches = m;
    request.batches = n;
    request.crossStageUpdate = crossStage;
    return makeSchedule(request).value();
}

Trace timed(const Schedule& list, double f = 1, double b = 2, double update = 0, double hop = 0)
{
    SimulationInput input;
    input.stages.assign(
        std::size_t(list.stages), StageTimes { .forward = f, .backward = b, .update = update });
    input.hops.assign(std::size_t(list.stages), hop);
    return simulate(list, input).value();
}

// "F1v0[0,1) …" of one stage, without updates.
std::string table(const Trace& trace, int stage)
{
    std::string text;
    for (const Span& span : trace.spans)
        if (span.stage == stage && isCompute(span.kind))
            text += fmt::format("{}{}v{}[{},{}) ", kindName(span.kind), span.microbatch + 1,
                span.version, span.start, span.end);
    return text;
}

std::vector<double> updates(const Trace& trace, int stage)
{
    std::vector<double> times;
    for (const Span& span : trace.spans)
        if (span.stage == stage && span.kind == ActionKind::Update)
            times.push_back(span.start);
    return times;
}

} // namespace

TEST(TwoBw, everySlotOfStageZeroIsThePublishedOne)
{
    const Trace trace = timed(schedule("2bw", 4, 4, 4));
    EXPECT_EQ(table(trace, 0),
        "F1v0[0,1) F2v0[1,2) F3v0[2,3) F4v0[3,4) B1v0[10,12) F5v0[12,13) B2v0[13,15) F6v0[15,16) "
        "B3v0[16,18) F7v0[18,19) B4v0[19,21) "
        "F8v0[21,22) B5v0[22,24) F9v1[24,25) B6v0[25,27) F10v1[27,28) B7v0[28,30) F11v1[30,31) "
        "B8v0[31,33) F12v1[33,34) B9v1[34,36) "
        "F13v2[36,37) B10v1[37,39) F14v2[39,40) B11v1[40,42) F15v2[42,43) B12v1[43,45) "
        "F16v2[45,46) B13v2[46,48) B14v2[49,51) "
        "B15v2[52,54) B16v2[55,57) ");
}

TEST(TwoBw, everySlotOfTheMiddleStagesIsThePublishedOne)
{
    const Trace trace = timed(schedule("2bw", 4, 4, 4));
    EXPECT_EQ(table(trace, 1),
        "F1v0[1,2) F2v0[2,3) F3v0[3,4) B1v0[8,10) F4v0[10,11) B2v0[11,13) F5v0[13,14) B3v0[14,16) "
        "F6v0[16,17) B4v0[17,19) F7v0[19,20) "
        "B5v0[20,22) F8v0[22,23) B6v0[23,25) F9v1[25,26) B7v0[26,28) F10v1[28,29) B8v0[29,31) "
        "F11v1[31,32) B9v1[32,34) F12v1[34,35) "
        "B10v1[35,37) F13v2[37,38) B11v1[38,40) F14v2[40,41) B12v1[41,43) F15v2[43,44) "
        "B13v2[44,46) F16v2[46,47) B14v2[47,49) "
        "B15v2[50,52) B16v2[53,55) ");
    EXPECT_EQ(table(trace, 2),
        "F1v0[2,3) F2v0[3,4) B1v0[6,8) F3v0[8,9) B2v0[9,11) F4v0[11,12) B3v0[12,14) F5v0[14,15) "
        "B4v0[15,17) F6v0[17,18) B5v0[18,20) "
        "F7v0[20,21) B6v0[21,23) F8v0[23,24) B7v0[24,26) F9v1[26,27) B8v0[27,29) F10v1[29,30) "
        "B9v1[30,32) F11v1[32,33) B10v1[33,35) "
        "F12v1[35,36) B11v1[36,38) F13v2[38,39) B12v1[39,41) F14v2[41,42) B13v2[42,44) "
        "F15v2[44,45) B14v2[45,47) F16v2[47,48) "
        "B15v2[48,50) B16v2[51,53) ");
}

TEST(TwoBw, theLastStageAlternatesWithoutAGap)
{
    const Trace trace = timed(schedule("2bw", 4, 4, 4));
    std::string expected;
    for (int k = 0; k < 16; ++k)
        expected += fmt::format("F{0}v{1}[{2},{3}) B{0}v{1}[{3},{4}) ", k + 1,
            std::max(k / 4 - 1, 0), 3 + 3 * k, 4 + 3 * k, 6 + 3 * k);
    EXPECT_EQ(table(trace, 3), expected);
}

TEST(TwoBw, updatesHappenWhenThePaperSays)
{
    const Trace trace = timed(schedule("2bw", 4, 4, 4));
    EXPECT_EQ(trace.makespan(), 57);
    EXPECT_EQ(updates(trace, 0), (std::vector<double> { 21, 33, 45, 57 }));
    EXPECT_EQ(updates(trace, 1), (std::vector<double> { 19, 31, 43, 55 }));
    EXPECT_EQ(updates(trace, 2), (std::vector<double> { 17, 29, 41, 53 }));
    EXPECT_EQ(updates(trace, 3), (std::vector<double> { 15, 27, 39, 51 }));
}

TEST(TwoBw, versionsFollowTheRuleOnEveryStageForForwardAndBackward)
{
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        const int d = 1 + int(random() % 8), m = d + int(random() % unsigned(2 * d + 1));
        const Schedule list = schedule("2bw", d, m, 6, round % 2 == 1);
        for (const auto& worker : list.workers)
            for (const Action& action : worker)
                if (isCompute(action.kind)) {
                    const int k = action.microbatch + 1;
                    EXPECT_EQ(action.version, std::max((k - 1) / m - 1, 0));
                }
        EXPECT_TRUE(verifySchedule(list).ok());
    }
}

TEST(TwoBw, twoVersionsSufficeExactlyFromOneLessThanTheDepth)
{
    for (int d = 2; d <= 8; ++d)
        for (int m = 1; m <= d + 2; ++m) {
            Schedule list = generators::twoBw(d, m, 6);
            list.versionRule = VersionRule::DelayOne;
            passes::assignVersions(list);
            EXPECT_EQ(verifySchedule(list).ok(), m >= d - 1) << "d " << d << " m " << m;
        }
}

TEST(TwoBw, tooFewMicrobatchesAreRefusedWithTheSmallestLegalBatch)
{
    ScheduleRequest request;
    request.depth = 4;
    request.microbatches = 3;
    request.microbatchSize = 2;
    request.width = 3;
    const auto refused = makeSchedule(request);
    ASSERT_FALSE(refused);
    for (const char* word : { "m = 3", "d = 4", "24" })
        EXPECT_NE(refused.error().message.find(word), std::string::npos) << refused.error().message;
}

TEST(TwoBw, aSingleStageKeepsDelayOneAndTwoVersions)
{
    const ScheduleProof proof = verifySchedule(schedule("2bw", 1, 3, 5));
    EXPECT_TRUE(proof.ok());
    EXPECT_EQ(proof.peakVersions, std::vector<int> { 2 });
}

TEST(TwoBw, updatesThatCrossStagesLeaveForwardAndBackwardInTheirSlots)
{
    for (int d = 2; d <= 6; ++d)
        for (int m : { d, d + 1, 2 * d }) {
            const Trace alone = timed(schedule("2bw", d, m, 5)),
                        crossing = timed(schedule("2bw", d, m, 5, true));
            for (int s = 0; s < d; ++s)
                EXPECT_EQ(table(alone, s), table(crossing, s)) << "d " << d << " m " << m;
        }
}

// A long update delays whoever needs that stage's results later, but no other stage's update of the
// same batch: those need only backwards that are already done.
TEST(TwoBw, noStageWaitsForAnotherAtAnUpdate)
{
    const Schedule list = schedule("2bw", 4, 4, 4);
    const Trace fast = timed(list);
    for (std::size_t slow = 0; slow < 4; ++slow) {
        SimulationInput input;
        input.stages.assign(4, StageTimes {});
        input.stages[slow].update = 100;
        const Trace trace = simulate(list, input).value();
        for (int s = 0; s < 4; ++s)
            EXPECT_EQ(updates(trace, s)[0], updates(fast, s)[0]) << "slow " << slow << " at " << s;
        // What needs the slow stage does wait: the second update everywhere.
        EXPECT_GT(updates(trace, 3)[1], updates(fast, 3)[1] + 50) << slow;
    }
}

TEST(Stashes, peaksAreTheClosedForms)
{
    for (int d = 1; d <= 6; ++d)
        for (int m = d; m <= 2 * d + 1; ++m)
            for (int s = 0; s < d; ++s) {
                const auto stage = std::size_t(s);
                EXPECT_EQ(verifySchedule(schedule("2bw", d, m, 3)).peakStash[stage], d - s);
                EXPECT_EQ(
                    verifySchedule(schedule("1f1b", d, m, 3)).peakStash[stage], std::min(d - s, m));
                EXPECT_EQ(verifySchedule(schedule("gpipe", d, m, 3)).peakStash[stage], m);
                EXPECT_EQ(verifySchedule(schedule("pipedream", d, m, 3)).peakVersions[stage],
                    d - s == 1 ? 1 : d - s);
            }
}

TEST(Makespan, closedFormsHoldForEqualStages)
{
    for (int d = 1; d <= 6; ++d)
        for (int m = d; m <= 2 * d; ++m)
            for (int n = 1; n <= 4; ++n) {
                EXPECT_EQ(timed(schedule("2bw", d, m, n)).makespan(), (n * m + d - 1) * 3);
                EXPECT_EQ(timed(schedule("1f1b", d, m, n)).makespan(), n * (m + d - 1) * 3);
                EXPECT_EQ(timed(schedule("gpipe", d, m, n)).makespan(), n * (m + d - 1) * 3);
            }
}

TEST(Makespan, oneForwardOneBackwardWithHopsIsThePublishedForm)
{
    // The published form knows no busy link: messages overtake nothing, but as many as wish are on
    // their way. Here one is, and two that leave F + B apart on the critical path, as the last two
    // do where p divides m - 2, wait for each other where a hop takes longer than that.
    for (int p = 2; p <= 6; ++p)
        for (int m = 2; m <= 3 * p; ++m)
            for (double c : { 0.5, 1.0, 3.0, 4.0 })
                EXPECT_DOUBLE_EQ(timed(schedule("1f1b", p, m, 1), 1, 2, 0, c).makespan(),
                    (m + p - 1) * 3 + 2 * c * (m + p - 3 - (m - 2) / p)
                        + ((m - 2) % p == 0 ? std::max(0.0, c - 3) : 0))
                    << p << " " << m;
}

TEST(SteadyState, thePeriodIsTheSlowestStages)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> time(0.5, 3);
    for (int round = 0; round < 200; ++round) {
        const int d = 1 + int(random() % 6), m = d + int(random() % 5);
        SimulationInput input;
        double slowest = 0;
        for (int s = 0; s < d; ++s) {
            input.stages.push_back({ .forward = time(random), .backward = time(random) });
            slowest = std::max(slowest, input.stages.back().forward + input.stages.back().backward);
        }
        const Trace trace = simulate(schedule("2bw", d, m, 40), input).value();
        EXPECT_NEAR(measure(trace).periodPerMicrobatch, slowest, 0.02 * slowest);
    }
}

TEST(SteadyState, hopsCostTwoTimesTheirShareOfTheDepth)
{
    for (const auto& [d, c] : { std::pair(4, 1.0), std::pair(8, 0.5) }) {
        const double period
            = measure(timed(schedule("2bw", d, 2 * d, 60), 1, 2, 0, c)).periodPerMicrobatch;
        EXPECT_NEAR(period, 3 + 2 * c * (d - 1) / d, 0.02);
    }
}

TEST(Verifier, findsEveryPlantedFault)
{
    const Schedule good = schedule("2bw", 3, 3, 3);
    ASSERT_TRUE(verifySchedule(good).ok());
    const auto rules = [](const Schedule& list, VerifyOptions options = {}) {
        std::string text;
        for (const ScheduleFinding& finding : verifySchedule(list, options).findings)
            text += finding.rule + " ";
        return text;
    };
    const auto has = [](const std::string& text, const char* rule) {
        return text.find(rule) != std::string::npos;
    };
    const auto firstForward = [](std::vector<Action>& list) {
        return std::find_if(list.begin(), list.end(),
            [](const Action& action) { return action.kind == ActionKind::Forward; });
    };
    Schedule missing = good;
    missing.workers[1].erase(firstForward(missing.workers[1]));
    EXPECT_TRUE(has(rules(missing), "once"));
    Schedule twice = good;
    twice.workers[1].push_back(*firstForward(twice.workers[1]));
    EXPECT_TRUE(has(rules(twice), "once"));
    Schedule locked = good;
    std::iter_swap(firstForward(locked.workers[2]), // backward before its forward
        firstForward(locked.workers[2]) + 1);
    EXPECT_TRUE(has(rules(locked), "deadlock"));
    Schedule stale = good;
    for (Action& action : stale.workers[0])
        if (action.kind == ActionKind::Forward && action.microbatch == 6)
            action.version = 0;
    EXPECT_TRUE(has(rules(stale), "version"));
    Schedule unsent = good;
    EXPECT_TRUE(verifySchedule(unsent).ok());
    std::erase_if(unsent.workers[0], [](const Action& action) {
        return action.kind == ActionKind::Send && action.microbatch == 2;
    });
    EXPECT_TRUE(has(rules(unsent), "transfer"));
    EXPECT_TRUE(has(rules(good, { .maxStash = 2 }), "stash"));
    EXPECT_TRUE(has(rules(good, { .maxVersions = 1 }), "two-versions"));
    Schedule early = good;
    for (Action& action : early.workers[1])
        if (action.kind == ActionKind::Update && action.microbatch == 1)
            action.version = 5;
    EXPECT_TRUE(has(rules(early), "update"));
}

TEST(TextForm, actionsAndSchedulesReadBackAsTheyWereWritten)
{
    for (const char* text :
        { "2F0", "0B3", "1W2", "1U0", "0SEND_F3", "3RECV_B12", "1I4", "0ALLREDUCE2" })
        EXPECT_EQ(toText(parseAction(text).value()), text);
    for (const char* text : { "", "F0", "2X0", "2F", "2F0x", "-1F0" })
        EXPECT_FALSE(parseAction(text)) << text;
    const Schedule one = schedule("1f1b", 3, 4, 1);
    const Schedule back = scheduleFromCsv(toCsv(one), "written.csv").value();
    EXPECT_EQ(toCsv(back), toCsv(one));
    EXPECT_TRUE(verifySchedule(back).ok());
}
