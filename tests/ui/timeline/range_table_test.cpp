// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/range_dialog.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/range_statistics_model.h"
#include "ui/timeline/timeline_view.h"
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace stageloom;

namespace {

using Parts = std::map<std::pair<int, ActionKind>, std::vector<double>>;

Parts walk(const Trace& trace, const TimeRange& range, GroupBy by)
{
    Parts parts;
    for (const Span& s : trace.spans) {
        const double part = std::min(s.end, range.end) - std::max(s.start, range.begin);
        const int number = by == GroupBy::Stage ? s.stage
            : by == GroupBy::Device             ? s.device
            : carriesMicrobatch(s.kind)         ? s.microbatch
                                                : s.batch;
        if (s.start < range.end && s.end > range.begin)
            parts[{ number, s.kind }].push_back(part);
    }
    for (auto& [key, all] : parts)
        std::ranges::sort(all);
    return parts;
}

// The smallest value that at least 95 of 100 are not above.
double p95(const std::vector<double>& sorted)
{
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (100 * (i + 1) >= 95 * sorted.size())
            return sorted[i];
    return -1;
}

Trace withEverything()
{
    Trace trace = test::longPipeline(3, 500);
    for (int batch = 0; batch < 60; ++batch)
        for (int stage = 0; stage < 3; ++stage) {
            const double at = 31.7 * batch + stage;
            trace.spans.push_back(test::span(ActionKind::Update, stage, batch, at, at + 0.2));
            trace.spans.back().batch = batch;
            trace.spans.push_back(
                test::span(ActionKind::Send, stage, 3 * batch, at, at + 5 + stage));
        }
    return trace;
}

class RangeTable : public testing::Test {
protected:
    RangeTable() { view.resize(1000, 400); }
    RangeDialog* open()
    {
        view.show();
        QTest::keyClick(&view, Qt::Key_T);
        return view.findChild<RangeDialog*>();
    }
    static QTableView* tableOf(RangeDialog* dialog) { return dialog->findChild<QTableView*>(); }
    TimelineView view;
};

} // namespace

TEST(OperationStatistics, equalAWalkOverEverySpan)
{
    const Trace trace = withEverything();
    const TimelineSide side(trace);
    std::mt19937 random(7);
    const TimeRange all = side.extent();
    for (int round = 0; round < 40; ++round) {
        std::uniform_real_distribution<double> when(all.begin - 3, all.end + 3);
        const double a = when(random), b = when(random);
        const TimeRange range { std::min(a, b), std::max(a, b) };
        for (const GroupBy by : { GroupBy::Stage, GroupBy::Microbatch, GroupBy::Device }) {
            const OperationStatistics found = operationStatistics(side, range, by);
            const Parts parts = walk(trace, range, by);
            ASSERT_EQ(found.groups.size(), parts.size());
            std::size_t spans = 0, at = 0;
            for (const auto& [key, times] : parts) {
                const OperationGroup& group = found.groups[at++];
                ASSERT_EQ(std::pair(group.number, group.kind), key);
                ASSERT_EQ(group.count, times.size());
                double total = 0;
                for (const double time : times)
                    total += time;
                ASSERT_NEAR(group.total, total, 1e-9 * (1 + total));
                ASSERT_DOUBLE_EQ(group.p95, p95(times));
                ASSERT_DOUBLE_EQ(group.max, times.back());
                spans += times.size();
            }
            ASSERT_EQ(found.spans, spans);
            ASSERT_GE(mostSpansWithin(side, range), spans);
        }
    }
}

TEST(OperationStatistics, addUpToTheCardOfTheRange)
{
    TimelineModel model;
    model.setTrace(TraceSide::Run, withEverything());
    const TimeRange range { 100.3, 900.1 };
    std::map<ActionKind, std::pair<std::size_t, double>> sums;
    for (const OperationGroup& g :
        operationStatistics(model.side(TraceSide::Run), range, GroupBy::Stage).groups) {
        sums[g.kind].first += g.count;
        sums[g.kind].second += g.total;
    }
    const RangeStatistics card = statistics(model, TraceSide::Run, range);
    ASSERT_EQ(sums.size(), card.kinds.size());
    for (const auto& [kind, of] : card.kinds) {
        EXPECT_EQ(sums[kind].first, of.count);
        EXPECT_NEAR(sums[kind].second, of.total, 1e-6);
        EXPECT_NEAR(sums[kind].second / static_cast<double>(sums[kind].first), of.mean(), 1e-9);
    }
}

