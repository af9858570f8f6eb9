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

TEST(Predictor, whileTheHandMovesEachResultIsShownAndTheNewestPlanIsTheLast)
{
    Predictor predictor;
    predictor.setSynchronousBelow(0); // as if each took longer than a frame
    std::vector<Plan> shown;
    QObject::connect(&predictor, &Predictor::predicted, &predictor, [&] {
        ASSERT_NE(predictor.prediction(), nullptr);
        shown.push_back(predictor.plan());
        const Result<Prediction> direct = predict(predictor.plan(), Predictor::kBatches);
        EXPECT_DOUBLE_EQ(predictor.prediction()->stepTime, direct->stepTime);
        if (shown.size() < 3) // the hand goes on
            predictor.request(planOf(shown.size() == 1 ? 2 : 4));
    });
    predictor.request(planOf(1));
    predictor.request(planOf(5)); // waits, and the hand's next place overtakes it
    ASSERT_TRUE(waitFor([&] { return shown.size() >= 3 && !predictor.isBusy(); }));
    EXPECT_EQ(shown.front().stages, planOf(1).stages); // late, and shown all the same
    EXPECT_EQ(shown.back().stages, planOf(4).stages);
    EXPECT_EQ(shown.size(), 3U);
}

TEST(Predictor, aLargePlanIsNeverPredictedInTheCallAndNothingStarves)
{
    Predictor predictor;
    QSignalSpy predicted(&predictor, &Predictor::predicted);
    predictor.request(planOf(3));
    ASSERT_TRUE(waitFor([&] { return !predicted.isEmpty(); }));
    predictor.request(planOf(2)); // a small one, and quick: what follows is not told by it
    ASSERT_TRUE(waitFor([&] { return !predictor.isBusy(); }));
    Plan large = planOf(2);
    large.microbatches = 65536;
    const qsizetype before = predicted.size();
    predictor.request(large);
    EXPECT_TRUE(predictor.isBusy());
    EXPECT_EQ(predicted.size(), before);
    Plan larger = large;
    larger.microbatchSize = 2;
    predictor.request(larger); // as a hand that does not rest
    ASSERT_TRUE(waitFor([&] { return predicted.size() > before; }));
    EXPECT_EQ(predictor.plan().microbatchSize, large.microbatchSize);
    ASSERT_NE(predictor.prediction(), nullptr);
    EXPECT_TRUE(predictor.isBusy()); // the newer one goes on, beside this thread
    ASSERT_TRUE(waitFor([&] { return !predictor.isBusy(); }));
    EXPECT_EQ(predictor.plan().microbatchSize, 2);
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

TEST(Predictor, anUnpredictablePlanHasNoPredictionAndAReason)
{
    Predictor predictor;
    QSignalSpy predicted(&predictor, &Predictor::predicted);
    predictor.request(planOf(3));
    ASSERT_TRUE(waitFor([&] { return !predicted.isEmpty(); }));
    ASSERT_NE(predictor.prediction(), nullptr);
    Plan bad = planOf(3);
    bad.schedule = "no such schedule";
    predictor.request(bad);
    ASSERT_TRUE(waitFor([&] { return predicted.size() == 2; }));
    EXPECT_TRUE(predictor.error().contains(QStringLiteral("no such schedule")));
    EXPECT_EQ(predictor.prediction(), nullptr);
    EXPECT_EQ(predictor.plan().schedule, bad.schedule);
    predictor.request(planOf(2));
    ASSERT_TRUE(waitFor([&] { return predictor.prediction() != nullptr; }));
    EXPECT_TRUE(predictor.error().isEmpty());
}

TEST(Predictor, ofADocumentThatWasClosedNothingIsShownAnyMore)
{
    Predictor predictor;
    predictor.setSynchronousBelow(0);
    predictor.request(planOf(3));
    ASSERT_TRUE(waitFor([&] { return predictor.prediction() != nullptr; }));
    predictor.request(planOf(2)); // on its way
    std::vector<bool> there;
    QObject::connect(&predictor, &Predictor::predicted, &predictor, [&] {
        there.push_back(predictor.prediction() != nullptr);
        EXPECT_TRUE(!there.back() || predictor.plan().stages == planOf(4).stages);
    });
    predictor.forget();
    EXPECT_EQ(predictor.prediction(), nullptr);
    EXPECT_FALSE(predictor.isBusy());
    predictor.request(planOf(4));
    ASSERT_TRUE(waitFor([&] { return !predictor.isBusy(); }));
    EXPECT_EQ(there, (std::vector<bool> { false, true })); // first that there is none
}

} // namespace stageloom
