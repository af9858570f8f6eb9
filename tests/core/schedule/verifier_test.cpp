// SPDX-License-Identifier: Apache-2.0
// Faults planted into lists that are right, one at a time.
#include "core/schedule/generators/generators.h"
#include "core/schedule/passes/passes.h"
#include "core/schedule/registry.h"
#include "core/schedule/text_format.h"
#include "core/schedule/verify.h"

#include <gtest/gtest.h>

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
        if (info.available)
            for (const bool crossStage : { false, true }) {
                if (crossStage && info.versionRule == VersionRule::Stash)
                    continue;
                Schedule schedule = good(info.name, crossStage);
                EXPECT_TRUE(verifySchedule(schedule).ok()) << info.name << " " << crossStage;
                passes::addTransfers(schedule);
                EXPECT_TRUE(verifySchedule(schedule).ok()) << info.name << " with transfers";
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
    passes::addTransfers(schedule);
    drop(schedule, 0, "0SEND_F2");
    EXPECT_NE(found(schedule, "transfer"), "");
    EXPECT_NE(found(schedule, "deadlock").find("1RECV_F2"), std::string::npos);
}

TEST(Verifier, aForwardBeforeItsReceiveIsADeadlock)
{
    Schedule schedule = good("1f1b");
    passes::addTransfers(schedule);
    moveBefore(schedule, 1, "1F0", "1RECV_F0");
    EXPECT_NE(found(schedule, "deadlock").find("1F0"), std::string::npos);
}

TEST(Verifier, tooFewMicrobatchesNeedAThirdVersionOrOneThatDoesNotExistYet)
{
    for (int d = 3; d <= 7; ++d) {
        Schedule schedule = generators::twoBw(d, d - 2, 8);
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
