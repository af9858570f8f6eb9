// SPDX-License-Identifier: Apache-2.0
// The pipeline against a loop that shares nothing with the engine but its first weights: the model
// from its definition, autograd's gradients, clip and AdamW written out, all in double.
#include "engine/device/device.h"
#include "engine/nn/gpt2_reference.h"
#include "exec_support.h"
#include <numbers>

namespace stageloom::engine::test {
namespace {

class TextbookLoop {
public:
    explicit TextbookLoop(const Case& c)
        : m_case(c)
        , m_settings(settingsOf(c))
        , m_model(tinyModel(c.tied))
    {
        // One thread: two tests at once, each with a thread a core, spin against each other.
        configureComputeThread(1);
        const auto whole = modulesOf(c, 1);
        const at::Tensor flat = at::zeros({ whole[0]->flatElements() }, at::kDouble);
        initialize(*whole[0], flat, 7);
        addWeights(m_versions.emplace_back(), *whole[0], flat);
    }

    // Batch t's gradient is taken at version max(t - delay, 0) and updates version t.
    Trained run(int delay)
    {
        Trained trained;
        for (int t = 0; t < m_case.batches; ++t) {
            Weights sum;
            trained.losses.push_back(gradient(t, std::max(t - delay, 0), sum));
            trained.norms.push_back(norm(sum));
            update(t, sum, trained.norms.back());
        }
        trained.weights = m_versions.back();
        return trained;
    }

private:
    double gradient(int t, int version, Weights& sum) const
    {
        const TokenSource source(1, -1);
        double loss = 0;
        for (int k = t * m_case.microbatches; k < (t + 1) * m_case.microbatches; ++k) {
            MicrobatchData data = source.make(k);
            data.lossScale = 1.0 / m_case.microbatches;
            const Reference one
                = referenceGpt2(m_model, m_versions[static_cast<std::size_t>(version)], data);
            loss += one.loss / m_case.microbatches;
            for (const auto& [name, gradient] : one.gradients)
                sum[name] = sum.count(name) ? sum[name] + gradient : gradient;
        }
        return loss;
    }

    static double norm(const Weights& gradients)
    {
        double squared = 0;
        for (const auto& [name, gradient] : gradients)
            squared += gradient.square().sum().item<double>();
        return std::sqrt(squared);
    }

    // Warm-up, then a cosine down to a tenth at the last step.
    [[nodiscard]] double rate(int step) const
    {
        if (step <= m_settings.warmupSteps)
            return m_settings.learningRate * step / m_settings.warmupSteps;
        const double progress = double(step - m_settings.warmupSteps)
            / double(m_case.batches - m_settings.warmupSteps);
        return m_settings.learningRate
            * (0.1 + 0.9 * (1 + std::cos(std::numbers::pi * progress)) / 2);
    }

    void update(int t, const Weights& gradients, double gradNorm)
    {
        const double scale = m_case.clip > 0 ? std::min(1.0, m_case.clip / gradNorm) : 1;
        const int step = t + 1;
        Weights next;
        for (const auto& [name, w] : m_versions.back()) {
            const at::Tensor g = gradients.at(name) * scale;
            auto& [first, second] = m_moments[name];
            first = (first.defined() ? first * m_settings.beta1 : at::zeros_like(w))
                + g * (1 - m_settings.beta1);
            second = (second.defined() ? second * m_settings.beta2 : at::zeros_like(w))
                + g * g * (1 - m_settings.beta2);
            const at::Tensor mean = first / (1 - std::pow(m_settings.beta1, step));
            const at::Tensor square = second / (1 - std::pow(m_settings.beta2, step));
            const double decay = w.dim() > 1 ? m_settings.weightDecay : 0;
            next[name] = w - rate(step) * decay * w
                - rate(step) * mean / (square.sqrt() + m_settings.epsilon);
        }
        m_versions.push_back(next);
    }

    const Case m_case;
    const OptimizerSettings m_settings;
    const Model m_model;
    std::vector<Weights> m_versions;
    std::map<std::string, std::pair<at::Tensor, at::Tensor>> m_moments;
};

void expectTextbook(const Case& c, int delay)
{
    SCOPED_TRACE(fmt::format(
        "{} d={} m={} clip {} tied {}", c.schedule, c.depth, c.microbatches, c.clip, c.tied));
    const Trained expected = TextbookLoop(c).run(delay);
    const Trained actual = train(c);
    ASSERT_EQ(expected.losses.size(), actual.losses.size());
    for (std::size_t t = 0; t < expected.losses.size(); ++t) {
        EXPECT_NEAR(expected.losses[t], actual.losses[t], 1e-11) << "batch " << t;
        EXPECT_NEAR(expected.norms[t], actual.norms[t], 1e-11) << "batch " << t;
        if (c.clip > 0) {
            EXPECT_GT(expected.norms[t], c.clip) << "the clip has to act";
        }
    }
    for (const auto& [name, weight] : expected.weights)
        EXPECT_LT(largestDifference(weight, actual.weights.at(name)), 1e-9) << name;
    if (c.tied && actual.weights.count("lm_head.weight")) {
        EXPECT_LT(largestDifference(
                      expected.weights.at("wte.weight"), actual.weights.at("lm_head.weight")),
            1e-9);
    }
}

// One stage, as few microbatches as stages, more of them than stages, more stages than two.
const std::vector<std::pair<int, int>> kShapes { { 1, 1 }, { 1, 3 }, { 2, 2 }, { 2, 5 }, { 3, 3 },
    { 4, 4 } };

void expectTextbookForAllShapes(const std::string& schedule, int delay)
{
    for (const auto& [depth, microbatches] : kShapes)
        for (const bool tied : { false, true })
            for (const double clip : { 0.0, 0.05 }) {
                Case c;
                c.schedule = schedule;
                c.depth = depth;
                c.microbatches = microbatches;
                c.batches = 6;
                c.tied = tied;
                c.clip = clip;
                c.dtype = at::kDouble;
                expectTextbook(c, delay);
            }
}

// A few microbatches over and over: something a small model can learn.
class RepeatingSource : public TokenSource {
public:
    RepeatingSource()
        : TokenSource(5, -1)
    {
    }
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals&) const override
    {
        return make(k % 4);
    }
};
}

TEST(TwoBw, equalsAutogradWithAdamWAndADelayOfOneInDouble)
{
    expectTextbookForAllShapes("2bw", 1);
}

TEST(Flush, equalsAutogradWithAdamWAndNoDelayInDouble)
{
    expectTextbookForAllShapes("1f1b", 0);
}

TEST(TwoBw, learnsASmallTransformerNearlyAsTheUndelayedRunDoes)
{
    Case c;
    c.microbatches = 4;
    c.batches = 300;
    c.rate = 3e-3;
    c.source = std::make_shared<RepeatingSource>();
    const Trained delayed = train(c);
    c.schedule = "1f1b";
    const Trained vanilla = train(c);
    EXPECT_LT(vanilla.losses.back(), vanilla.losses.front() - 1);
    EXPECT_NEAR(delayed.losses.back(), vanilla.losses.back(), 0.15);
}

} // namespace stageloom::engine::test
