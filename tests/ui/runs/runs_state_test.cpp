// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_store_fixture.h"
#include "ui/runs/run_comparison.h"
#include "ui/state/runs_state.h"

#include <QSignalSpy>
#include <QUndoStack>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>

using namespace stageloom;
using namespace stageloom::test;
using RunsStateTest = RunStoreTest;

namespace {

// Holds the store's write lock as long as it lives.
class HeldStore {
public:
    explicit HeldStore(const std::filesystem::path& file)
        : m_db(file.string(), SQLite::OPEN_READWRITE)
    {
        m_db.exec("BEGIN EXCLUSIVE");
    }

private:
    SQLite::Database m_db;
};

} // namespace

TEST_F(RunsStateTest, aMissingStoreIsEmptyAndNotAnError)
{
    RunsState runs(file());
    EXPECT_FALSE(runs.isLoaded());
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return runs.isLoaded(); }));
    EXPECT_TRUE(runs.entries()->empty());
    EXPECT_TRUE(runs.error().isEmpty());
    EXPECT_FALSE(std::filesystem::exists(file())); // looking makes nothing
}

TEST_F(RunsStateTest, readsRunsWithTheFactsOfTheirPlansNewestFirst)
{
    SampleRun run;
    add(run);
    run.stages = 4;
    run.learningRate = 2e-4;
    add(run);
    RunsState runs(file());
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return runs.entries()->size() == 2; }));
    EXPECT_EQ(runs.entries()->front().row.id, RunId { 2 });
    EXPECT_EQ(runs.entries()->front().facts.stages, 4);
    EXPECT_EQ(runs.entries()->front().facts.learningRate, 2e-4);
    EXPECT_EQ(runs.entries()->back().facts.stages, 2);
    QSignalSpy changes(&runs, &RunsState::rowsChanged);
    add(run);
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return runs.entries()->size() == 3; }));
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(runs.entries()->front().facts.stages, 4);
}

TEST_F(RunsStateTest, whatIsWrittenShowsAtOnceAndReachesTheStore)
{
    add({});
    RunsState runs(file());
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return !runs.entries()->empty(); }));
    runs.edit(RunId { 1 }, RunField::Tags, QStringLiteral("baseline, long"));
    runs.edit(RunId { 1 }, RunField::Notes, QStringLiteral("first"));
    runs.edit(RunId { 1 }, RunField::Notes, QStringLiteral("second\nline"));
    runs.edit(RunId { 1 }, RunField::Name, QStringLiteral("new name"));
    EXPECT_EQ(runs.entry(RunId { 1 })->row.notes, "second\nline");
    EXPECT_TRUE(runs.entry(RunId { 1 })->words.contains(QStringLiteral("baseline")));
    Database database = open();
    ASSERT_TRUE(waitFor([&] {
        const RunRow row = RunStore(database).get(RunId { 1 }).value();
        return row.name == "new name" && row.notes == "second\nline" && row.tags.size() == 2;
    }));
}

TEST_F(RunsStateTest, whatIsWrittenLastIsSavedWhenTheWindowCloses)
{
    add({});
    {
        RunsState runs(file());
        runs.edit(RunId { 1 }, RunField::Notes, QStringLiteral("typed just before the end"));
    }
    Database database = open();
    EXPECT_EQ(RunStore(database).get(RunId { 1 })->notes, "typed just before the end");
}

TEST_F(RunsStateTest, aLockedStoreLosesNoText)
{
    add({});
    RunsState runs(file());
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return !runs.entries()->empty(); }));
    QString sentence;
    QObject::connect(&runs, &RunsState::failed, [&](const QString& s) { sentence = s; });
    {
        const HeldStore held(file());
        runs.edit(RunId { 1 }, RunField::Notes, QStringLiteral("kept"));
        ASSERT_TRUE(waitFor([&] { return !sentence.isEmpty(); }, 40'000));
        EXPECT_TRUE(sentence.contains(QStringLiteral("stays here")));
        EXPECT_EQ(runs.entry(RunId { 1 })->row.notes, "kept");
    }
    runs.refresh(); // as the poll does
    Database database = open();
    EXPECT_TRUE(
        waitFor([&] { return RunStore(database).get(RunId { 1 })->notes == "kept"; }, 40'000));
}

TEST_F(RunsStateTest, aFileThatIsNoStoreIsSaidInASentenceAndGoesAwayWithIt)
{
    std::ofstream(file()) << "this is a text file, long enough to have a header of its own";
    RunsState runs(file());
    QSignalSpy errors(&runs, &RunsState::errorChanged);
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return runs.isLoaded(); }));
    EXPECT_TRUE(runs.error().contains(QStringLiteral("runs.sqlite"))) << runs.error().toStdString();
    runs.refresh();
    waitFor([&] { return errors.count() > 1; }, 300);
    EXPECT_EQ(errors.count(), 1); // once, not at every poll
    std::filesystem::remove(file());
    add({});
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return runs.error().isEmpty(); }));
    EXPECT_EQ(runs.entries()->size(), 1u);
}

