// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_store_fixture.h"
#include "ui/runs/plan_difference_model.h"
#include "ui/runs/run_facts_model.h"
#include "ui/runs/trace_difference_model.h"

#include <QAbstractItemModelTester>

using namespace stageloom;
using test::SampleRun;
using Tester = QAbstractItemModelTester;

TEST(PlanDifferenceModel, showsWhatDiffersAndOnDemandTheRest)
{
    SampleRun a, b;
    a.name = b.name = "same name";
    b.schedule = "1f1b";
    b.learningRate = 5e-4;
    PlanDifferenceModel model;
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    const std::vector<Json> plans { planOf(a), planOf(b) };
    model.setComparison({ { RunId { 1 }, RunId { 2 } }, leaves(plans), {} });
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("schedule"));
    EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("2bw"));
    EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("1f1b"));
    EXPECT_FALSE(model.index(0, 1).data(PlanDifferenceModel::ChangedRole).toBool());
    EXPECT_TRUE(model.index(0, 2).data(PlanDifferenceModel::ChangedRole).toBool());
    EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("optimizer · learning rate"));
    model.setShowAll(true);
    EXPECT_EQ(model.rowCount(), static_cast<int>(planOf(a).flatten().size()));
    EXPECT_EQ(model.differing(), 2);
}

TEST(PlanDifferenceModel, pathsReadAsWords)
{
    EXPECT_EQ(fieldWords("/stages/1/last_layer"), QStringLiteral("stage 1 · last layer"));
    EXPECT_EQ(fieldWords("/stages/0/devices/2"), QStringLiteral("stage 0 · device 2"));
    EXPECT_EQ(fieldWords("/seed"), QStringLiteral("seed"));
}

TEST(TraceDifferenceModel, namesStageActionAndTheWorstPlace)
{
    SampleRun slow, quick;
    slow.stretch = 1.5;
    Trace base, other;
    base.spans = spansOf(quick, 2);
    other.spans = spansOf(slow, 2);
    RunTraces traces;
    traces.base = RunId { 1 };
    traces.other = RunId { 2 };
    traces.comparison = compareTraces(base, other);
    TraceDifferenceModel model;
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.setTraces(traces);
    ASSERT_EQ(model.rowCount(), 4); // F and B of two stages
    using Column = TraceDifferenceModel::Column;
    EXPECT_EQ(model.index(1, Column::Action).data().toString(), QStringLiteral("Backward"));
    EXPECT_EQ(model.index(1, Column::Matched).data().toString(), QStringLiteral("8"));
    EXPECT_EQ(model.index(1, Column::Mean).data().toString(), QStringLiteral("+10.0 ms"));
    EXPECT_TRUE(model.index(1, Column::Mean).data(Qt::ForegroundRole).isValid());
    EXPECT_EQ(
        model.headerData(Column::Other, Qt::Horizontal, Qt::DisplayRole), QStringLiteral("Run 2"));
    EXPECT_EQ(signedSeconds(-0.01), QStringLiteral("−10.0 ms"));
}

TEST(RunFactsModel, leavesOutWhatIsNotKnown)
{
    SampleRun run;
    RunDetails details;
    details.row = test::entryOf(3, run).row;
    details.row.bubblePredicted = 0.125;
    details.plan = planOf(run);
    details.environment = Json { { "host", "here" } };
    RunFactsModel model;
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.setFacts(runFacts(details));
    QHash<QString, QString> facts;
    QStringList headings;
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.isHeading(row))
            headings << model.index(row, 0).data().toString();
        else
            facts[model.index(row, 0).data().toString()] = model.index(row, 1).data().toString();
    }
    EXPECT_EQ(headings, (QStringList { "Outcome", "Plan", "Environment" }));
    EXPECT_EQ(facts.value("Bubble predicted"), QStringLiteral("12.5 %"));
    EXPECT_FALSE(facts.contains("Bubble measured"));
    EXPECT_EQ(facts.value("Stage 1"), QStringLiteral("layers 3–5 on device 1"));
    EXPECT_EQ(facts.value("host"), QStringLiteral("here"));
    for (const QString& value : facts)
        EXPECT_FALSE(value.isEmpty());
}
