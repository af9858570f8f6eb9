// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/step_kernels.h"

#include "engine/optim/instruction_clones.h"

#include <cmath>

// `ivdep`: dst is either src itself or apart from it, so no turn of the loop reads what another
// wrote.

namespace stageloom::engine {

namespace {

template <typename T>
[[gnu::always_inline]] inline void sgd(const StepSpan<T>& s, const StepFactors& f)
{
    const T rate = static_cast<T>(f.rate), keep = static_cast<T>(f.keep);
    const T scale = static_cast<T>(f.scale);
    T* dst = s.dst;
    const T* src = s.src;
    T* gradient = s.gradient;
#pragma GCC ivdep
    for (std::int64_t i = 0; i < s.count; ++i) {
        dst[i] = keep * src[i] - rate * (scale * gradient[i]);
        gradient[i] = 0;
    }
}

template <typename T>
[[gnu::always_inline]] inline void momentum(const StepSpan<T>& s, const StepFactors& f)
{
    const T rate = static_cast<T>(f.rate), keep = static_cast<T>(f.keep);
    const T scale = static_cast<T>(f.scale);
    const T beta = static_cast<T>(f.beta1), other = static_cast<T>(1 - f.beta1);
    T* dst = s.dst;
    const T* src = s.src;
    T* gradient = s.gradient;
    T* first = s.first;
#pragma GCC ivdep
    for (std::int64_t i = 0; i < s.count; ++i) {
        const T m = beta * first[i] + other * (scale * gradient[i]);
        first[i] = m;
        dst[i] = keep * src[i] - rate * m;
        gradient[i] = 0;
    }
}

template <typename T>
[[gnu::always_inline]] inline void adam(const StepSpan<T>& s, const StepFactors& f)
{
    const T step = static_cast<T>(f.rate / f.correction1), keep = static_cast<T>(f.keep);
    const T scale = static_cast<T>(f.scale), epsilon = static_cast<T>(f.epsilon);
    const T beta1 = static_cast<T>(f.beta1), other1 = static_cast<T>(1 - f.beta1);
    const T beta2 = static_cast<T>(f.beta2), other2 = static_cast<T>(1 - f.beta2);
    const T root = static_cast<T>(1 / std::sqrt(f.correction2));
    T* dst = s.dst;
    const T* src = s.src;
    T* gradient = s.gradient;
    T* first = s.first;
    T* second = s.second;
#pragma GCC ivdep
    for (std::int64_t i = 0; i < s.count; ++i) {
        const T g = scale * gradient[i];
        const T m = beta1 * first[i] + other1 * g;
        const T v = beta2 * second[i] + other2 * (g * g);
        first[i] = m;
        second[i] = v;
        dst[i] = keep * src[i] - step * (m / (std::sqrt(v) * root + epsilon));
        gradient[i] = 0;
    }
}

} // namespace

STAGELOOM_CLONES void sgdStep(const StepSpan<float>& span, const StepFactors& factors)
{
    sgd(span, factors);
}

STAGELOOM_CLONES void sgdStep(const StepSpan<double>& span, const StepFactors& factors)
{
    sgd(span, factors);
}

STAGELOOM_CLONES void momentumStep(const StepSpan<float>& span, const StepFactors& factors)
{
    momentum(span, factors);
}

STAGELOOM_CLONES void momentumStep(const StepSpan<double>& span, const StepFactors& factors)
{
    momentum(span, factors);
}

STAGELOOM_CLONES void adamStep(const StepSpan<float>& span, const StepFactors& factors)
{
    adam(span, factors);
}

STAGELOOM_CLONES void adamStep(const StepSpan<double>& span, const StepFactors& factors)
{
    adam(span, factors);
}

} // namespace stageloom::engine
