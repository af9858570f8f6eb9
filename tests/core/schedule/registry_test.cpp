// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/schedule/registry.h"
#include "core/schedule/text_format.h"

#include <gtest/gtest.h>

using namespace stageloom;

namespace {

std::string refusal(const std::string& name, int d = 2, int m = 4, int n = 1)
{
    ScheduleRequest request;
    request.name = name;
    request.depth = d;
    request.microbatches = m;
    request.batches = n;
    const auto made = makeSchedule(request);
    return made ? "" : made.error().message;
}

// Without transfers, which hide the order.
std::string order(const ScheduleRequest& request)
{
    Schedule schedule = makeSchedule(request).value();
    for (auto& list : schedule.workers)
        std::erase_if(list, [](const Action& action) { return isTransfer(action.kind); });
    return toCsv(schedule);
}

} // namespace

TEST(Registry, aMisspelledNameGetsTheNearestOne)
{
    EXPECT_NE(refusal("gpip").find("did you mean 'gpipe'"), std::string::npos);
    EXPECT_NE(refusal("nothing-like-it").find(joined(scheduleNames(), ", ")), std::string::npos);
}

TEST(Registry, aPlannedScheduleIsRefusedByItsNameAndAnAvailableOneIsMade)
{
    for (const ScheduleInfo& info : scheduleInfos()) {
        const std::string message = refusal(info.name);
        EXPECT_EQ(message.empty(), info.available()) << info.name;
        if (!info.available()) {
            EXPECT_NE(message.find("'" + info.name + "'"), std::string::npos) << message;
        }
    }
}

TEST(Registry, numbersThatMakeNoScheduleAreRefused)
{
    EXPECT_NE(refusal("1f1b", 0), "");
    EXPECT_NE(refusal("1f1b", 2, 0), "");
    EXPECT_NE(refusal("1f1b", 2, 4, 0), "");
    EXPECT_NE(refusal("1f1b", 1000, 1000, 1000), "");
}

TEST(Registry, theOrderOfOneBatchIsTheTextbooksOne)
{
    ScheduleRequest request;
    request.depth = 2;
    request.microbatches = 3;
    request.name = "1f1b";
    EXPECT_EQ(order(request), "0F0,0F1,0B0,0F2,0B1,0B2,0U0\n1F0,1B0,1F1,1B1,1F2,1B2,1U0\n");
    request.name = "gpipe";
    EXPECT_EQ(order(request), "0F0,0F1,0F2,0B0,0B1,0B2,0U0\n1F0,1F1,1F2,1B0,1B1,1B2,1U0\n");
    request.name = "pipedream";
    EXPECT_EQ(order(request),
        "0F0,0F1,0B0,0U0,0F2,0B1,0U1,0B2,0U2\n1F0,1B0,1U0,1F1,1B1,1U1,1F2,1B2,1U2\n");
    request.name = "2bw";
    request.microbatches = 2;
    request.batches = 2;
    request.recompute = { true, false };
    request.crossStageUpdate = true;
    EXPECT_EQ(order(request),
        "0F0,0F1,0R0,0B0,0F2,0R1,0B1,0ALLREDUCE0,0F3,0R2,0B2,0R3,0B3,0ALLREDUCE1,0U0,0U1\n"
        "1F0,1B0,1F1,1B1,1ALLREDUCE0,1F2,1B2,1F3,1B3,1ALLREDUCE1,1U0,1U1\n");
}

TEST(Registry, transfersStandBeforeTheirUseAndAfterWhatMakesThem)
{
    ScheduleRequest request;
    request.name = "1f1b";
    request.depth = 3;
    request.microbatches = 2;
    request.recompute = { false, true, false };
    EXPECT_EQ(toCsv(makeSchedule(request).value()),
        "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1,0U0\n"
        "1RECV_F0,1F0,1SEND_F0,1RECV_F1,1F1,1SEND_F1,1R0,1RECV_B0,1B0,1SEND_B0,1R1,1RECV_B1,1B1,"
        "1SEND_B1,1U0\n"
        "2RECV_F0,2F0,2B0,2SEND_B0,2RECV_F1,2F1,2B1,2SEND_B1,2U0\n");
}

TEST(Registry, aListHasNoMoreActionsThanItsRequestSays)
{
    for (const std::string& name : scheduleNames())
        for (const int d : { 1, 2, 5 })
            for (const bool cross : { false, true })
                for (const bool recompute : { false, true }) {
                    ScheduleRequest request;
                    request.name = name;
                    request.depth = d;
                    request.microbatches = 7;
                    request.batches = 3;
                    request.crossStageUpdate = cross;
                    request.recompute.assign(std::size_t(d), recompute);
                    EXPECT_LE(std::int64_t(makeSchedule(request).value().actionCount()),
                        3 * actionsABatch(request))
                        << name;
                }
}
