// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layers_model.h"
#include "ui/model/measure_panel.h"
#include "ui/model/model_files.h"
#include "ui/plan/findings_model.h"
#include "ui/plan/plans_model.h"
#include "ui/theme/text.h"
#include "ui/topology/topology_matrix_model.h"
#include "ui/topology/what_if.h"
#include "ui/widgets/log_model.h"

#include "inputs_fixture.h"
#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

using namespace stageloom;

namespace {

// Fails the test at the first broken promise of the model.
class Watched {
public:
    explicit Watched(QAbstractItemModel& model)
        : m_tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning)
    {
        s_before = qInstallMessageHandler(&Watched::note);
    }
    ~Watched() { qInstallMessageHandler(s_before); }

private:
    static void note(QtMsgType type, const QMessageLogContext& context, const QString& text)
    {
        if (context.category != nullptr && std::string(context.category) == "qt.modeltest")
            ADD_FAILURE() << text.toStdString();
        else if (type == QtFatalMsg)
            s_before(type, context, text);
    }
    static inline QtMessageHandler s_before = nullptr;
    QAbstractItemModelTester m_tester;
};

QString cell(const QAbstractItemModel& model, int row, int column, int role = Qt::DisplayRole)
{
    return model.index(row, column).data(role).toString();
}

} // namespace

