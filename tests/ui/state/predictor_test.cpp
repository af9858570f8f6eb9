// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"
#include "ui/state/predictor.h"

#include <QSignalSpy>

namespace stageloom {

namespace {

Plan planOf(int border)
{
    return smallPlan("cpu:2", { { 0, border - 1, { 0 } }, { border, 5, { 1 } } });
}

} // namespace

TEST(Predictor, saysWhatThePredictionItselfSays)
{
    Predictor predictor;
    QSignalSpy predicted(&predictor, &Predictor::predicted);
    predictor.request(planOf(3));
    ASSERT_TRUE(waitFor([&] { return !predicted.isEmpty(); }));
    ASSERT_NE(predictor.prediction(), nullptr);
    EXPECT_TRUE(predictor.error().isEmpty());
    const Result<Prediction> direct = predict(planOf(3), Predictor::kBatches);
    ASSERT_TRUE(direct);
    EXPECT_DOUBLE_EQ(predictor.prediction()->stepTime, direct->stepTime);
    EXPECT_DOUBLE_EQ(predictor.prediction()->peakMemory, direct->peakMemory);
}

TEST(Predictor, ofASlowOneTheNewestPlanWinsAndThoseBetweenAreLeftOut)
{
    Predictor predictor;
    predictor.setSynchronousBelow(0); // as if each took longer than a frame
    QSignalSpy predicted(&predictor, &Predictor::predicted);
    for (const int border : { 1, 2, 3, 4, 5 })
        predictor.request(planOf(border));
    ASSERT_TRUE(waitFor([&] { return !predictor.isBusy(); }));
    EXPECT_EQ(predicted.size(), 1); // late results are dropped
    const Result<Prediction> last = predict(planOf(5), Predictor::kBatches);
    EXPECT_DOUBLE_EQ(predictor.prediction()->stepTime, last->stepTime);
}

TEST(Predictor, aQuickOneFollowsTheHandInTheSameCall)
{
    Predictor predictor;
    predictor.setSynchronousBelow(1e9); // as if each took no time
    predictor.request(planOf(3)); // the first one reads the model
    ASSERT_TRUE(waitFor([&] { return !predictor.isBusy(); }));
    QSignalSpy predicted(&predictor, &Predictor::predicted);
    predictor.request(planOf(2));
    EXPECT_EQ(predicted.size(), 1);
    EXPECT_FALSE(predictor.isBusy());
}

TEST(Predictor, keepsTheLastGoodOneBesideAnError)
{
    Predictor predictor;
    QSignalSpy predicted(&predictor, &Predictor::predicted);
    predictor.request(planOf(3));
    ASSERT_TRUE(waitFor([&] { return !predicted.isEmpty(); }));
    const Predictor::Shared before = predictor.prediction();
    Plan bad = planOf(3);
    bad.schedule = "no such schedule";
    predictor.request(bad);
    ASSERT_TRUE(waitFor([&] { return predicted.size() == 2; }));
    EXPECT_TRUE(predictor.error().contains(QStringLiteral("no such schedule")));
    EXPECT_EQ(predictor.prediction(), before);
}

} // namespace stageloom
