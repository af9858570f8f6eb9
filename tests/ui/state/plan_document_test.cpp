// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"
#include "ui/state/plan_document.h"

#include <QDir>
#include <QSignalSpy>
#include <QStandardPaths>
#include <optional>

namespace stageloom {

namespace {

class PlanDocumentTest : public testing::Test {
protected:
    PlanDocumentTest()
    {
        QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
            + QStringLiteral("/stageloom"))
            .removeRecursively();
        EXPECT_TRUE(writePlan(plan, file.toStdString()));
        document.emplace();
    }
    static void moveBorder(PlanDocument& of, int layer, int gesture = 0)
    {
        Plan next = of.plan();
        next.stages[0].lastLayer = layer - 1;
        next.stages[1].firstLayer = layer;
        of.edit(QStringLiteral("move border"), next, gesture);
    }
    static int border(const Plan& of) { return of.stages[1].firstLayer; }
    // As a kill leaves things: what was autosaved is there, nothing is tidied up.
    void crash()
    {
        ASSERT_TRUE(document->autosaveNow());
        QFile::copy(document->autosaveFile(), files.path(QStringLiteral("kept")));
        const QString left = document->autosaveFile();
        document.reset();
        if (!QFile::exists(left))
            QFile::copy(files.path(QStringLiteral("kept")), left);
    }

    Files files;
    Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
    const QString file = files.path(QStringLiteral("a.plan.json"));
    std::optional<PlanDocument> document;
};

} // namespace

TEST_F(PlanDocumentTest, oneGestureIsOneUndo)
{
    ASSERT_TRUE(document->open(file));
    const int gesture = document->newGesture();
    for (const int layer : { 2, 4, 2 })
        moveBorder(*document, layer, gesture);
    EXPECT_EQ(document->undoStack().count(), 1);
    EXPECT_TRUE(document->isDirty());
    document->undoStack().undo();
    EXPECT_FALSE(document->isDirty());
    EXPECT_EQ(border(document->plan()), 3);
}

TEST_F(PlanDocumentTest, aDragBackToWhereItBeganLeavesNoStep)
{
    ASSERT_TRUE(document->open(file));
    int gesture = document->newGesture();
    for (const int layer : { 2, 4, 3 })
        moveBorder(*document, layer, gesture);
    EXPECT_EQ(document->undoStack().count(), 0);
    EXPECT_FALSE(document->isDirty());
    moveBorder(*document, 2, gesture); // the hand still holds it
    EXPECT_EQ(document->undoStack().count(), 1);
    gesture = document->newGesture();
    for (const int layer : { 4, 2 })
        moveBorder(*document, layer, gesture);
    EXPECT_EQ(document->undoStack().count(), 1); // the step before is not touched
    document->undoStack().undo();
    EXPECT_EQ(border(document->plan()), 3);
    EXPECT_FALSE(document->isDirty());
}

TEST_F(PlanDocumentTest, undoGoesBackTwoHundredStepsAndNoFurther)
{
    ASSERT_TRUE(document->open(file));
    for (int i = 0; i < 230; ++i)
        moveBorder(*document, i % 2 == 0 ? 2 : 4);
    EXPECT_EQ(document->undoStack().count(), 200);
    while (document->undoStack().canUndo())
        document->undoStack().undo();
    EXPECT_TRUE(document->isDirty()); // what the file holds is further back
}

TEST_F(PlanDocumentTest, aPlanWithoutAFileThatCannotBeReadIsPutAsideAndSaid)
{
    document->adopt(plan);
    ASSERT_TRUE(document->autosaveNow());
    const QString base = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/stageloom/untitled.plan.json");
    document.reset();
    QFile broken(base);
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly | QIODevice::Truncate));
    broken.write("{ half a pl");
    broken.close();
    PlanDocument later;
    QSignalSpy said(&later, &PlanDocument::noticed);
    EXPECT_FALSE(later.openUntitled());
    ASSERT_EQ(said.size(), 1);
    EXPECT_TRUE(said[0][0].toString().contains(QStringLiteral("cannot be read")));
    later.adopt(plan); // takes the place, and what could not be read is still there
    ASSERT_TRUE(later.autosaveNow());
    QFile kept(base + QStringLiteral(".unreadable"));
    ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
    EXPECT_EQ(kept.readAll(), "{ half a pl");
}

TEST_F(PlanDocumentTest, editsOfACrashComeBackAsOneThatUndoes)
{
    ASSERT_TRUE(document->open(file));
    moveBorder(*document, 2);
    crash();
    PlanDocument later;
    QSignalSpy said(&later, &PlanDocument::noticed);
    ASSERT_TRUE(later.open(file));
    EXPECT_TRUE(later.isRecovered());
    EXPECT_TRUE(later.isDirty());
    EXPECT_EQ(border(later.plan()), 2);
    EXPECT_EQ(border(later.savedPlan()), 3);
    EXPECT_EQ(said.size(), 1);
    later.undoStack().undo(); // what the file says
    EXPECT_EQ(border(later.plan()), 3);
    later.undoStack().redo();
    ASSERT_TRUE(later.save());
    EXPECT_FALSE(QFile::exists(later.autosaveFile()));
    EXPECT_EQ(border(*readPlan(file.toStdString())), 2);
}

