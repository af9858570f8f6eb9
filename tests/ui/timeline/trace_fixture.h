// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include <algorithm>

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

} // namespace stageloom::test
