// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/optimizer.h"

#include "core/base/check.h"
#include "engine/optim/kernels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stageloom::engine {

namespace {

// Elements of the flat buffers that share one decay rule; neighbours of the same rule are one
// segment.
struct Segment {
    std::int64_t begin = 0, end = 0;
    bool decay = false;
};

std::vector<Segment> segmentsOf(const StageModule& stage)
{
    std::vector<Segment> segments;
    const auto& slots = stage.slots();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto end = i + 1 < slots.size() ? slots[i + 1].offset : stage.flatElements();
        if (!segments.empty() && segments.back().decay == slots[i].spec.decay)
            segments.back().end = end;
        else
            segments.push_back({ slots[i].offset, end, slots[i].spec.decay });
    }
    return segments;
}

// Elements a thread takes at least: below that starting it costs more than it saves.
constexpr std::int64_t kGrain = 1 << 16;

class FusedOptimizer final : public Optimizer {
public:
    FusedOptimizer(const OptimizerSettings& settings, const StageModule& stage,
        const at::TensorOptions& options)
        : m_settings(settings)
        , m_segments(segmentsOf(stage))
        , m_elements(stage.flatElements())
    {
        STAGELOOM_CHECK(options.dtype() == at::kFloat || options.dtype() == at::kDouble,
            "optimizer of an unknown dtype");
        const bool adam = settings.kind != OptimizerKind::Sgd;
        const int count = adam ? 2 : settings.momentum != 0 ? 1 : 0;
        for (int i = 0; i < count; ++i)
            m_state.push_back(at::zeros({ m_elements }, options));
    }

    void step(at::Tensor& dst, const at::Tensor& src, at::Tensor& gradient,
        const UpdateInput& input) override
    {
        for (const auto* tensor : { &std::as_const(dst), &src, &std::as_const(gradient) })
            STAGELOOM_CHECK(tensor->numel() == m_elements && tensor->is_contiguous()
                    && tensor->scalar_type() == src.scalar_type(),
                "an update over tensors of another stage");
        ++m_steps;
        if (src.scalar_type() == at::kDouble)
            stepOf<double>(dst, src, gradient, input);
        else
            stepOf<float>(dst, src, gradient, input);
    }

    [[nodiscard]] std::vector<at::Tensor> state() const override { return m_state; }

private:
    template <typename T>
    void stepOf(at::Tensor& dst, const at::Tensor& src, at::Tensor& gradient,
        const UpdateInput& input) const
    {
        const auto at = [](const at::Tensor& tensor, std::int64_t offset) {
            return tensor.mutable_data_ptr<T>() + offset;
        };
        for (const auto& segment : m_segments) {
            const auto factors = factorsOf(input, segment.decay);
            at::parallel_for(
                segment.begin, segment.end, kGrain, [&](std::int64_t begin, std::int64_t end) {
                    StepSpan<T> span { at(dst, begin), src.const_data_ptr<T>() + begin,
                        at(gradient, begin) };
                    if (!m_state.empty())
                        span.first = at(m_state[0], begin);
                    if (m_state.size() > 1)
                        span.second = at(m_state[1], begin);
                    span.count = end - begin;
                    run(span, factors);
                });
        }
    }

    template <typename T> void run(const StepSpan<T>& span, const StepFactors& factors) const
    {
        switch (m_state.size()) {
        case 0:
            return sgdStep(span, factors);
        case 1:
            return momentumStep(span, factors);
        default:
            return adamStep(span, factors);
        }
    }

    [[nodiscard]] StepFactors factorsOf(const UpdateInput& input, bool decay) const
    {
        StepFactors factors;
        factors.rate = input.learningRate;
        factors.scale = input.gradientScale;
        if (decay && m_settings.kind == OptimizerKind::Adam)
            factors.decay = m_settings.weightDecay;
        else if (decay)
            factors.keep = 1 - input.learningRate * m_settings.weightDecay;
        if (m_settings.kind == OptimizerKind::Sgd) {
            factors.beta1 = m_settings.momentum;
            return factors;
        }
        const double step = static_cast<double>(m_steps);
        factors.beta1 = m_settings.beta1;
        factors.beta2 = m_settings.beta2;
        factors.epsilon = m_settings.epsilon;
        factors.correction1 = 1 - std::pow(factors.beta1, step);
        factors.correction2 = 1 - std::pow(factors.beta2, step);
        return factors;
    }

    OptimizerSettings m_settings;
    std::vector<Segment> m_segments;
    std::int64_t m_elements;
    std::int64_t m_steps = 0; // updates made
    std::vector<at::Tensor> m_state; // momentum, or Adam's two moments; none for plain SGD
};

} // namespace

std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const StageModule& stage, const at::TensorOptions& options)
{
    return std::make_unique<FusedOptimizer>(settings, stage, options);
}

double learningRateAt(const OptimizerSettings& settings, std::int64_t step, std::int64_t steps)
{
    const double peak = settings.learningRate;
    const std::int64_t warmup = settings.warmupSteps;
    if (step < warmup)
        return peak * static_cast<double>(step) / static_cast<double>(warmup);
    if (settings.shape == RateShape::Constant)
        return peak;
    const std::int64_t begin = std::max<std::int64_t>(warmup, 1); // the step at the peak
    const std::int64_t end = settings.decaySteps > 0 ? settings.decaySteps : steps;
    if (step <= begin)
        return peak;
    const double progress
        = step >= end ? 1.0 : static_cast<double>(step - begin) / static_cast<double>(end - begin);
    const double left = settings.shape == RateShape::Linear
        ? 1 - progress
        : 0.5 * (1 + std::cos(std::numbers::pi * progress));
    return peak * (settings.finalFraction + (1 - settings.finalFraction) * left);
}

} // namespace stageloom::engine
