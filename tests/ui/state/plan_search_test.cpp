// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"
#include "ui/state/plan_search.h"

#include <QSignalSpy>

namespace stageloom {

namespace {

class PlanSearchTest : public testing::Test {
protected:
    void ask()
    {
        search.planFor(smallModel(), QStringLiteral("small"), *readTopology("cpu:2"), {});
    }
    void edit()
    {
        Plan next = document.plan();
        next.microbatches += 1;
        document.edit(QStringLiteral("change microbatches"), next);
    }
    bool wait()
    {
        return waitFor(
            [this] { return !opened.isEmpty() || !offered.isEmpty() || !failed.isEmpty(); });
    }

    PlannerState planner;
    PlanDocument document;
    PlanSearch search { planner, document };
    QSignalSpy opened { &search, &PlanSearch::opened }, offered { &search, &PlanSearch::offered },
        failed { &search, &PlanSearch::failed };
};

} // namespace

TEST_F(PlanSearchTest, theBestPlanBecomesTheDocument)
{
    ask();
    ASSERT_TRUE(wait());
    ASSERT_EQ(opened.size(), 1);
    EXPECT_EQ(toJson(document.plan()), toJson(planner.answer().plans.front().plan));
    EXPECT_FALSE(document.isDirty());
}

TEST_F(PlanSearchTest, anEditMadeWhileItLooksIsNotReplacedUntilThePersonSaysSo)
{
    document.adopt(smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    ask();
    edit();
    const Json kept = toJson(document.plan());
    ASSERT_TRUE(wait());
    EXPECT_TRUE(opened.isEmpty());
    ASSERT_EQ(offered.size(), 1);
    EXPECT_EQ(toJson(document.plan()), kept);
    EXPECT_TRUE(document.undoStack().canUndo());
    int asked = 0;
    search.mayReplace = [&] { return ++asked > 1; };
    search.takeOffered(); // asks for the edits, which stay
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(toJson(document.plan()), kept);
    search.takeOffered();
    EXPECT_EQ(opened.size(), 1);
    EXPECT_EQ(toJson(document.plan()), toJson(planner.answer().plans.front().plan));
}

TEST_F(PlanSearchTest, anotherPlanOpenedWhileItLooksStays)
{
    ask();
    const Plan other = smallPlan("cpu:3", { { 0, 5, { 0 } } });
    document.adopt(other);
    ASSERT_TRUE(wait());
    EXPECT_TRUE(opened.isEmpty());
    EXPECT_EQ(offered.size(), 1);
    EXPECT_EQ(toJson(document.plan()), toJson(other));
    document.adopt(other); // what was offered beside the one before is not any more
    search.takeOffered();
    EXPECT_TRUE(opened.isEmpty());
}

TEST_F(PlanSearchTest, whereNoPlanFitsTheEditsAndTheirAutosaveStay)
{
    document.adopt(smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    edit();
    ASSERT_TRUE(document.autosaveNow());
    search.mayReplace = [] { return true; }; // "Discard the edits"
    Topology tiny = *readTopology("dgx-a100");
    for (Device& device : tiny.devices)
        device.memoryBytes = 1024;
    QSignalSpy refused(&planner, &PlannerState::failed);
    search.planFor(smallModel(), QStringLiteral("small"), tiny, {});
    ASSERT_TRUE(waitFor([&] { return !refused.isEmpty() || !failed.isEmpty(); }));
    EXPECT_TRUE(document.isDirty());
    EXPECT_TRUE(QFile::exists(document.autosaveFile()));
    document.dropAutosave();
}

TEST_F(PlanSearchTest, aSearchForThePanelTouchesNoDocument)
{
    const Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
    document.adopt(plan);
    QSignalSpy answered(&planner, &PlannerState::answered);
    planner.request(PlannerWish { plan, 8, 1 });
    ASSERT_TRUE(waitFor([&] { return !answered.isEmpty(); }));
    EXPECT_EQ(toJson(document.plan()), toJson(plan));
    EXPECT_TRUE(opened.isEmpty() && offered.isEmpty());
}

} // namespace stageloom
