// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/schedule/registry.h"
#include "core/schedule/text_format.h"
#include "core/schedule/verify.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace stageloom;

namespace {

std::string message(const std::string& text)
{
    const auto read = scheduleFromCsv(text, "rows.csv");
    return read ? "" : read.error().message;
}

// A published schedule, where the folder of cases lies beside the sources.
Result<Schedule> published(const char* name)
{
    const auto file
        = std::filesystem::path(STAGELOOM_SOURCE_DIR) / ".." / "shared" / "cases" / "traces" / name;
    const auto text = readTextFile(file, 1 << 20);
    if (!text)
        return failure(text);
    return scheduleFromCsv(*text, name);
}

std::string problems(const Schedule& schedule)
{
    std::string text;
    for (const ScheduleFinding& finding : verifySchedule(schedule).findings)
        text += finding.rule + ": " + finding.message + "\n";
    return text;
}

} // namespace

TEST(ScheduleCsv, emptyCellsAreIdleAndRowsMayDifferInLength)
{
    const Schedule schedule = scheduleFromCsv("0F0,,,0B0\n,1F0,1B0\n", "rows.csv").value();
    EXPECT_EQ(schedule.workers[0].size(), 2u);
    EXPECT_EQ(schedule.workers[1].size(), 2u);
    EXPECT_EQ(problems(schedule), "");
}

TEST(ScheduleCsv, aBackwardBesideAWeightGradientIsTheInputGradient)
{
    const Schedule schedule = scheduleFromCsv("0F0,0F1,0B0,0W0,0BW1\n", "rows.csv").value();
    const auto& list = schedule.workers[0];
    EXPECT_EQ(list[2].kind, ActionKind::BackwardInput);
    EXPECT_EQ(list[3].kind, ActionKind::BackwardWeight);
    EXPECT_EQ(list[4].kind, ActionKind::Backward);
    EXPECT_EQ(problems(schedule), "");
}

TEST(ScheduleCsv, stagesOfOneWorkerAreItsChunks)
{
    const Schedule schedule
        = scheduleFromCsv("0F0,2F0,2B0,0B0\n1F0,3F0,3B0,1B0\n", "rows.csv").value();
    EXPECT_EQ(schedule.workerOfStage, (std::vector<int> { 0, 1, 0, 1 }));
    EXPECT_EQ(schedule.workers[1][1].chunk, 1);
    EXPECT_EQ(schedule.workers[1][3].chunk, 0);
    EXPECT_EQ(problems(schedule), "");
}

TEST(ScheduleCsv, aWrongCellIsNamedByLineAndCell)
{
    EXPECT_NE(message("0F0,0B0\n1F0,1Q0\n").find("rows.csv: line 2, cell 2"), std::string::npos);
    EXPECT_NE(message("").find("holds no actions"), std::string::npos);
    EXPECT_NE(message("0U0\n").find("holds no actions"), std::string::npos);
    EXPECT_NE(message("0F0,0B0\n0F1,0B1\n").find("stage 0"), std::string::npos);
    EXPECT_NE(message("1F0,1B0\n").find("stage 0"), std::string::npos);
    EXPECT_NE(message("0F9999999,1F0,2F0,0B0\n"), "") << "30 million pairs from four cells";
}

TEST(ScheduleCsv, aPublishedSplitBackwardScheduleIsReadAndProven)
{
    const auto schedule = published("torch-zb1p-2rank-4stage-compute.csv");
    if (!schedule)
        GTEST_SKIP() << schedule.error().message;
    EXPECT_EQ(schedule->depth(), 2);
    EXPECT_EQ(schedule->stages, 4);
    EXPECT_EQ(schedule->microbatches, 8);
    EXPECT_EQ(schedule->workerOfStage, (std::vector<int> { 0, 1, 0, 1 }));
    for (const auto& list : schedule->workers)
        EXPECT_EQ(list.size(), 48u); // 2 stages × 8 microbatches × (F, I, W)
    EXPECT_EQ(problems(*schedule), "");
}

TEST(ScheduleCsv, thePublishedTransfersMatch)
{
    const auto schedule = published("torch-zb1p-2rank-4stage-comms.csv");
    if (!schedule)
        GTEST_SKIP() << schedule.error().message;
    EXPECT_EQ(schedule->workers[0].size(), 80u);
    EXPECT_EQ(schedule->workers[1].size(), 96u);
    EXPECT_EQ(problems(*schedule), "");
}
