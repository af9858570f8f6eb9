// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"
#include "ui/runs/plan_difference_model.h"
#include "ui/runs/run_baseline.h"
#include "ui/runs/runs_plans_tab.h"
#include "ui/runs/runs_traces_tab.h"

#include <QMenu>
#include <QTableView>
#include <gmock/gmock.h>

using namespace stageloom;
using namespace stageloom::test;
using testing::ElementsAre;

namespace {

class RunBaselineTest : public RunStoreTest { };

class RunBaselinePageTest : public RunsPageTest {
protected:
    void startWithRuns()
    {
        {
            Database database = open();
            for (const SampleRun& run : severalRuns())
                addRun(database, run);
        }
        start();
    }
    [[nodiscard]] QString readout() const { return plot().readoutAt(plot().width() / 2.0); }
    [[nodiscard]] QComboBox& combo(const QString& name) const
    {
        for (auto* box : m_page->findChild<RunsTracesTab*>()->findChildren<QComboBox*>())
            if (box->accessibleName() == name)
                return *box;
        throw std::runtime_error("no such choice");
    }
    [[nodiscard]] bool isBaseline(RunId id) const
    {
        return model().indexOf(id).data(RunsModel::BaselineRole).toBool();
    }
};

} // namespace

TEST_F(RunBaselineTest, withoutOneTheOldestOfTheChosenIsTheBase)
{
    const RunBaseline baseline(file());
    EXPECT_THAT(baseline.compared({ { 9 }, { 4 }, { 7 } }),
        ElementsAre(RunId { 4 }, RunId { 9 }, RunId { 7 }));
    EXPECT_TRUE(baseline.compared({}).empty());
}

TEST_F(RunBaselineTest, aPinnedRunIsTheBaseWhetherItIsChosenOrNot)
{
    RunBaseline baseline(file());
    baseline.toggle(RunId { 7 });
    EXPECT_THAT(
        baseline.compared({ { 9 }, { 4 } }), ElementsAre(RunId { 7 }, RunId { 9 }, RunId { 4 }));
    EXPECT_THAT(baseline.compared({ { 9 }, { 7 } }), ElementsAre(RunId { 7 }, RunId { 9 }));
    EXPECT_THAT(baseline.shown({ { 9 } }), ElementsAre(RunId { 9 }, RunId { 7 }));
    baseline.toggle(RunId { 7 });
    EXPECT_FALSE(baseline.pinned().valid());
}

TEST_F(RunBaselineTest, isRememberedForEachStoreByItself)
{
    RunBaseline(file()).toggle(RunId { 3 });
    EXPECT_EQ(RunBaseline(file()).pinned(), RunId { 3 });
    EXPECT_FALSE(RunBaseline(m_folder.path() / "other.sqlite").pinned().valid());
}

TEST_F(RunBaselinePageTest, theKeyPinsTheRunAndItStaysInTheCurvesAndInItsColour)
{
    startWithRuns();
    click(RunId { 3 });
    const QColor colour = model().mark(RunId { 3 });
    QTest::keyClick(m_table, Qt::Key_B);
    EXPECT_TRUE(isBaseline(RunId { 3 }));
    click(RunId { 10 });
    EXPECT_TRUE(readout().contains(QStringLiteral("experiment 3 (baseline)")))
        << readout().toStdString();
    EXPECT_TRUE(readout().contains(QStringLiteral("experiment 10")));
    EXPECT_EQ(model().mark(RunId { 3 }), colour);
    QTest::keyClick(m_table, Qt::Key_B); // the focus is on run 10
    EXPECT_TRUE(isBaseline(RunId { 10 }));
    EXPECT_FALSE(isBaseline(RunId { 3 }));
    QTest::keyClick(m_table, Qt::Key_B);
    EXPECT_FALSE(isBaseline(RunId { 10 }));
}

TEST_F(RunBaselinePageTest, plansAndTracesAreComparedWithItAndSaySo)
{
    startWithRuns();
    click(RunId { 10 });
    QTest::keyClick(m_table, Qt::Key_B);
    click(RunId { 7 });
    openTab(2);
    EXPECT_TRUE(says(QStringLiteral("Run 7 against run 10")));
    openTab(3);
    ASSERT_TRUE(waitFor([this] { return says(QStringLiteral("run 7 against run 10")); }));
    EXPECT_EQ(combo(QStringLiteral("The run that the other is compared with")).currentText(),
        QStringLiteral("Run 10"));
}

TEST_F(RunBaselinePageTest, withoutItTheOlderRunIsTheBase)
{
    startWithRuns();
    click(RunId { 10 });
    click(RunId { 7 }, Qt::ControlModifier);
    openTab(3);
    EXPECT_TRUE(waitFor([this] { return says(QStringLiteral("run 10 against run 7")); }));
}

TEST_F(RunBaselinePageTest, aDeletedBaselineIsForgotten)
{
    startWithRuns();
    click(RunId { 3 });
    QTest::keyClick(m_table, Qt::Key_B);
    m_workspace->runs.remove({ { 3 } });
    ASSERT_TRUE(waitFor([this] { return model().shownRuns() == 11; }));
    settle();
    EXPECT_FALSE(RunBaseline(file()).pinned().valid());
}

TEST_F(RunBaselinePageTest, aRunKeepsItsColourWhenItIsChosenAgain)
{
    startWithRuns();
    click(RunId { 4 });
    const QColor colour = model().mark(RunId { 4 });
    click(RunId { 6 });
    EXPECT_FALSE(model().mark(RunId { 4 }).isValid());
    EXPECT_NE(model().mark(RunId { 6 }), colour);
    click(RunId { 4 }, Qt::ControlModifier);
    EXPECT_EQ(model().mark(RunId { 4 }), colour);
}
