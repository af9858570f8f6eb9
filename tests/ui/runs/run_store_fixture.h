// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "core/store/trace_store.h"
#include "support/process.h"
#include "ui/state/run_fields.h"
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QSettings>
#include <gtest/gtest.h>
#include <limits>

namespace stageloom::test {

// Handles events until `done` or the time is over.
template <typename Done> bool waitFor(Done done, int milliseconds = 20'000)
{
    QDeadlineTimer limit(milliseconds);
    while (!done() && !limit.hasExpired())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    return done();
}

struct SampleRun {
    std::string name = "a run", schedule = "2bw", model = "preset:gpt2";
    RunState state = RunState::Finished;
    int steps = 20, stages = 2, microbatches = 4, microbatchSize = 2;
    double firstLoss = 5, lastLoss = 3, rate = 5000, learningRate = 1e-3, stretch = 1;
    bool spans = true;
    std::vector<std::string> tags;
    std::string notes;
    int batches = 3; // of which spans are kept
    Json plan; // in place of the one that planOf makes
};

inline Json planOf(const SampleRun& run)
{
    Json stages = Json::array();
    for (int s = 0; s < run.stages; ++s)
        stages.push_back({ { "first_layer", 3 * s }, { "last_layer", 3 * s + 2 },
            { "devices", { s } }, { "recompute", false } });
    return Json { { "schema", 1 }, { "name", run.name }, { "schedule", run.schedule },
        { "microbatch_size", run.microbatchSize }, { "microbatches", run.microbatches },
        { "stages", stages },
        { "optimizer", { { "kind", "adamw" }, { "learning_rate", run.learningRate } } },
        { "topology", { { "source", "cpu:4" }, { "document", toJson(*readTopology("cpu:4")) } } },
        { "model", { { "source", run.model } } } };
}

// F and B of every stage in turn, one batch after another: times as a run measures them.
inline std::vector<Span> spansOf(const SampleRun& run, int batches)
{
    std::vector<Span> spans;
    for (int b = 0; b < batches; ++b)
        for (int m = 0; m < run.microbatches; ++m)
            for (int s = 0; s < run.stages; ++s)
                for (const ActionKind kind : { ActionKind::Forward, ActionKind::Backward }) {
                    const bool back = kind == ActionKind::Backward;
                    Span span;
                    span.stage = span.device = static_cast<std::int16_t>(s);
                    span.batch = b;
                    span.microbatch = b * run.microbatches + m;
                    span.kind = kind;
                    span.version = b;
                    const int order = m + (back ? run.microbatches + run.stages - 1 - s : s);
                    span.start = b * 0.5 + order * 0.03 * run.stretch;
                    span.end = span.start + (back ? 0.02 : 0.01) * run.stretch;
                    spans.push_back(span);
                }
    return spans;
}

inline RunSummary summaryOf(const SampleRun& run)
{
    RunSummary summary;
    summary.steps = run.steps;
    summary.finalLoss = run.lastLoss;
    summary.validationLoss = run.lastLoss + 0.1;
    summary.tokensPerSecond = run.rate;
    summary.bubblePredicted = 0.11;
    summary.bubbleMeasured = 0.15;
    summary.peakRssBytes = 3e8;
    return summary;
}

inline RunId addRun(Database& database, const SampleRun& run)
{
    RunStore store(database);
    NewRun record;
    record.name = run.name;
    record.schedule = run.schedule;
    record.model = run.model;
    record.plannedSteps = run.steps;
    record.planJson = (run.plan.is_null() ? planOf(run) : run.plan).dump();
    record.requestJson
        = Json { { "data", "/data/text" }, { "seed", 7 }, { "steps", run.steps } }.dump();
    record.environmentJson = R"({"host":"here","cpus":2})";
    const RunId id = store.create(record).value();
    std::vector<MetricPoint> points;
    for (int step = 1; step <= run.steps; ++step) {
        const double share = static_cast<double>(step) / run.steps;
        points.push_back({ step, 0.5 * step, run.firstLoss + share * (run.lastLoss - run.firstLoss),
            step == run.steps ? run.lastLoss + 0.1 : std::numeric_limits<double>::quiet_NaN(),
            run.rate, 1, run.learningRate, 2e8, 64.0 * step });
    }
    EXPECT_TRUE(MetricStore(database).append(id, points));
    if (run.spans) {
        EXPECT_TRUE(TraceStore(database).begin(id, run.stages, run.stages, run.microbatches));
        EXPECT_TRUE(TraceStore(database).append(id, spansOf(run, run.batches)));
    }
    EXPECT_TRUE(store.appendLog(id, { 0.1, "info", "started with a seed" }));
    EXPECT_TRUE(store.setTags(id, run.tags));
    EXPECT_TRUE(store.setNotes(id, run.notes));
    if (run.state != RunState::Running)
        EXPECT_TRUE(store.finish(id, run.state, summaryOf(run),
            run.state == RunState::Failed ? "ran out of memory" : ""));
    else
        EXPECT_TRUE(store.update(id, summaryOf(run)));
    return id;
}

// A store in a folder of its own, and settings that nobody else reads.
class RunStoreTest : public testing::Test {
protected:
    RunStoreTest()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope,
            QString::fromStdString(m_folder.path().string()));
    }
    [[nodiscard]] std::filesystem::path file() const { return m_folder.path() / "runs.sqlite"; }
    [[nodiscard]] Database open() const
    {
        Result<Database> database = Database::open(file());
        if (!database)
            throw std::runtime_error(database.error().message);
        return std::move(*database);
    }
    void add(const SampleRun& run) const
    {
        Database database = open();
        addRun(database, run);
    }
    TemporaryFolder m_folder;
};

// An entry without a store.
inline RunEntry entryOf(int id, const SampleRun& run)
{
    RunRow row;
    row.id = RunId { id };
    row.name = run.name;
    row.schedule = run.schedule;
    row.model = run.model;
    row.state = run.state;
    row.steps = run.steps;
    row.plannedSteps = run.steps;
    row.started = "2026-03-01T10:00:00Z";
    row.ended = "2026-03-01T10:02:05Z";
    row.finalLoss = run.lastLoss;
    row.tokensPerSecond = run.rate;
    row.tags = run.tags;
    row.notes = run.notes;
    PlanFacts facts;
    facts.id = row.id;
    facts.stages = run.stages;
    facts.width = 1;
    facts.microbatches = run.microbatches;
    facts.microbatchSize = run.microbatchSize;
    facts.learningRate = run.learningRate;
    return makeEntry(std::move(row), facts, 0);
}

} // namespace stageloom::test