TEST(LayersModel, keepsItsPromisesWhileItChanges)
{
    LayersModel model;
    const Watched watched(model);
    const Model small = smallModel();
    model.setModel(small);
    Profile profile;
    profile.layers.resize(small.layers.size());
    model.setProfile(profile);
    model.setProfile({});
    model.setModel({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(LayersModel, foldsEqualBlocksAndOpensThemToTheOperatorsOfOne)
{
    LayersModel model;
    model.setModel(smallModel());
    ASSERT_EQ(model.rowCount(), 4); // embedding, block × 3, norm, head
    const QModelIndex fold = model.index(1, 0);
    EXPECT_EQ(fold.data().toString(), QStringLiteral("block × 3"));
    // one block, and ln_1, c_attn, attention, c_proj, ln_2, c_fc, activation, c_proj
    ASSERT_EQ(model.rowCount(fold), 9);
    EXPECT_EQ(model.index(0, 0, fold).data().toString(), QStringLiteral("one block"));
    const auto valueOf = [&](const QModelIndex& row, int column) {
        return row.siblingAtColumn(column).data(LayersModel::ValueRole).toDouble();
    };
    for (const int column : { LayersModel::Parameters, LayersModel::Flops, LayersModel::Stash }) {
        double sum = 0;
        for (int part = 1; part < 9; ++part)
            sum += valueOf(model.index(part, 0, fold), column);
        EXPECT_EQ(sum, valueOf(model.index(0, 0, fold), column)) << column;
        EXPECT_EQ(3 * sum, valueOf(fold, column)) << column;
    }
    EXPECT_EQ(
        model.index(2, LayersModel::Shape, fold).data().toString(), QStringLiteral("64 × 192"));
    EXPECT_EQ(model.placeOf(model.indexOf(2, 1)).part, 1);
    EXPECT_EQ(model.indexOf(2).internalId(), fold.internalId());
}

TEST(LayersModel, saysNothingWhereThereIsNothing)
{
    LayersModel model;
    model.setModel(smallModel());
    EXPECT_EQ(cell(model, 0, LayersModel::Flops), QStringLiteral("–")); // looks rows up
    EXPECT_EQ(cell(model, 3, LayersModel::Parameters), QStringLiteral("tied"));
    EXPECT_EQ(cell(model, 1, LayersModel::Forward), QStringLiteral("–"));
}

TEST(LayersModel, headersNameTheUnitOfTheirColumn)
{
    LayersModel model;
    model.setModel(*readModel("gpt2-medium", {}));
    const auto header = [&](int column) {
        return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    EXPECT_EQ(header(LayersModel::Parameters), QStringLiteral("Params\nM"));
    EXPECT_EQ(header(LayersModel::Flops), QStringLiteral("Forward\nGFLOP"));
    EXPECT_EQ(header(LayersModel::Stash), QStringLiteral("Stash\nMiB"));
    // 12·1024² + 13·1024 parameters a block
    const QModelIndex fold = model.index(1, 0);
    EXPECT_EQ(
        model.index(0, LayersModel::Parameters, fold).data().toString(), QStringLiteral("12.6"));
    EXPECT_EQ(model.total(LayersModel::Parameters), QStringLiteral("355"));
}

TEST(LayersModel, totalsAddWhatTheRowsSay)
{
    LayersModel model;
    const Model small = smallModel();
    model.setModel(small);
    // embedding 128·64 + 32·64; block 12·64² + 13·64; norm 2·64; head tied: 160,320 in all.
    EXPECT_EQ(small.parameters, 160'320);
    EXPECT_EQ(model.total(LayersModel::Parameters), QStringLiteral("160"));
    EXPECT_EQ(model.total(LayersModel::Output), QStringLiteral("–"));
    EXPECT_EQ(model.total(LayersModel::Forward), QStringLiteral("–"));
    Profile profile;
    for (std::size_t i = 0; i < small.layers.size(); ++i)
        profile.layers.push_back({ "", 20e-3, 20e-3, 40e-3 });
    model.setProfile(profile);
    EXPECT_EQ(model.total(LayersModel::Forward), QStringLiteral("120"));
    EXPECT_EQ(cell(model, 1, LayersModel::Backward), QStringLiteral("120"));
    EXPECT_EQ(model.index(0, LayersModel::Backward, model.index(1, 0)).data().toString(),
        QStringLiteral("40.0"));
}

TEST(TimesInsight, comparesTheLongestOtherLayerWithABlock)
{
    const Model small = smallModel();
    Profile profile;
    for (std::size_t i = 0; i < small.layers.size(); ++i)
        profile.layers.push_back({ "", 1e-3, 1e-3, 2e-3 });
    profile.layers.front().forward = profile.layers.front().backward = 0;
    profile.layers.back().backward = 5e-3;
    EXPECT_EQ(
        timesInsight(small, profile), QStringLiteral("The head takes as long as 2.0 blocks."));
    profile.layers.resize(2);
    EXPECT_EQ(timesInsight(small, profile), QString());
}

TEST(ModelFiles, areNamedAndWeighedWithoutBeingRead)
{
    const Files files;
    const Model small = smallModel();
    EXPECT_TRUE(weightsText(findModelFiles(QStringLiteral("preset:gpt2")), small)
                    .startsWith(QStringLiteral("None")));
    files.write(QStringLiteral("config.json"), kSmallConfig);
    EXPECT_TRUE(
        weightsText(findModelFiles(files.path({})), small).startsWith(QStringLiteral("Missing")));
    EXPECT_TRUE(
        tokenizerText(findModelFiles(files.path({})), small).startsWith(QStringLiteral("Missing")));
    // A header that claims more than the file holds does no harm: nobody reads it.
    QByteArray broken(static_cast<int>(small.parameters) * 4, '\xff');
    files.write(QStringLiteral("model.safetensors"), broken);
    files.write(QStringLiteral("tokenizer.json"), "not json");
    const ModelFiles found = findModelFiles(files.path(QStringLiteral("config.json")));
    ASSERT_EQ(found.weights.size(), 1);
    EXPECT_EQ(found.weights[0].second, broken.size());
    EXPECT_TRUE(weightsText(found, small).contains(QStringLiteral("4 bytes each")))
        << weightsText(found, small).toStdString();
    EXPECT_TRUE(tokenizerText(found, small).startsWith(QStringLiteral("Found: tokenizer.json")));
    files.write(QStringLiteral("model.safetensors"), broken.left(100));
    EXPECT_TRUE(weightsText(findModelFiles(files.path({})), small)
                    .contains(QStringLiteral("not what 160 k parameters")));
}

TEST(FlopsText, hasAtMostThreeDigitsAndAUnit)
{
    EXPECT_EQ(flopsText(0), QStringLiteral("0 FLOP"));
    EXPECT_EQ(flopsText(999.4), QStringLiteral("999 FLOP"));
    EXPECT_EQ(flopsText(999.6), QStringLiteral("1.00 kFLOP"));
    EXPECT_EQ(flopsText(16.14e9), QStringLiteral("16.1 GFLOP"));
    EXPECT_EQ(flopsText(3.5e18), QStringLiteral("3500 PFLOP"));
}

TEST(TopologyMatrixModel, keepsItsPromisesWhileItChanges)
{
    TopologyMatrixModel model;
    const Watched watched(model);
    for (const char* name : { "dgx1-v100-16g", "cpu:1", "v100-8x8" })
        model.setTopology(*readTopology(name));
    EXPECT_EQ(model.rowCount(), 64);
    model.setTopology({});
    EXPECT_EQ(model.columnCount(), 0);
}

TEST(TopologyMatrixModel, isTheSameAboveAndBelowItsDiagonal)
{
    const Topology machine = withLinkUnplugged(*readTopology("rtx4090:4"), 1, 2).topology;
    TopologyMatrixModel model;
    model.setTopology(machine);
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            EXPECT_EQ(cell(model, a, b), cell(model, b, a));
    EXPECT_EQ(cell(model, 0, 1), QStringLiteral("31.5"));
    EXPECT_EQ(cell(model, 1, 2), QStringLiteral("×"));
    EXPECT_EQ(cell(model, 1, 2, Qt::ToolTipRole), QStringLiteral("GPU 1 – GPU 2: unplugged"));
    EXPECT_EQ(cell(model, 3, 3), QString());
}

TEST(TopologyMatrixModel, marksThePairsThatThePlanUses)
{
    const Plan plan = smallPlan("rtx4090:4", { { 0, 2, { 3 } }, { 3, 5, { 1 } } });
    const Result<Prediction> prediction = predict(plan, smallModel(), 4);
    ASSERT_TRUE(prediction);
    TopologyMatrixModel model;
    model.setTopology(plan.topology);
    const PlanOnMachine placed = planOnMachine(plan, &*prediction);
    model.setPlan(placed);
    using Use = TopologyMatrixModel::Use;
    const auto use = [&](int a, int b) {
        return static_cast<Use>(model.index(a, b).data(TopologyMatrixModel::UseRole).toInt());
    };
    EXPECT_EQ(use(1, 3), Use::WithoutPeerAccess);
    EXPECT_EQ(use(3, 1), Use::WithoutPeerAccess);
    EXPECT_EQ(use(0, 1), Use::None);
    // 32 tokens · 64 values · 4 bytes, 4 microbatches, there and back
    EXPECT_EQ(placed.mostBytes(), 32 * 64 * 4 * 4 * 2);
    EXPECT_EQ(placed.devices.at(3).layers, QStringLiteral("embedding + blocks 0–1"));
    EXPECT_TRUE(peerAccessText(plan.topology, placed)
                    .startsWith(QStringLiteral("No peer access between GPU 1 and GPU 3")));
}

TEST(WhatIf, plansEachChangeAnewAndSaysWhatItDoes)
{
    const Plan plan = smallPlan("dgx1-v100-16g:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
    const Model small = smallModel();
    std::vector<WhatIfRow> rows = whatIfRows(plan.topology, plan, small);
    ASSERT_GE(rows.size(), 5u); // as it is, without either GPU, without their link, one more
    WhatIfModel model;
    const Watched watched(model);
    model.setRows(rows);
    EXPECT_EQ(cell(model, 1, WhatIfModel::Step), QStringLiteral("…"));
    rows = planRows(std::move(rows), plan, small);
    model.setRows(rows);
    using Change = WhatIfRow::Change;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_TRUE(rows[i].planned) << i;
        const auto devices = rows[i].change == Change::Devices ? 2 - rows[i].devices.size()
            : rows[i].change == Change::Add                    ? 3u
                                                               : 2u;
        EXPECT_EQ(rows[i].machine.devices.size(), devices) << i;
        EXPECT_LE(rows[i].stages * rows[i].width, static_cast<int>(devices)) << i;
        if (rows[i].fits) {
            EXPECT_FALSE(model.sentence(model.index(static_cast<int>(i), 0)).isEmpty());
        }
    }
    EXPECT_EQ(plan.topology.devices.size(), 2u); // nothing was changed
    model.setRows({});
}

TEST(FindingsModel, keepsItsPromisesAndSaysTheWorstFirst)
{
    FindingsModel model;
    const Watched watched(model);
    using Severity = PlanFinding::Severity;
    model.setFindings({ { Severity::Note, "/a", "a note" }, { Severity::Error, "/b", "an error" },
        { Severity::Warning, "/c", "a warning" } });
    EXPECT_EQ(cell(model, 0, 0), QStringLiteral("An error"));
    EXPECT_EQ(cell(model, 2, 0), QStringLiteral("A note"));
    model.setFindings({});
}

TEST(LogModel, keepsItsPromisesAboveItsLimit)
{
    LogModel model;
    const Watched watched(model);
    std::vector<LogLine> lines(LogModel::kLimit - 1);
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].text = std::to_string(i);
    model.append(lines);
    model.append({ lines.begin(), lines.begin() + 10 });
    EXPECT_EQ(model.rowCount(), LogModel::kLimit);
    EXPECT_TRUE(cell(model, 0, 0).endsWith(QStringLiteral("  9")));
    lines.resize(2 * LogModel::kLimit);
    model.append(lines);
    EXPECT_EQ(model.rowCount(), LogModel::kLimit);
    model.clear();
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(PlansModel, keepsItsPromisesAndRanksAsThePlannerDoes)
{
    PlannerRequest request;
    request.modelSource = "small";
    request.model = smallModel();
    request.topology = *readTopology("rtx4090:4");
    request.batchSize = 16;
    const Result<PlannerAnswer> answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    PlansModel model;
    const Watched watched(model);
    model.setAnswer(std::make_shared<const PlannerAnswer>(*answer));
    ASSERT_EQ(model.rowCount(), static_cast<int>(answer->plans.size() + answer->rejected.size()));
    for (int row = 0; row < static_cast<int>(answer->plans.size()); ++row)
        EXPECT_EQ(toJson(model.found(row)->plan),
            toJson(answer->plans[static_cast<std::size_t>(row)].plan));
    model.setAnswer(nullptr);
}

TEST(PlansModel, writesAPlanOneWayAndAnEstimateByWhatItKnows)
{
    Plan plan;
    plan.schedule = "2bw";
    plan.microbatchSize = 4;
    plan.microbatches = 8;
    plan.stages.assign(4, PlanStage { 0, 0, { 0 }, false });
    EXPECT_EQ(shortPlanText(plan).toStdString(), "2bw · 4 stages × 1 replica · b 4 · m 8");
    plan.stages.assign(1, PlanStage { 0, 0, { 0, 1 }, false });
    EXPECT_EQ(shortPlanText(plan).toStdString(), "2bw · 1 stage × 2 replicas · b 4 · m 8");
    Prediction prediction;
    prediction.stepTime = 13.84;
    prediction.tokensPerSecond = 63'790;
    EXPECT_EQ(stepTimeText(prediction).toStdString(), "≈ 14 s");
    EXPECT_EQ(tokenRateText(prediction).toStdString(), "≈ 64 k");
    prediction.measuredTimes = true;
    EXPECT_EQ(stepTimeText(prediction).toStdString(), "13.8 s");
    EXPECT_EQ(tokenRateText(prediction).toStdString(), "63,790");
}
