// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_store_fixture.h"
#include "ui/runs/run_query.h"

using namespace stageloom;
using test::entryOf;
using test::SampleRun;

namespace {

bool matches(const RunEntry& entry, const char* filter)
{
    return RunQuery::parse(QString::fromUtf8(filter)).matches(entry);
}

RunEntry sample()
{
    SampleRun run;
    run.name = "shakespeare long";
    run.tags = { "baseline", "paper" };
    run.notes = "first try\nof two lines";
    run.lastLoss = 2.5;
    run.rate = 5000;
    return entryOf(12, run);
}

} // namespace

TEST(RunFields, aModelsNameIsShortWhereverItCameFrom)
{
    const std::pair<const char*, const char*> names[] = { { "preset:gpt2", "gpt2" },
        { "/models/llama-1b/config.json", "llama-1b" }, { "small.config.json", "small" },
        { "/profiles/vgg/graph.txt", "vgg" }, { "gpt2", "gpt2" }, { "", "" } };
    for (const auto& [source, name] : names)
        EXPECT_EQ(shortModelName(source), QLatin1String(name)) << source;
}

TEST(RunFields, tagsAreTrimmedAndKeptOnce)
{
    EXPECT_EQ(tagsFromText(QStringLiteral(" long ,baseline,, long,  two  words ")),
        (std::vector<std::string> { "long", "baseline", "two words" }));
    EXPECT_TRUE(tagsFromText(QStringLiteral(" , ")).empty());
}

TEST(RunFields, durationIsTheTimeBetweenStartAndEnd)
{
    const RunEntry entry = sample();
    EXPECT_EQ(entry.seconds, 125);
    EXPECT_EQ(textOf(entry, RunField::Duration), QStringLiteral("2 min 05 s"));
    RunRow row = entry.row;
    row.state = RunState::Running;
    EXPECT_EQ(makeEntry(row, {}, 1772359230).seconds, 30); // 10:00:30 of that day
    EXPECT_EQ(fieldText(3 * 3600 + 60, RunField::Duration), QStringLiteral("3 h 01 min"));
}

TEST(RunFields, whatIsNotKnownIsEmptyNotZero)
{
    RunRow row;
    row.id = RunId { 1 };
    const RunEntry entry = makeEntry(row, {}, 0);
    for (const RunField field :
        { RunField::Loss, RunField::Rate, RunField::Stages, RunField::Batch, RunField::Memory })
        EXPECT_EQ(textOf(entry, field), QString()) << static_cast<int>(field);
}

TEST(RunQuery, everyFormOfTheFilterDecides)
{
    const RunEntry entry = sample();
    const std::pair<const char*, bool> cases[] = {
        { "", true },
        { "shakespeare", true },
        { "SHAKESPEARE gpt2", true },
        { "shakespeare llama", false },
        { "\"shakespeare long\"", true },
        { "\"long shakespeare\"", false },
        { "state:finished", true },
        { "state:failed", false },
        { "schedule:2bw tag:paper", true },
        { "tag:nothing", false },
        { "notes:lines", true },
        { "model:gpt2", true },
        { "-state:failed", true },
        { "-tag:baseline", false },
        { "loss<3", true },
        { "loss<2.5", false },
        { "loss<=2.5", true },
        { "loss>2 loss<3", true },
        { "rate>=5k", true },
        { "rate>5k", false },
        { "duration>2min", true },
        { "duration>1h", false },
        { "batch:8", true },
        { "stages=2", true },
        { "stages:3", false },
        { "lr=1e-3", true },
        { "validation<9", false }, // not measured
        { "-validation<9", true },
        { "run:12", true },
    };
    for (const auto& [filter, expected] : cases)
        EXPECT_EQ(matches(entry, filter), expected) << filter;
}

TEST(RunQuery, aHalfTypedComparisonHidesNothing)
{
    for (const char* filter : { "loss<", "loss<-", "state:", "lr=1e-", "rate>=" })
        EXPECT_TRUE(matches(sample(), filter)) << filter;
}

TEST(RunQuery, aColonThatNamesNoFieldIsAWord)
{
    EXPECT_FALSE(matches(sample(), "preset:vgg"));
    EXPECT_TRUE(matches(sample(), "preset:gpt2"));
}
