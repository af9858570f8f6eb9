// SPDX-License-Identifier: Apache-2.0
// Faults planted into lists that are right, one at a time.
#include "core/schedule/generators/generators.h"
#include "core/schedule/passes/passes.h"
#include "core/schedule/registry.h"
#include "core/schedule/text_format.h"
#include "core/schedule/verify.h"

#include "core/base/text.h"

#include <gtest/gtest.h>
#include <set>

using namespace stageloom;

namespace {

Schedule good(const std::string& name = "2bw", bool crossStage = false)
{
    ScheduleRequest request;
    request.name = name;
    request.depth = 3;
    request.microbatches = 4;
    request.batches = 3;
    request.crossStageUpdate = crossStage;
    return makeSchedule(request).value();
}

std::size_t positionOf(const Schedule& schedule, int worker, const std::string& text)
{
    const auto& list = schedule.workers[std::size_t(worker)];
    for (std::size_t i = 0; i < list.size(); ++i)
        if (toText(list[i]) == text)
            return i;
    ADD_FAILURE() << text << " is not in the list of worker " << worker;
    return 0;
}

void drop(Schedule& schedule, int worker, const std::string& text)
{
    auto& list = schedule.workers[std::size_t(worker)];
    list.erase(list.begin() + std::ptrdiff_t(positionOf(schedule, worker, text)));
}

// Moves an action to right before another of the same worker.
void moveBefore(Schedule& schedule, int worker, const std::string& text, const std::string& target)
{
    auto& list = schedule.workers[std::size_t(worker)];
    const std::size_t from = positionOf(schedule, worker, text);
    const Action action = list[from];
    list.erase(list.begin() + std::ptrdiff_t(from));
    const std::size_t to = positionOf(schedule, worker, target);
    list.insert(list.begin() + std::ptrdiff_t(to), action);
}

// The messages of one rule, joined.
std::string found(const Schedule& schedule, const std::string& rule)
{
    std::string text;
    for (const ScheduleFinding& finding : verifySchedule(schedule).findings)
        if (finding.rule == rule)
            text += finding.message + "\n";
    return text;
}

} // namespace

TEST(Verifier, provesEveryScheduleThatTheRegistryMakes)
{
    for (const ScheduleInfo& info : scheduleInfos())
        if (info.available())
            for (const bool crossStage : { false, true }) {
                if (crossStage && info.versionRule == VersionRule::Stash)
                    continue;
                Schedule schedule = good(info.name, crossStage);
                EXPECT_TRUE(verifySchedule(schedule).ok()) << info.name << " " << crossStage;
                for (auto& list : schedule.workers)
                    std::erase_if(
                        list, [](const Action& action) { return isTransfer(action.kind); });
                EXPECT_TRUE(verifySchedule(schedule).ok()) << info.name << " without transfers";
            }
}

TEST(Verifier, anUpdateThatIsMissingIsNamedByItsStage)
{
    Schedule schedule = good();
    drop(schedule, 1, "1U2");
    EXPECT_NE(found(schedule, "update").find("stage 1"), std::string::npos);
}

TEST(Verifier, anUpdateBeforeTheLastBackwardOfItsBatchIsFound)
{
    Schedule schedule = good();
    moveBefore(schedule, 2, "2U1", "2B7");
    EXPECT_NE(found(schedule, "update").find("2U1"), std::string::npos);
}

TEST(Verifier, updatesInTheWrongOrderAreFound)
{
    Schedule schedule = good("1f1b");
    auto& list = schedule.workers[0];
    std::swap(list[positionOf(schedule, 0, "0U0")], list[positionOf(schedule, 0, "0U1")]);
    EXPECT_NE(found(schedule, "update").find("0U1"), std::string::npos);
}

TEST(Verifier, anUpdateAcrossStagesNeedsThePartOfEveryStage)
{
    Schedule schedule = good("1f1b", true);
    drop(schedule, 1, "1ALLREDUCE1");
    EXPECT_NE(found(schedule, "update").find("1U1"), std::string::npos);
    EXPECT_NE(found(schedule, "deadlock").find("0U1"), std::string::npos)
        << "stage 0 waits for the part that stage 1 never hands in";
}

TEST(Verifier, anUpdateAcrossStagesPlacedWhereItLocksIsADeadlock)
{
    // Stage 2 may not wait at once for stage 0, whose last backward needs stage 2 to go on: with
    // the hand-in at the end of stage 0's list, stage 0's own update waits for itself.
    Schedule schedule = good("2bw", true);
    moveBefore(schedule, 0, "0U0", "0ALLREDUCE0");
    EXPECT_NE(found(schedule, "deadlock").find("0U0"), std::string::npos);
}

TEST(Verifier, twoStagesThatWaitForEachOtherAreADeadlock)
{
    Schedule schedule = good("gpipe");
    // Stage 0 wants the gradient of microbatch 0 before it forwards microbatch 1, stage 1 wants
    // the forward of 1 before the backward of 0.
    moveBefore(schedule, 0, "0B0", "0F1");
    EXPECT_NE(found(schedule, "deadlock").find("worker 0"), std::string::npos);
}

TEST(Verifier, aReceiveThatNobodySendsIsFoundTwice)
{
    Schedule schedule = good("1f1b");
    drop(schedule, 0, "0SEND_F2");
    EXPECT_NE(found(schedule, "transfer"), "");
    EXPECT_NE(found(schedule, "deadlock").find("1RECV_F2"), std::string::npos);
}

TEST(Verifier, aForwardBeforeItsReceiveIsADeadlock)
{
    Schedule schedule = good("1f1b");
    moveBefore(schedule, 1, "1F0", "1RECV_F0");
    EXPECT_NE(found(schedule, "deadlock").find("1F0"), std::string::npos);
}

