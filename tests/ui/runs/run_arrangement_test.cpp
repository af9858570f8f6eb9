// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_store_fixture.h"
#include "ui/runs/run_arrangement.h"
#include "ui/runs/run_axes.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace stageloom;
using test::entryOf;
using test::SampleRun;
using testing::ElementsAre;

namespace {

std::vector<RunEntry> someRuns()
{
    std::vector<RunEntry> entries;
    const std::tuple<const char*, const char*, double> rows[]
        = { { "c", "2bw", 3 }, { "a", "1f1b", 5 }, { "b", "2bw", 4 }, { "d", "gpipe", 1 } };
    int id = 1;
    for (const auto& [name, schedule, loss] : rows) {
        SampleRun run;
        run.name = name;
        run.schedule = schedule;
        run.lastLoss = loss;
        entries.push_back(entryOf(id++, run));
    }
    entries[3].row.finalLoss.reset(); // d has none
    return entries;
}

} // namespace

TEST(RunArrangement, runsWithoutTheNumberComeLastInEitherDirection)
{
    const auto entries = someRuns();
    RunArrangement arrangement;
    arrangement.sort = RunField::Loss;
    EXPECT_THAT(arrange(entries, arrangement).front().runs, ElementsAre(1, 2, 0, 3));
    arrangement.descending = false;
    EXPECT_THAT(arrange(entries, arrangement).front().runs, ElementsAre(0, 2, 1, 3));
    arrangement.sort = RunField::Name;
    EXPECT_THAT(arrange(entries, arrangement).front().runs, ElementsAre(1, 2, 0, 3));
}

TEST(RunArrangement, equalRunsKeepTheirOrder)
{
    const auto entries = someRuns();
    RunArrangement arrangement;
    arrangement.sort = RunField::Stages;
    EXPECT_THAT(arrange(entries, arrangement).front().runs, ElementsAre(0, 1, 2, 3));
}

TEST(RunArrangement, sectionsHoldEveryRunOnceAndThoseWithoutATitleComeLast)
{
    auto entries = someRuns();
    entries[1].row.tags = { "x", "y" };
    entries[3].row.tags = { "a" };
    RunArrangement arrangement;
    arrangement.grouping = RunGrouping::Tag;
    arrangement.descending = false;
    const auto sections = arrange(entries, arrangement);
    ASSERT_EQ(sections.size(), 3u);
    EXPECT_EQ(sections[0].title, QStringLiteral("a"));
    EXPECT_EQ(sections[1].title, QStringLiteral("x"));
    EXPECT_TRUE(sections[2].title.isEmpty());
    EXPECT_THAT(sections[2].runs, ElementsAre(0, 2));
}

TEST(RunArrangement, aBrushAndAFilterBothHaveToAgree)
{
    const auto entries = someRuns();
    RunArrangement arrangement;
    arrangement.only = std::unordered_set<std::int64_t> { 1, 2 };
    arrangement.query = RunQuery::parse(QStringLiteral("schedule:2bw"));
    EXPECT_THAT(arrange(entries, arrangement).front().runs, ElementsAre(0));
    arrangement.only->clear();
    EXPECT_TRUE(arrange(entries, arrangement).front().runs.empty());
}

TEST(RunAxes, everyAxisHoldsTheNumbersOfTheRunsGiven)
{
    const auto entries = someRuns();
    const RunAxes axes = runAxes(entries, { 0, 2, 3 });
    ASSERT_EQ(axes.rows.size(), 3u);
    ASSERT_EQ(axes.axes.size(), axes.rows.front().size());
    EXPECT_EQ(axes.axes[0].labels, (QStringList { "2bw", "gpipe" }));
    EXPECT_EQ(axes.rows[2][0], 1);
    const auto loss = std::find_if(axes.axes.begin(), axes.axes.end(),
        [](const ParallelAxis& axis) { return axis.title == titleOf(RunField::Loss); });
    const auto column = static_cast<std::size_t>(loss - axes.axes.begin());
    EXPECT_EQ(axes.rows[0][column], 3);
    EXPECT_TRUE(std::isnan(axes.rows[2][column]));
}
