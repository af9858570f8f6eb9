// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/kernels.h"

#include <cmath>

// One compiled copy for each generation of the instruction set, chosen when the program is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define STAGELOOM_CLONES                                                                           \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define STAGELOOM_CLONES
#endif

namespace stageloom::engine {

// `ivdep`: dst is either src itself or apart from it, so no turn of the loop reads what another
// wrote.

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

template <bool L2, typename T>
[[gnu::always_inline]] inline void adam(const StepSpan<T>& s, const StepFactors& f)
{
    const T step = static_cast<T>(f.rate / f.correction1), keep = static_cast<T>(f.keep);
    const T scale = static_cast<T>(f.scale), epsilon = static_cast<T>(f.epsilon);
    const T beta1 = static_cast<T>(f.beta1), other1 = static_cast<T>(1 - f.beta1);
    const T beta2 = static_cast<T>(f.beta2), other2 = static_cast<T>(1 - f.beta2);
    const T root = static_cast<T>(1 / std::sqrt(f.correction2));
    const T decay = static_cast<T>(f.decay);
    T* dst = s.dst;
    const T* src = s.src;
    T* gradient = s.gradient;
    T* first = s.first;
    T* second = s.second;
#pragma GCC ivdep
    for (std::int64_t i = 0; i < s.count; ++i) {
        T g = scale * gradient[i];
        if constexpr (L2)
            g += decay * src[i];
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
    if (factors.decay != 0)
        adam<true>(span, factors);
    else
        adam<false>(span, factors);
}

STAGELOOM_CLONES void adamStep(const StepSpan<double>& span, const StepFactors& factors)
{
    if (factors.decay != 0)
        adam<true>(span, factors);
    else
        adam<false>(span, factors);
}

namespace {

// Element i goes to sum i mod 32: independent chains for the vector unit in an order fixed by the
// source.
constexpr std::int64_t kSums = 32;

template <typename T>
[[gnu::always_inline]] inline double sumSquares(const T* values, std::int64_t count)
{
    double sums[kSums] = {};
    std::int64_t i = 0;
    for (; i + kSums <= count; i += kSums)
        for (std::int64_t j = 0; j < kSums; ++j) {
            const double value = static_cast<double>(values[i + j]);
            sums[j] += value * value;
        }
    for (std::int64_t j = 0; i + j < count; ++j) {
        const double value = static_cast<double>(values[i + j]);
        sums[j] += value * value;
    }
    for (std::int64_t width = kSums / 2; width > 0; width /= 2)
        for (std::int64_t j = 0; j < width; ++j)
            sums[j] += sums[j + width];
    return sums[0];
}

} // namespace

STAGELOOM_CLONES double sumOfSquares(const float* values, std::int64_t count)
{
    return sumSquares(values, count);
}

STAGELOOM_CLONES double sumOfSquares(const double* values, std::int64_t count)
{
    return sumSquares(values, count);
}

} // namespace stageloom::engine