TEST(Verifier, tooFewMicrobatchesNeedAThirdVersionOrOneThatDoesNotExistYet)
{
    for (int d = 3; d <= 7; ++d) {
        Schedule schedule = generators::twoBw(d, d - 2, 8);
        schedule.versionRule = VersionRule::DelayOne;
        passes::assignVersions(schedule);
        EXPECT_NE(found(schedule, "version") + found(schedule, "two-versions"), "") << d;
        EXPECT_EQ(found(schedule, "deadlock"), "") << d;
    }
}

TEST(Verifier, aMicrobatchOnAWorkerThatDoesNotHoldItsStageIsFound)
{
    Schedule schedule = good();
    const Action action = schedule.workers[0][0];
    schedule.workers[0].erase(schedule.workers[0].begin());
    schedule.workers[1].insert(schedule.workers[1].begin(), action);
    EXPECT_NE(found(schedule, "once").find("0F0"), std::string::npos);
}

TEST(Verifier, aBackwardWithAnotherVersionThanItsForwardIsFound)
{
    Schedule schedule = good("pipedream");
    schedule.workers[0][positionOf(schedule, 0, "0B5")].version += 1;
    EXPECT_NE(found(schedule, "version").find("0B5"), std::string::npos);
}

TEST(Verifier, findingsAreBoundedAndTheRestIsCounted)
{
    Schedule schedule = good();
    for (auto& list : schedule.workers)
        for (Action& action : list)
            action.version = 99;
    const ScheduleProof proof = verifySchedule(schedule, { .maxFindings = 3 });
    EXPECT_EQ(proof.findings.size(), 3u);
    // 3 stages: 12 F and 12 B with a version that is not made (and not the rule's), 3 updates that
    // make the wrong one.
    EXPECT_GE(proof.furtherFindings + 3, std::size_t(3 * (12 + 12 + 3)));
}

// Schedules that warm up by one forward a following stage meet in pairs (send activation, receive
// gradient) and run by rendezvous alone where those are posted together; the facing sends of a
// worker that posts them one by one would lock. A recomputation or an update between the two must
// not part them. One that is further ahead needs slots.
TEST(Verifier, everyScheduleRunsWithItsSmallestSlotsAndMoreAndTheTextbooksOnesWithNone)
{
    const std::set<std::string> byRendezvous { "2bw", "1f1b", "gpipe", "pipedream" };
    for (const std::string& name : scheduleNames())
        for (int d = 1; d <= 5; ++d)
            for (const int m : { d, d + 1, 3 * d })
                for (const bool crossStage : { false, true })
                    for (const bool recompute : { false, true }) {
                        ScheduleRequest request;
                        request.name = name;
                        request.depth = d;
                        request.microbatches = m;
                        request.batches = 3;
                        request.crossStageUpdate = crossStage;
                        request.recompute.assign(std::size_t(d), recompute);
                        const Schedule schedule = makeSchedule(request).value();
                        const int smallest = smallestSlots(schedule);
                        ASSERT_GE(smallest, 0) << name << " d " << d << " m " << m;
                        if (byRendezvous.count(name) > 0) {
                            EXPECT_EQ(smallest, 0)
                                << name << " d " << d << " m " << m << crossStage << recompute;
                        }
                        for (const int more : { 0, 1, 2, 7 })
                            EXPECT_TRUE(
                                verifySchedule(schedule, { .borderSlots = smallest + more }).ok())
                                << name << " " << smallest << " + " << more;
                        if (smallest > 0) {
                            EXPECT_FALSE(
                                verifySchedule(schedule, { .borderSlots = smallest - 1 }).ok())
                                << name << " " << smallest;
                        }
                    }
}

TEST(Verifier, aListThatSendsAheadNeedsSlotsForHalfOfWhatItIsAhead)
{
    for (int ahead = 1; ahead <= 7; ++ahead) {
        // Stage 0 sends `ahead` activations before it takes the first gradient; stage 1 sends each
        // gradient before it takes the next activation.
        std::string first, second;
        for (int k = 0; k < ahead; ++k)
            first += fmt::format("0F{0},0SEND_F{0},", k);
        for (int k = 0; k < ahead; ++k) {
            first += fmt::format("0RECV_B{0},0B{0},", k);
            second += fmt::format("1RECV_F{0},1F{0},1B{0},1SEND_B{0},", k);
        }
        const Schedule schedule = scheduleFromCsv(first + "\n" + second + "\n", "ahead").value();
        ASSERT_TRUE(verifySchedule(schedule).ok());
        // With s slots stage 1 stands at gradient s, stage 0 has handed over activations 0 to s and
        // put s more: 2s + 1. By rendezvous the last activation goes beside the first gradient, and
        // one before it beside the gradient that stands there.
        const int enough = ahead <= 3 ? 0 : ahead / 2;
        EXPECT_EQ(smallestSlots(schedule), enough) << ahead;
        for (int slots = 0; slots < enough; ++slots)
            EXPECT_FALSE(verifySchedule(schedule, { .borderSlots = slots }).ok()) << ahead;
    }
}

TEST(Verifier, messagesOfAChannelThatOvertakeEachOtherAreFound)
{
    const Schedule schedule
        = scheduleFromCsv("0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
                          "1RECV_F1,1F1,1RECV_F0,1F0,1B0,1SEND_B0,1B1,1SEND_B1\n",
            "overtaking")
              .value();
    EXPECT_NE(found(schedule, "transfer").find("1RECV_F1"), std::string::npos);
}
