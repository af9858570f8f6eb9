// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layers_model.h"
#include "ui/plan/findings_model.h"
#include "ui/plan/plans_model.h"
#include "ui/theme/text.h"
#include "ui/topology/topology_matrix_model.h"
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
    model.setLayers(small.layers);
    Profile profile;
    profile.layers.resize(small.layers.size());
    model.setProfile(profile);
    for (const auto measure : { LayerMeasure::Flops, LayerMeasure::Time, LayerMeasure::Parameters })
        model.setMeasure(measure);
    model.setProfile({});
    model.setLayers({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(LayersModel, sharesSumToTheWholeForEveryMeasure)
{
    LayersModel model;
    model.setLayers(smallModel().layers);
    for (const auto measure :
        { LayerMeasure::Parameters, LayerMeasure::Flops, LayerMeasure::Activations }) {
        model.setMeasure(measure);
        double sum = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            sum += model.index(row, 0).data(LayersModel::ShareRole).toDouble();
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(LayersModel, headersStandOverTheirNumbers)
{
    LayersModel model;
    model.setLayers(smallModel().layers);
    for (int column = 0; column < LayersModel::ColumnCount; ++column)
        EXPECT_EQ(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole),
            model.index(0, column).data(Qt::TextAlignmentRole))
            << column;
}

TEST(LayersModel, totalsAddWhatTheRowsSay)
{
    LayersModel model;
    const Model small = smallModel();
    model.setLayers(small.layers);
    // embedding 128·64 + 32·64; block 12·64² + 13·64; norm 2·64; head tied: 160,320 in all.
    EXPECT_EQ(small.parameters, 160'320);
    EXPECT_EQ(model.total(LayersModel::Parameters), QStringLiteral("160 k"));
    EXPECT_EQ(model.total(LayersModel::Output), QString());
    Profile profile;
    for (std::size_t i = 0; i < small.layers.size(); ++i)
        profile.layers.push_back({ "", 2e-3, 2e-3, 4e-3 });
    model.setProfile(profile);
    EXPECT_EQ(model.total(LayersModel::Forward), QStringLiteral("12.0 ms"));
    EXPECT_EQ(cell(model, 1, LayersModel::Backward), QStringLiteral("4.00 ms"));
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
    EXPECT_EQ(cell(model, 0, 1), QStringLiteral("host\n31.5"));
    EXPECT_EQ(cell(model, 1, 2), QStringLiteral("×"));
    EXPECT_EQ(cell(model, 1, 2, Qt::ToolTipRole), QStringLiteral("GPU 1 – GPU 2: unplugged"));
    EXPECT_EQ(cell(model, 3, 3), QString());
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
    model.setPlans(answer->plans);
    ASSERT_EQ(model.rowCount(), static_cast<int>(answer->plans.size()));
    for (int row = 0; row < model.rowCount(); ++row)
        EXPECT_EQ(
            toJson(model.plan(row)), toJson(answer->plans[static_cast<std::size_t>(row)].plan));
    model.setPlans({});
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
