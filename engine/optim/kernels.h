// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Passes over raw memory, compiled for every generation of the instruction set.
namespace stageloom::engine {

// Pointers into the flat buffers of one stage, from the same element on. dst may be src.
template <typename T> struct StepSpan {
    T* dst = nullptr;
    const T* src = nullptr;
    T* gradient = nullptr; // zeroed by the pass
    T* first = nullptr; // momentum, or Adam's first moment
    T* second = nullptr; // Adam's second moment
    std::int64_t count = 0;
};

// Factors of one update, made in double and rounded once.
struct StepFactors {
    double rate = 0; // ν
    double keep = 1; // 1 - ν·λ, decoupled decay: multiplies src
    double scale = 1; // of the gradient
    double decay = 0; // λ of Adam's L2: its gradient is scale·g + λ·W
    double beta1 = 0, beta2 = 0, epsilon = 0;
    double correction1 = 1, correction2 = 1; // 1 - β^step
};

// W' = keep·W - ν·g
void sgdStep(const StepSpan<float>& span, const StepFactors& factors);
void sgdStep(const StepSpan<double>& span, const StepFactors& factors);
// m = β·m + (1-β)·g, W' = keep·W - ν·m
void momentumStep(const StepSpan<float>& span, const StepFactors& factors);
void momentumStep(const StepSpan<double>& span, const StepFactors& factors);
// Adam with bias correction; AdamW where keep < 1, L2 where decay > 0
void adamStep(const StepSpan<float>& span, const StepFactors& factors);
void adamStep(const StepSpan<double>& span, const StepFactors& factors);

// Of the values; the order of the additions depends on the count alone.
double sumOfSquares(const float* values, std::int64_t count);
double sumOfSquares(const double* values, std::int64_t count);

} // namespace stageloom::engine
