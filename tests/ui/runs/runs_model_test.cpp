// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_store_fixture.h"
#include "ui/runs/runs_model.h"

#include <QAbstractItemModelTester>
#include <QSet>
#include <QSignalSpy>

using namespace stageloom;
using test::entryOf;
using test::SampleRun;

namespace {

RunEntries entriesOf(int count, double loss = 3)
{
    const char* schedules[] = { "2bw", "1f1b", "gpipe" };
    auto entries = std::make_shared<std::vector<RunEntry>>();
    for (int id = count; id > 0; --id) { // newest first, as the store lists them
        SampleRun run;
        run.name = "run " + std::to_string(id);
        run.schedule = schedules[id % 3];
        run.lastLoss = loss + id;
        entries->push_back(entryOf(id, run));
    }
    return entries;
}

class RunsModelTest : public testing::Test {
protected:
    RunsModel m_model;
    QAbstractItemModelTester m_tester { &m_model,
        QAbstractItemModelTester::FailureReportingMode::Fatal };
};

} // namespace

TEST_F(RunsModelTest, staysAModelThroughEveryChange)
{
    m_model.setEntries(entriesOf(20));
    EXPECT_EQ(m_model.rowCount(), 20);
    m_model.setFilter(QStringLiteral("schedule:2bw"));
    EXPECT_EQ(m_model.rowCount(), 6);
    m_model.setFilter({});
    m_model.setGrouping(RunGrouping::Schedule);
    ASSERT_EQ(m_model.rowCount(), 3);
    EXPECT_EQ(m_model.sectionTitle(0), QStringLiteral("1f1b"));
    EXPECT_EQ(m_model.rowCount(m_model.index(0, 0)), 7);
    m_model.sort(static_cast<int>(RunField::Loss), Qt::AscendingOrder);
    EXPECT_EQ(m_model.entryAt(m_model.index(0, 0, m_model.index(0, 0)))->row.id, RunId { 1 });
    m_model.setOnly(std::unordered_set<std::int64_t> { 3, 4 });
    EXPECT_EQ(m_model.shownRuns(), 2);
    m_model.setOnly(std::nullopt);
    m_model.setGrouping(RunGrouping::None);
    m_model.setEntries(entriesOf(0));
    EXPECT_EQ(m_model.rowCount(), 0);
}

TEST_F(RunsModelTest, aRefreshThatMovesNothingKeepsEveryIndex)
{
    m_model.setEntries(entriesOf(10));
    const QPersistentModelIndex third = m_model.index(2, 0);
    QSignalSpy resets(&m_model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&m_model, &QAbstractItemModel::dataChanged);
    m_model.setEntries(entriesOf(10, 4));
    EXPECT_EQ(resets.count(), 0);
    EXPECT_GE(changes.count(), 1);
    EXPECT_TRUE(third.isValid());
    EXPECT_EQ(third.sibling(2, static_cast<int>(RunField::Loss)).data().toString(),
        QStringLiteral("12.000"));
    m_model.setEntries(entriesOf(11));
    EXPECT_EQ(resets.count(), 1);
}

TEST(FieldInfos, everyColumnIsOneRowOfTheTableInTheOrderOfTheNames)
{
    QSet<QString> keys, titles;
    for (int c = 0; c < kRunFields; ++c) {
        const FieldInfo& info = fieldInfo(static_cast<RunField>(c));
        EXPECT_EQ(static_cast<int>(info.field), c);
        EXPECT_TRUE(info.text != nullptr || info.value != nullptr) << c;
        EXPECT_TRUE(info.value != nullptr || !info.number) << c;
        keys.insert(QLatin1String(info.key));
        titles.insert(titleOf(info.field));
    }
    EXPECT_EQ(keys.size(), kRunFields); // settings and filters tell them apart
    EXPECT_EQ(titles.size(), kRunFields);
}

