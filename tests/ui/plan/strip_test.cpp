// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/memory_bars.h"
#include "ui/plan/stage_strip.h"
#include "ui/state/plan_document.h"
#include "ui/theme/english_plurals.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace stageloom {

namespace {

Plan twoStages()
{
    Plan plan;
    plan.topology = *readTopology("cpu:3");
    plan.stages.resize(2);
    plan.stages[0].lastLayer = 3;
    plan.stages[0].devices = { 0 };
    plan.stages[1].firstLayer = 4;
    plan.stages[1].lastLayer = 6;
    plan.stages[1].devices = { 1 };
    return plan;
}

class Strip : public testing::Test {
protected:
    Strip()
    {
        strip.resize(704 + 8, 104); // cells of 100 px and a little
        strip.setPlan(twoStages());
        strip.show();
    }
    QPoint centre(int layer) const { return strip.layoutNow().cell(layer).center().toPoint(); }
    StageStrip strip;
};

TEST_F(Strip, draggingAStageHoldsAndDropsItWhereTheMouseIs)
{
    QSignalSpy held(&strip, &StageStrip::stageHeld), dropped(&strip, &StageStrip::stageDropped);
    QSignalSpy moved(&strip, &StageStrip::borderMoved);
    QTest::mousePress(&strip, Qt::LeftButton, {}, centre(5));
    const QPoint far = centre(5) + QPoint(0, 200);
    QTest::mouseMove(&strip, far);
    QTest::mouseRelease(&strip, Qt::LeftButton, {}, far);
    ASSERT_GE(held.count(), 1);
    ASSERT_EQ(dropped.count(), 1);
    EXPECT_EQ(dropped[0][0].toInt(), 1);
    EXPECT_EQ(dropped[0][1].toPoint(), strip.mapToGlobal(far));
    EXPECT_EQ(moved.count(), 0);
}

TEST_F(Strip, keysReachEveryStage)
{
    QSignalSpy recompute(&strip, &StageStrip::recomputeToggled),
        split(&strip, &StageStrip::splitAsked);
    QSignalSpy merge(&strip, &StageStrip::mergeAsked), moved(&strip, &StageStrip::borderMoved);
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Down); // the last stage
    QTest::keyClick(&strip, Qt::Key_R);
    QTest::keyClick(&strip, Qt::Key_S);
    QTest::keyClick(&strip, Qt::Key_M);
    QTest::keyClick(&strip, Qt::Key_Right);
    ASSERT_EQ(recompute.count(), 1);
    EXPECT_EQ(recompute[0][0].toInt(), 1);
    ASSERT_EQ(split.count(), 1);
    EXPECT_EQ(split[0][0].toInt(), 5);
    ASSERT_EQ(merge.count(), 1);
    EXPECT_EQ(merge[0][0].toInt(), 0);
    ASSERT_EQ(moved.count(), 1);
    EXPECT_EQ(moved[0][1].toInt(), 5);
}

TEST(MemoryBars, aRowIsADeviceAndFreeOnesFollow)
{
    MemoryBars bars;
    bars.setPrediction(twoStages(), nullptr);
    bars.resize(600, bars.sizeHint().height());
    EXPECT_EQ(bars.rowCount(), 3);
    const int row = bars.height() / 3;
    EXPECT_EQ(bars.deviceAt({ 10, row / 2 }), 0);
    EXPECT_EQ(bars.deviceAt({ 10, 2 * row + row / 2 }), 2);
    EXPECT_EQ(bars.deviceAt({ 10, 3 * row + 5 }), -1);
}

TEST(EnglishPlurals, followTheNumber)
{
    const EnglishPlurals plurals;
    EXPECT_EQ(plurals.translate("", "%n batch(es)", nullptr, 1), "%n batch");
    EXPECT_EQ(
        plurals.translate("", "%n batch(es), %n layer(s)", nullptr, 2), "%n batches, %n layers");
    EXPECT_TRUE(plurals.translate("", "f(s)", nullptr, -1).isEmpty());
}

} // namespace

} // namespace stageloom
