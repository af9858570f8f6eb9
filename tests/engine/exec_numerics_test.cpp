// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text_source.h"
#include "plain_loop.h"

namespace stageloom::engine::test {
namespace {

struct Rule {
    OptimizerKind kind;
    double momentum;
};
const std::vector<Rule> kRules { { OptimizerKind::Sgd, 0 }, { OptimizerKind::Sgd, 0.9 },
    { OptimizerKind::Adam, 0.9 }, { OptimizerKind::AdamW, 0.9 } };
const std::vector<std::pair<int, int>> kShapes { { 2, 2 }, { 4, 4 }, { 2, 5 }, { 3, 4 }, { 1, 3 } };

void expectDelayed(const Case& c)
{
    SCOPED_TRACE(fmt::format("d={} m={} optimizer {} momentum {} clip {} tied {}", c.depth,
        c.microbatches, static_cast<int>(c.optimizer), c.momentum, c.clip, c.tied));
    const Trained expected = delayedLoop(c);
    const Trained actual = train(c);
    EXPECT_EQ(expected.losses, actual.losses);
    EXPECT_EQ(expected.norms, actual.norms);
    expectSameBits(expected.weights, actual.weights);
}

void expectDelayedForAllRules(at::ScalarType dtype, double clip)
{
    for (const auto& [depth, microbatches] : kShapes) {
        for (const Rule& rule : kRules) {
            Case c;
            c.depth = depth;
            c.microbatches = microbatches;
            c.optimizer = rule.kind;
            c.momentum = rule.momentum;
            c.dtype = dtype;
            c.clip = clip;
            expectDelayed(c);
        }
    }
}
}

TEST(TwoBw, equalsTheDelayedGradientLoopBitForBitInFp64)
{
    expectDelayedForAllRules(at::kDouble, 0);
}
TEST(TwoBw, equalsTheDelayedGradientLoopBitForBitInFp32)
{
    expectDelayedForAllRules(at::kFloat, 0);
}
// Small enough to act in every batch.
TEST(TwoBw, equalsTheDelayedGradientLoopWhenClipped)
{
    expectDelayedForAllRules(at::kFloat, 0.05);
}

TEST(TwoBw, equalsTheDelayedGradientLoopWithATiedHead)
{
    for (const auto& [depth, microbatches] : kShapes) {
        for (double clip : { 0.0, 0.05 }) {
            Case c;
            c.depth = depth;
            c.microbatches = microbatches;
            c.tied = true;
            c.clip = clip;
            expectDelayed(c);
        }
    }
}

TEST(TwoBw, differsFromTheUndelayedLoop)
{
    Case c;
    EXPECT_FALSE(sameBits(accumulationLoop(c).weights, train(c).weights));
}

TEST(TwoBw, firstTwoBatchesReadTheInitialWeights)
{
    Case c;
    c.batches = 3;
    const Trained pipeline = train(c);
    // With a learning rate of nothing, every batch reads the initial weights.
    Case still = c;
    still.rate = 0;
    const Trained initial = accumulationLoop(still);
    EXPECT_EQ(initial.losses[0], pipeline.losses[0]);
    EXPECT_EQ(initial.losses[1], pipeline.losses[1]);
    EXPECT_NE(initial.losses[2], pipeline.losses[2]);
    EXPECT_NE(accumulationLoop(c).losses[1], pipeline.losses[1]);
}

TEST(TwoBw, tiedCopiesStayEqualOverManyBatches)
{
    for (int batches : { 1, 2, 7, 24 }) {
        Case c;
        c.tied = true;
        c.depth = 3;
        c.microbatches = 3;
        c.batches = batches;
        c.clip = 1;
        auto executor = Executor::create(inputOf(c));
        ASSERT_TRUE(executor);
        ASSERT_TRUE((*executor)->run([](const RunReport&) {}));
        const StageParts& first = (*executor)->stages().front();
        const StageParts& last = (*executor)->stages().back();
        std::size_t slot = 0;
        while (last.module->slots()[slot].spec.tiedTo.empty())
            ++slot;
        EXPECT_EQ(first.module->slots().front().spec.name, last.module->slots()[slot].spec.tiedTo);
        const at::Tensor& owner = first.versions->weights(batches).front();
        EXPECT_TRUE(at::equal(owner, last.versions->weights(batches)[slot]))
            << batches << " batches";
    }
}

TEST(TwoBw, gradientOfABatchHoldsNothingOfTheNext)
{
    Case c;
    c.clip = 0.05; // updates are deferred into the next batch's backwards
    c.depth = 3;
    c.microbatches = 4;
    c.batches = 4;
    ASSERT_EQ(2, demandOf(scheduleOf(c)).accumulators[0]);
    Case changed = c;
    changed.saltedBatch = 3;
    const Trained a = train(c), b = train(changed);
    for (std::size_t t = 0; t < 3; ++t) {
        EXPECT_EQ(a.losses[t], b.losses[t]);
        EXPECT_EQ(a.norms[t], b.norms[t]);
    }
    EXPECT_NE(a.norms[3], b.norms[3]);
    EXPECT_FALSE(sameBits(a.weights, b.weights));
}

TEST(Flush, equalsGpipeAndPlainAccumulation)
{
    for (const auto& [depth, microbatches] : kShapes) {
        for (double clip : { 0.0, 0.05 }) {
            Case c;
            c.schedule = "1f1b";
            c.depth = depth;
            c.microbatches = microbatches;
            c.clip = clip;
            SCOPED_TRACE(fmt::format("d={} m={} clip {}", depth, microbatches, clip));
            const Trained expected = accumulationLoop(c);
            const Trained flush = train(c);
            c.schedule = "gpipe";
            const Trained gpipe = train(c);
            EXPECT_EQ(expected.losses, flush.losses);
            EXPECT_EQ(expected.losses, gpipe.losses);
            EXPECT_EQ(expected.norms, flush.norms);
            expectSameBits(expected.weights, flush.weights);
            expectSameBits(expected.weights, gpipe.weights);
        }
    }
}

TEST(PipeDream, equalsTheLoopWithADelayPerStage)
{
    for (const auto& [depth, microbatches] : kShapes) {
        Case c;
        c.schedule = "pipedream";
        c.depth = depth;
        c.microbatches = microbatches;
        c.optimizer = OptimizerKind::Sgd;
        SCOPED_TRACE(fmt::format("d={} m={}", depth, microbatches));
        const Trained expected = stashingLoop(c);
        expectSameBits(expected.weights, train(c).weights);
    }
}

TEST(Recompute, changesNoBit)
{
    for (const char* schedule : { "2bw", "1f1b", "gpipe" }) {
        Case c;
        c.schedule = schedule;
        c.depth = 3;
        c.microbatches = 3;
        Case again = c;
        again.recompute = true;
        ASSERT_TRUE(demandOf(scheduleOf(again)).recompute[0]);
        const Trained kept = train(c), recomputed = train(again);
        EXPECT_EQ(kept.losses, recomputed.losses);
        expectSameBits(kept.weights, recomputed.weights);
    }
}

TEST(Evaluation, readsTheSameTextHoweverItIsCut)
{
    std::vector<std::uint8_t> text(500);
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<std::uint8_t>(i * i % kVocab);
    constexpr int kRead = 8;
    double whole = 0;
    for (const int b : { 8, 4, 3, 2, 1, 64 }) {
        Case c;
        c.batches = 1;
        c.rate = 0; // the same weights
        c.evaluationMicrobatches = (kRead + b - 1) / b;
        ExecutorInput input = inputOf(c);
        input.evaluationSource = std::make_shared<TextSource>(text, kSeq, b, 5, kRead);
        auto executor = Executor::create(std::move(input));
        ASSERT_TRUE(executor);
        Trained trained;
        ASSERT_TRUE((*executor)->run([&](const RunReport& report) { collect(trained, report); }));
        ASSERT_EQ(1u, trained.evaluations.size());
        if (b == kRead)
            whole = trained.evaluations[0].loss;
        EXPECT_NEAR(whole, trained.evaluations[0].loss, 1e-6) << b;
    }
    EXPECT_GT(whole, 0);
}

TEST(Evaluation, disturbsNothingAndNamesTheNewestVersion)
{
    for (double clip : { 0.0, 0.05 }) {
        Case c;
        c.depth = 3;
        c.microbatches = 3;
        c.batches = 6;
        c.clip = clip;
        const Trained without = train(c);
        c.evaluationMicrobatches = 3;
        c.evaluationInterval = 2;
        const Trained with = train(c);
        EXPECT_EQ(without.losses, with.losses);
        expectSameBits(without.weights, with.weights);
        ASSERT_EQ(3u, with.evaluations.size());
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(std::int64_t(2 * (i + 1)), with.evaluations[i].step);
            EXPECT_EQ(with.evaluations[i].step, with.evaluations[i].version);
        }
        // The same numbers as evaluating at the end of a run of that many batches.
        for (std::size_t i = 0; i < 3; ++i) {
            Case shorter = c;
            shorter.batches = static_cast<int>(2 * (i + 1));
            shorter.plannedSteps = 6;
            shorter.evaluationInterval = 0;
            const Trained at = train(shorter);
            ASSERT_EQ(1u, at.evaluations.size());
            EXPECT_EQ(at.evaluations[0].loss, with.evaluations[i].loss);
        }
    }
}

} // namespace stageloom::engine::test