TEST(OperationStatistics, takeNumbersThatLieFarApart)
{
    Trace trace;
    trace.devices = 1;
    for (const int microbatch : { 0, 7, 2'000'000'000 })
        for (int i = 0; i < 3; ++i)
            trace.spans.push_back(
                test::span(ActionKind::Forward, 0, microbatch, trace.spans.size(), 100));
    const auto found = operationStatistics(TimelineSide(trace), { 0, 100 }, GroupBy::Microbatch);
    ASSERT_EQ(found.groups.size(), 3U);
    EXPECT_EQ(found.groups[2].number, 2'000'000'000);
    EXPECT_EQ(found.groups[2].count, 3U);
    EXPECT_DOUBLE_EQ(found.groups[0].max, 100);
    EXPECT_TRUE(
        operationStatistics(TimelineSide(trace), { 200, 300 }, GroupBy::Stage).groups.empty());
}

TEST(OperationStatistics, keepTheRowsOfTheLongestTotal)
{
    constexpr int kMany = OperationStatistics::kMostGroups + 10;
    Trace trace;
    trace.devices = 1;
    for (int i = 0; i < kMany; ++i) // ten are shorter
        trace.spans.push_back(
            test::span(ActionKind::Forward, 0, i, 2 * i, 2 * i + (i % 5001 == 4 ? 0.1 : 1)));
    const auto found
        = operationStatistics(TimelineSide(trace), { 0, 2.0 * kMany }, GroupBy::Microbatch);
    EXPECT_EQ(found.groups.size(), OperationStatistics::kMostGroups);
    EXPECT_EQ(found.left, 10U);
    EXPECT_EQ(found.spans, static_cast<std::size_t>(kMany));
    for (std::size_t i = 0; i < found.groups.size(); ++i)
        ASSERT_DOUBLE_EQ(found.groups[i].total, 1);
    EXPECT_TRUE(std::ranges::is_sorted(found.groups, {}, &OperationGroup::number));
}

TEST(RangeStatisticsModel, holdsItsContractSortsAndCopies)
{
    RangeStatisticsModel model;
    const QAbstractItemModelTester tester(
        &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    OperationStatistics statistics;
    using enum ActionKind;
    statistics.groups = { { 0, Forward, 20, 2, 0.2, 0.3 }, { 0, Backward, 20, 8, 0.5, 0.6 },
        { 1, Forward, 10, 4, 0.45, 0.5 } };
    model.setStatistics(statistics, GroupBy::Stage, {}, true);
    ASSERT_EQ(model.rowCount(), 3);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString().toStdString();
    };
    EXPECT_EQ(text(0, RangeStatisticsModel::Mean), "100 ms");
    EXPECT_EQ(text(1, RangeStatisticsModel::Operation), "Backward");
    const QPersistentModelIndex backward = model.index(1, RangeStatisticsModel::Total);
    model.sort(RangeStatisticsModel::Total, Qt::DescendingOrder);
    EXPECT_EQ(text(0, RangeStatisticsModel::Total), "8.00 s");
    EXPECT_EQ(text(2, RangeStatisticsModel::Total), "2.00 s");
    EXPECT_EQ(backward.row(), 0);
    EXPECT_TRUE(model.headerData(RangeStatisticsModel::Total, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .endsWith(QStringLiteral("▾")));
    EXPECT_EQ(model.tsv({ 0, 2 }).toStdString(),
        "Stage\tOperation\tCount\tTotal (s)\tMean (s)\tp95 (s)\tLongest (s)\n"
        "0\tBackward\t20\t8\t0.4\t0.5\t0.6\n"
        "0\tForward\t20\t2\t0.1\t0.2\t0.3");
    statistics.groups.push_back({ 4, Update, 1, 1, 1, 1 });
    model.setStatistics(statistics, GroupBy::Microbatch, {}, false);
    EXPECT_EQ(text(0, RangeStatisticsModel::Total), "8"); // as sorted before
    EXPECT_EQ(text(0, RangeStatisticsModel::Of), "1");
    EXPECT_EQ(text(3, RangeStatisticsModel::Of), "batch 5");
    model.setStatistics(statistics, GroupBy::Device, { QStringLiteral("Worker 3") }, true);
    EXPECT_EQ(text(0, RangeStatisticsModel::Of), "Worker 3");
}

TEST_F(RangeTable, followsWhatIsSelectedElseInSight)
{
    view.setPlan(test::twoStages());
    RangeDialog* dialog = open();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(dialog->isModal());
    QAbstractItemModel* model = tableOf(dialog)->model();
    EXPECT_EQ(model->rowCount(), 4);
    QTest::keyClick(&view, Qt::Key_T);
    EXPECT_EQ(view.findChildren<RangeDialog*>().size(), 1);
    view.state().select(TimeRange { 4.5, 5.5 }); // B1 of stage 0, F2 and B2 of stage 1
    EXPECT_TRUE(QTest::qWaitFor([&] { return model->rowCount() == 3; }));
    EXPECT_EQ(model->index(0, RangeStatisticsModel::Total).data().toString(), "1.00 s");
    view.state().setVisible({ 0, 1 }); // the selection stands
    QTest::qWait(200);
    EXPECT_EQ(model->rowCount(), 3);
    view.state().select(std::nullopt);
    EXPECT_TRUE(QTest::qWaitFor([&] { return model->rowCount() == 1; }));
    auto* by = dialog->findChild<QComboBox*>();
    by->setCurrentIndex(by->findText(QStringLiteral("By microbatch")));
    EXPECT_EQ(model->headerData(0, Qt::Horizontal).toString(), "Microbatch ▴");
    view.setPlan({});
    EXPECT_TRUE(QTest::qWaitFor([&] { return model->rowCount() == 0; }));
}

TEST_F(RangeTable, copiesTheRowsChosenOrAll)
{
    view.setPlan(test::twoStages());
    RangeDialog* dialog = open();
    QTableView* table = tableOf(dialog);
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
        "Stage\tOperation\tCount\tTotal (s)\tMean (s)\tp95 (s)\tLongest (s)\n"
        "0\tBackward\t2\t4\t2\t2\t2");
    table->clearSelection();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text().count(QLatin1Char('\n')), 4);
}

TEST_F(RangeTable, sortsByAClickOnAHeader)
{
    view.setPlan(test::twoStages());
    QTableView* table = tableOf(open());
    QHeaderView* header = table->horizontalHeader();
    const auto click = [&](int column) {
        const int x = header->sectionViewportPosition(column) + 20;
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, { x, header->height() / 2 });
    };
    click(RangeStatisticsModel::Mean);
    const auto first = [&] { return table->model()->index(0, 1).data().toString(); };
    const QString once = first();
    click(RangeStatisticsModel::Mean);
    EXPECT_NE(first(), once);
}

TEST_F(RangeTable, countsManySpansInThePoolAndDropsWhatIsLate)
{
    view.setPlan(test::longPipeline(3, 30'000)); // 180,000 spans
    RangeDialog* dialog = open();
    ASSERT_TRUE(dialog->isCounting());
    bool says = false;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        says = says || label->text().startsWith(QStringLiteral("counting 180,000"));
    EXPECT_TRUE(says);
    view.state().select(TimeRange { 0, 0.5 }); // while that goes on
    QAbstractItemModel* model = tableOf(dialog)->model();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog->isCounting() && model->rowCount() == 1; }));
    EXPECT_EQ(model->index(0, RangeStatisticsModel::Count).data().toString(), "1");
    view.state().select(std::nullopt);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog->isCounting() && model->rowCount() == 6; }));
    EXPECT_EQ(model->index(0, RangeStatisticsModel::Count).data().toString(), "30,000");
}

TEST_F(RangeTable, theMenuOpensItAndCopiesTablesToo)
{
    view.setPlan(test::twoStages());
    view.state().select(TimeRange { 0, 9 });
    QMenu menu;
    view.fillMenu(menu, std::nullopt);
    const auto trigger = [&](const char* text) {
        for (QAction* action : menu.actions())
            if (action->text().startsWith(QLatin1String(text)))
                return action->trigger(), true;
        return false;
    };
    ASSERT_TRUE(trigger("Table of the selection"));
    EXPECT_NE(view.findChild<RangeDialog*>(), nullptr);
    ASSERT_TRUE(trigger("Copy its statistics"));
    const QStringList rows = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    EXPECT_EQ(rows.value(0).toStdString(), "Part\tCount\tTotal (s)\tMean (s)\tShare");
    EXPECT_EQ(rows.value(1).toStdString(), "Range\t8\t9\t\t1");
    // Each device computes 6 of the 9 seconds; forwards take 4 of both devices' 18.
    EXPECT_EQ(rows.value(2).toStdString(), "GPU 0 busy\t\t6\t\t0.6666666667");
    EXPECT_EQ(rows.value(4).toStdString(), "Forward\t4\t4\t1\t0.2222222222");
}
