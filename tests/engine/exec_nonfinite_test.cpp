// SPDX-License-Identifier: Apache-2.0
// Batches whose loss or gradient is not a finite number: nobody learns from them.
#include "engine/exec/batch_reduction.h"
#include "plain_loop.h"

namespace stageloom::engine::test {

namespace {

void expectSameNumbers(const std::vector<double>& expected, const std::vector<double>& actual)
{
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isnan(expected[i]))
            EXPECT_TRUE(std::isnan(actual[i])) << i;
        else
            EXPECT_EQ(expected[i], actual[i]) << i;
    }
}

Case poisoned(const std::string& schedule, double clip)
{
    Case c;
    c.schedule = schedule;
    c.depth = 3;
    c.microbatches = 3;
    c.batches = 8;
    c.clip = clip;
    c.poisoned = { 2, 3, 6 };
    return c;
}

const double kNan = std::nan("");
}

// Adam's bias correction and moments would tell one step more or less.
TEST(NotFinite, aBatchIsLeftOutOnAllStagesAsInAPlainLoop)
{
    for (const char* schedule : { "2bw", "1f1b", "gpipe" }) {
        for (const double clip : { 0.0, 0.05 }) {
            SCOPED_TRACE(fmt::format("{} clip {}", schedule, clip));
            const Case c = poisoned(schedule, clip);
            const Trained expected
                = std::string(schedule) == "2bw" ? delayedLoop(c) : accumulationLoop(c);
            const Trained actual = train(c);
            expectSameNumbers(expected.losses, actual.losses);
            expectSameNumbers(expected.norms, actual.norms);
            expectSameBitsApartFromNan(expected.weights, actual.weights);
            for (std::size_t t = 0; t < 8; ++t) {
                const bool skipped = c.poisoned.contains(std::int64_t(t));
                EXPECT_EQ(skipped, actual.batches[t].wholeSkipped) << t;
                EXPECT_EQ(skipped, !std::isfinite(actual.batches[t].gradNorm)) << t;
                EXPECT_EQ(skipped ? 2 : -1, actual.batches[t].brokenStage) << t;
            }
        }
    }
}

TEST(NotFinite, oneStageLeavesItOutToo)
{
    Case c = poisoned("1f1b", 0);
    c.depth = 1;
    const Trained expected = accumulationLoop(c), actual = train(c);
    expectSameNumbers(expected.losses, actual.losses);
    expectSameBitsApartFromNan(expected.weights, actual.weights);
}

// One microbatch of three is broken, and with it one update of three.
TEST(NotFinite, underPipeDreamTheUpdateOfTheMicrobatchIsLeftOut)
{
    Case c = poisoned("pipedream", 0);
    c.optimizer = OptimizerKind::Sgd;
    const Trained expected = stashingLoop(c), actual = train(c);
    expectSameBitsApartFromNan(expected.weights, actual.weights);
    for (std::size_t t = 0; t < 8; ++t) {
        EXPECT_EQ(c.poisoned.contains(std::int64_t(t)) ? 1 : 0, actual.batches[t].skipped) << t;
        EXPECT_FALSE(actual.batches[t].wholeSkipped) << t;
    }
}

TEST(NotFinite, tenInARowEndTheRunAndNameStageAndBatches)
{
    Case c;
    c.batches = 200;
    c.poisoned = { 1 }; // alone it changes nothing
    for (std::int64_t batch = 4; batch < 200; ++batch)
        c.poisoned.insert(batch);
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    Trained trained;
    const auto outcome
        = (*executor)->run([&](const RunReport& report) { collect(trained, report); });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(
        "The run has diverged: batches 5 to 14 changed no weight, because the loss on stage 1 "
        "is not a finite number; a lower learning rate, a longer warm-up or gradient clipping "
        "helps.",
        outcome.error().message);
    EXPECT_GE(trained.losses.size(), 14u) << "all that was done is told";
}

TEST(NotFinite, nineInARowDoNot)
{
    Case c;
    c.batches = 14;
    for (std::int64_t batch = 2; batch < 11; ++batch)
        c.poisoned.insert(batch);
    const Trained trained = train(c);
    EXPECT_EQ(ExecutorOutcome::End::Finished, trained.outcome.end);
    EXPECT_TRUE(std::isfinite(trained.losses.back()));
}

TEST(Reduction, oneStagesInfinityIsEverybodysAndIsNamed)
{
    RunSignals signals(std::chrono::seconds(5), false);
    for (const double broken : { kNan, std::numeric_limits<double>::infinity() }) {
        BatchReduction reduction(3, std::nullopt);
        reduction.post(2, 0, { { 1, 2 }, {}, true });
        reduction.post(0, 0, { { 3 }, {}, true });
        reduction.post(1, 0, { { broken, 1 }, {}, true });
        for (int stage = 0; stage < 3; ++stage) {
            const auto batch = reduction.wait(stage, 0, signals);
            ASSERT_TRUE(batch);
            EXPECT_FALSE(batch->finite());
            EXPECT_EQ(1, batch->brokenStage);
            EXPECT_TRUE(batch->lossFinite);
        }
    }
}

// Each half is finite, their sum is not.
TEST(Reduction, aTiedSumThatOverflowsIsNotFinite)
{
    RunSignals signals(std::chrono::seconds(5), false);
    BatchReduction reduction(2, TiedPair { 0, 1, 0, 0 });
    const at::Tensor half = at::full({ 4 }, 3e38);
    reduction.post(0, 0, { { 1 }, half, true });
    reduction.post(1, 0, { { 1 }, half, true });
    EXPECT_EQ(0, reduction.wait(0, 0, signals)->brokenStage);
    EXPECT_FALSE(reduction.wait(1, 0, signals)->finite());
}

TEST(Reduction, aBrokenLossIsNamedThoughItsGradientIsFinite)
{
    RunSignals signals(std::chrono::seconds(5), false);
    BatchReduction reduction(2, std::nullopt);
    reduction.post(0, 0, { { 1 }, {}, true });
    reduction.post(1, 0, { { 1 }, {}, false });
    const auto batch = reduction.wait(0, 0, signals);
    EXPECT_EQ(1, batch->brokenStage);
    EXPECT_FALSE(batch->lossFinite);
    EXPECT_EQ(2, batch->squaredNorm);
}

TEST(WeightVersions, aRepeatedVersionIsTheSameBuffer)
{
    const auto module = std::move(modulesOf({}, 1).front());
    WeightVersions versions(*module, 2);
    const auto optimizer = makeOptimizer({}, *module);
    at::Tensor gradient = at::ones({ module->flatElements() });
    const UpdateInput input { 0.1, 1 };
    versions.update(*optimizer, gradient, input); // 0, 1
    versions.repeat(); // 0, 1 and 2
    EXPECT_EQ(2, versions.newest());
    EXPECT_EQ(versions.flat(1).const_data_ptr(), versions.flat(2).const_data_ptr());
    EXPECT_TRUE(versions.alive(0));
    gradient.fill_(1);
    versions.update(*optimizer, gradient, input); // into the buffer of 0
    EXPECT_FALSE(versions.alive(0));
    EXPECT_TRUE(versions.alive(2));
    EXPECT_NE(versions.flat(2).const_data_ptr(), versions.flat(3).const_data_ptr());
}

} // namespace stageloom::engine::test