TEST_F(PlanDocumentTest, editsOfACrashAreKeptWhereTheFileIsNewer)
{
    ASSERT_TRUE(document->open(file));
    moveBorder(*document, 2);
    crash();
    Plan newer = plan;
    newer.microbatches = 16;
    ASSERT_TRUE(writePlan(newer, file.toStdString()));
    QFile touched(file);
    ASSERT_TRUE(touched.open(QIODevice::ReadWrite));
    touched.setFileTime(
        QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime);
    touched.close();
    PlanDocument later;
    QSignalSpy said(&later, &PlanDocument::noticed);
    ASSERT_TRUE(later.open(file));
    EXPECT_EQ(border(later.plan()), 2);
    EXPECT_EQ(later.savedPlan().microbatches, 16);
    ASSERT_EQ(said.size(), 1);
    EXPECT_TRUE(said[0][0].toString().contains(QStringLiteral("changed after")));
}

TEST_F(PlanDocumentTest, editsTakenBackDoNotComeAgain)
{
    ASSERT_TRUE(document->open(file));
    moveBorder(*document, 2);
    ASSERT_TRUE(document->autosaveNow());
    document->undoStack().undo();
    document.reset(); // within the second that an autosave waits
    PlanDocument later;
    ASSERT_TRUE(later.open(file));
    EXPECT_FALSE(later.isDirty());
}

TEST_F(PlanDocumentTest, aPlanWithoutAFileIsFoundAgainWithItsEdits)
{
    document->adopt(plan);
    EXPECT_FALSE(document->isDirty());
    ASSERT_TRUE(document->autosaveNow());
    document.reset();
    document.emplace();
    ASSERT_TRUE(document->openUntitled());
    EXPECT_EQ(toJson(document->plan()), toJson(plan));
    EXPECT_FALSE(document->isDirty()); // nothing to lose: nothing is asked
    moveBorder(*document, 2);
    crash();
    PlanDocument later;
    ASSERT_TRUE(later.openUntitled());
    EXPECT_EQ(border(later.plan()), 2);
    EXPECT_TRUE(later.isDirty()); // opening another plan has to ask first
}

TEST_F(PlanDocumentTest, twoWindowsWithOnePlanKeepTheirEditsApart)
{
    ASSERT_TRUE(document->open(file));
    moveBorder(*document, 2);
    ASSERT_TRUE(document->autosaveNow());
    PlanDocument second;
    ASSERT_TRUE(second.open(file));
    EXPECT_FALSE(second.isRecovered()); // those are the other window's
    EXPECT_EQ(border(second.plan()), 3);
    EXPECT_NE(second.autosaveFile(), document->autosaveFile());
    moveBorder(second, 4);
    ASSERT_TRUE(second.save());
    crash(); // of the first
    PlanDocument later;
    ASSERT_TRUE(later.open(file));
    EXPECT_EQ(border(later.plan()), 2);
    EXPECT_EQ(border(later.savedPlan()), 4);
}

TEST_F(PlanDocumentTest, twoWindowsWithoutAFileKeepTheirPlansApart)
{
    document->adopt(plan);
    ASSERT_TRUE(document->autosaveNow());
    PlanDocument second;
    Plan other = plan;
    other.microbatches = 32;
    second.adopt(other);
    ASSERT_TRUE(second.autosaveNow());
    document.reset();
    PlanDocument later;
    ASSERT_TRUE(later.openUntitled());
    EXPECT_EQ(later.plan().microbatches, plan.microbatches);
}

TEST_F(PlanDocumentTest, editsThatCannotBeKeptAreSaidOnce)
{
    ASSERT_TRUE(document->open(file));
    QSignalSpy said(&*document, &PlanDocument::noticed);
    moveBorder(*document, 2);
    ASSERT_TRUE(QDir().mkpath(document->autosaveFile() + QStringLiteral("/in the way")));
    EXPECT_FALSE(document->autosaveNow());
    EXPECT_FALSE(document->autosaveNow());
    ASSERT_EQ(said.size(), 1);
    EXPECT_TRUE(said[0][0].toString().contains(QStringLiteral("not kept")));
}

TEST_F(PlanDocumentTest, aFileChangedByAnotherProgramIsNoticed)
{
    ASSERT_TRUE(document->open(file));
    EXPECT_FALSE(document->isFileChangedOutside());
    moveBorder(*document, 2);
    ASSERT_TRUE(document->save());
    EXPECT_FALSE(document->isFileChangedOutside()); // this program's own writing
    Plan other = plan;
    other.microbatches = 16;
    ASSERT_TRUE(writePlan(other, file.toStdString()));
    EXPECT_TRUE(document->isFileChangedOutside());
}

TEST_F(PlanDocumentTest, aNameForAFileHasNothingStrangeInIt)
{
    plan.name = "gpt2 on 4 × RTX/4090";
    document->adopt(plan);
    EXPECT_EQ(QFileInfo(document->suggestedFile()).fileName(),
        QStringLiteral("gpt2-on-4-RTX-4090.plan.json"));
}

} // namespace stageloom