TEST(RunDifferences, areFromThePinnedRunAndAtTheSameStepWhereOneRanShorter)
{
    auto entries = std::make_shared<std::vector<RunEntry>>();
    for (int id = 3; id > 0; --id) {
        SampleRun run;
        run.steps = id == 3 ? 50 : 100;
        run.rate = 1000 * id;
        RunEntry entry = entryOf(id, run);
        entry.row.validationLoss = 3.0 - 0.1 * id;
        entries->push_back(entry);
    }
    const EvaluationsByRun evaluations { { 1, { { 50, 3.4 }, { 100, 2.9 } } },
        { 3, { { 25, 4.0 }, { 50, 3.1 } } } };
    EXPECT_EQ(withDifferences(entries, {}, evaluations), entries); // nobody is pinned
    const RunEntries compared = withDifferences(entries, RunId { 1 }, evaluations);
    EXPECT_NEAR((*compared)[1].difference->validation, -0.1, 1e-12); // both ran 100 steps
    EXPECT_EQ((*compared)[1].difference->step, 0);
    EXPECT_NEAR((*compared)[1].difference->rate, 1, 1e-12);
    EXPECT_NEAR((*compared)[0].difference->validation, 3.1 - 3.4, 1e-12); // at step 50
    EXPECT_EQ((*compared)[0].difference->step, 50);
    EXPECT_TRUE((*compared)[2].difference->isBaseline);
    EXPECT_EQ(textOf((*compared)[1], RunField::ValidationDelta), QStringLiteral("−0.100"));
    EXPECT_EQ(textOf((*compared)[1], RunField::RateDelta), QStringLiteral("+100.0 %"));
    const RunEntries unknown = withDifferences(entries, RunId { 1 }, {});
    EXPECT_TRUE(textOf((*unknown)[0], RunField::ValidationDelta).isEmpty()); // not compared
}

TEST_F(RunsModelTest, headersStandOverTheirNumbers)
{
    m_model.setEntries(entriesOf(1));
    for (int c = 0; c < m_model.columnCount(); ++c) {
        const QVariant header = m_model.headerData(c, Qt::Horizontal, Qt::TextAlignmentRole);
        EXPECT_EQ(header, m_model.index(0, c).data(Qt::TextAlignmentRole)) << c;
        EXPECT_EQ(
            (header.toInt() & Qt::AlignRight) != 0, fieldInfo(static_cast<RunField>(c)).number);
    }
}

TEST_F(RunsModelTest, onlyNameTagsAndNotesAreWritten)
{
    m_model.setEntries(entriesOf(2));
    QSignalSpy edits(&m_model, &RunsModel::edited);
    for (int c = 0; c < m_model.columnCount(); ++c) {
        const auto field = static_cast<RunField>(c);
        const bool editable
            = field == RunField::Name || field == RunField::Tags || field == RunField::Notes;
        const QModelIndex index = m_model.index(0, c);
        EXPECT_EQ(index.flags().testFlag(Qt::ItemIsEditable), editable) << c;
        EXPECT_EQ(m_model.setData(index, QStringLiteral("new words"), Qt::EditRole), editable);
    }
    ASSERT_EQ(edits.count(), 3);
    EXPECT_EQ(edits.last().at(2).toString(), QStringLiteral("new words"));
}

TEST_F(RunsModelTest, aRunIsFoundWhereverItIsShown)
{
    m_model.setEntries(entriesOf(9));
    m_model.setGrouping(RunGrouping::Schedule);
    for (int id = 1; id <= 9; ++id)
        EXPECT_EQ(m_model.entryAt(m_model.indexOf(RunId { id }))->row.id, RunId { id });
    m_model.setFilter(QStringLiteral("schedule:2bw"));
    EXPECT_FALSE(m_model.indexOf(RunId { 1 }).isValid());
    EXPECT_EQ(m_model.indexesOf({ RunId { 3 }, RunId { 6 }, RunId { 1 } }).size(), 2);
}
