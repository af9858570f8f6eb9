// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include <algorithm>
#include <random>

namespace stageloom::test {

inline Span span(ActionKind kind, int stage, int microbatch, double start, double end)
{
    Span s;
    s.kind = kind;
    s.stage = s.device = static_cast<std::int16_t>(stage);
    s.microbatch = microbatch;
    s.version = 0;
    s.start = start;
    s.end = end;
    return s;
}

// Two stages, two microbatches, F = 1, B = 2, one batch flushed; worked out by hand:
//   GPU 0: F1 0-1, F2 1-2, idle 2-4, B1 4-6, B2 7-9      GPU 1: idle 0-1, F1 1-2, B1 2-4, F2 4-5,
//   B2 5-7, idle 7-9
inline Trace twoStages()
{
    using enum ActionKind;
    Trace t;
    t.timeUnit = "s";
    t.devices = t.stages = t.microbatches = 2;
    t.spans = { span(Forward, 0, 0, 0, 1), span(Forward, 0, 1, 1, 2), span(Backward, 0, 0, 4, 6),
        span(Backward, 0, 1, 7, 9), span(Forward, 1, 0, 1, 2), span(Backward, 1, 0, 2, 4),
        span(Forward, 1, 1, 4, 5), span(Backward, 1, 1, 5, 7) };
    return t;
}

// A pipeline of `depth` stages, all forwards of a microbatch down, its backward up, with jitter
// from a fixed seed: each lane takes what is ready. Sorted by (device, start), as a trace is.
inline Trace longPipeline(int depth, int microbatches, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(0.8, 1.3);
    Trace t;
    t.timeUnit = "s";
    t.devices = t.stages = depth;
    t.microbatches = 8;
    std::vector<double> free(static_cast<std::size_t>(depth), 0.0);
    const auto run = [&](ActionKind kind, int stage, int microbatch, double ready, double length) {
        double& at = free[static_cast<std::size_t>(stage)];
        Span s = span(kind, stage, microbatch, std::max(at, ready), 0);
        s.batch = microbatch / t.microbatches;
        s.version = std::max(0, s.batch - 1);
        at = s.end = s.start + length * jitter(random);
        t.spans.push_back(s);
        return s.end;
    };
    for (int m = 0; m < microbatches; ++m) {
        double ready = 0;
        for (int stage = 0; stage < depth; ++stage)
            ready = run(ActionKind::Forward, stage, m, ready, 1);
        for (int stage = depth; stage-- > 0;)
            ready = run(ActionKind::Backward, stage, m, ready + 0.1, 2);
    }
    std::ranges::stable_sort(
        t.spans, {}, [](const Span& s) { return std::pair(s.device, s.start); });
    return t;
}

} // namespace stageloom::test