TEST_F(RunsStateTest, aRunThatGoesOnIsNotDeleted)
{
    add({});
    SampleRun live;
    live.state = RunState::Running; // started just now: its engine may still come
    add(live);
    RunsState runs(file());
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return runs.entries()->size() == 2; }));
    QString sentence;
    int gone = -1;
    QObject::connect(&runs, &RunsState::failed, [&](const QString& s) { sentence = s; });
    QObject::connect(&runs, &RunsState::removed, [&](int count) { gone = count; });
    runs.remove({ RunId { 1 }, RunId { 2 } });
    ASSERT_TRUE(waitFor([&] { return gone >= 0 && runs.entries()->size() == 1; }));
    EXPECT_EQ(gone, 1);
    EXPECT_TRUE(sentence.contains(QStringLiteral("still running")));
    EXPECT_EQ(runs.running()->id, RunId { 2 });
}

TEST_F(RunsStateTest, curvesOfARunAreReadAtFullResolutionWithItsValidations)
{
    SampleRun run;
    run.steps = 3000;
    add(run);
    RunComparison comparison(file());
    comparison.loadCurves({ RunId { 1 } });
    ASSERT_TRUE(waitFor([&] { return !comparison.curves().empty(); }));
    const Curve loss = comparison.curves()[0].series(RunMetric::Loss);
    ASSERT_EQ(loss.values.size(), 3000u);
    EXPECT_EQ(loss.steps.back(), 3000);
    EXPECT_DOUBLE_EQ(loss.values.back(), 3);
    const Curve validation = comparison.curves()[0].series(RunMetric::Validation);
    ASSERT_EQ(validation.markerSteps.size(), 1u);
    EXPECT_DOUBLE_EQ(validation.markerValues[0], 3.1);
}

// Shown by changing what was read already: a reader that looked at it again would see the change.
TEST_F(RunsStateTest, ofARunThatGoesOnOnlyWhatIsNewIsRead)
{
    SampleRun run;
    run.state = RunState::Running;
    run.steps = 600;
    Database database = open();
    const RunId id = addRun(database, run);
    RunComparison comparison(file());
    int loaded = 0;
    QObject::connect(&comparison, &RunComparison::curvesLoaded, [&] { ++loaded; });
    comparison.loadCurves({ id });
    ASSERT_TRUE(waitFor([&] { return loaded == 1; }));
    ASSERT_EQ(comparison.curves()[0].points.size(), 600u);
    database.raw().exec("DELETE FROM metric_blocks WHERE block = 0");
    ASSERT_TRUE(MetricStore(database).append(id,
        { { 600, 300, std::nan(""), 2.5, 0, 0, 0, 0, 0 },
            { 601, 301, 2, std::nan(""), 1, 1, 1, 1, 1 } }));
    comparison.loadCurves({ id });
    ASSERT_TRUE(waitFor([&] { return loaded == 2; }));
    const std::vector<MetricPoint>& points = comparison.curves()[0].points;
    ASSERT_EQ(points.size(), 601u); // the first ones were not asked for again
    EXPECT_EQ(points.front().step, 1);
    EXPECT_EQ(points[599].step, 600);
    EXPECT_DOUBLE_EQ(points[599].validationLoss, 2.5); // came after its step
    EXPECT_EQ(points.back().step, 601);
}

TEST_F(RunsStateTest, writtenWordsAreTakenBackAndWrittenAgain)
{
    add({});
    RunsState runs(file());
    runs.refresh();
    ASSERT_TRUE(waitFor([&] { return !runs.entries()->empty(); }));
    const std::string before = runs.entry(RunId { 1 })->row.name;
    runs.edit(RunId { 1 }, RunField::Name, QStringLiteral("another"));
    runs.edit(RunId { 1 }, RunField::Tags, QStringLiteral("paper"));
    runs.undoStack().undo();
    EXPECT_TRUE(runs.entry(RunId { 1 })->row.tags.empty());
    EXPECT_EQ(runs.entry(RunId { 1 })->row.name, "another");
    runs.undoStack().undo();
    EXPECT_EQ(runs.entry(RunId { 1 })->row.name, before);
    runs.undoStack().redo();
    Database database = open();
    EXPECT_TRUE(waitFor([&] { return RunStore(database).get(RunId { 1 })->name == "another"; }));
}

TEST_F(RunsStateTest, twoTracesAreAlignedAndARunWithoutOneIsSaid)
{
    SampleRun run;
    add(run);
    run.stretch = 1.2;
    add(run);
    run.spans = false;
    add(run);
    RunComparison comparison(file());
    QString sentence;
    bool loaded = false;
    QObject::connect(&comparison, &RunComparison::tracesLoaded, [&] { loaded = true; });
    QObject::connect(
        &comparison, &RunComparison::tracesFailed, [&](const QString& s) { sentence = s; });
    comparison.loadTraces(RunId { 1 }, RunId { 2 });
    ASSERT_TRUE(waitFor([&] { return loaded; }));
    const RunTraces& traces = comparison.traces();
    EXPECT_EQ(traces.comparison.spans.size(), spansOf(run, 3).size());
    EXPECT_EQ(traces.comparison.baseOnly, 0u);
    EXPECT_EQ(traces.basePart.spans.size(), traces.otherPart.spans.size());
    comparison.loadTraces(RunId { 1 }, RunId { 3 });
    ASSERT_TRUE(waitFor([&] { return !sentence.isEmpty(); }));
    EXPECT_TRUE(sentence.contains(QStringLiteral("Run 3 recorded no spans")));
}
