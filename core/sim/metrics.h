// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <optional>
#include <vector>

namespace stageloom {

struct StageMetrics {
    int stage = 0, device = 0;
    // F + B + I + W + R
    double busy = 0;
    // makespan - busy, per device
    double idle = 0;
    // Microbatches in flight.
    int peakStash = 0;
    int peakVersions = 0;
};

struct TraceMetrics {
    double makespan = 0;
    // 1 - Σ busy / (devices × makespan), with filling and draining.
    double bubbleFraction = 0;
    // The same over whole batches between filling and draining: what a long run comes to. None with
    // one stage, which waits for nobody, and for a trace too short to have a steady state.
    std::optional<double> steadyBubbleFraction;
    // Until the last device has something to do, and from when the first has nothing left.
    double fill = 0, drain = 0;
    // Steady state, of the slowest stage: from one batch's last backward to the next one's; the
    // first batches and the drain left out. A batch is the plan's, m microbatches, whatever the
    // schedule; and the part of it for one microbatch.
    double periodPerBatch = 0, periodPerMicrobatch = 0;
    std::vector<StageMetrics> stages;
};

// TraceMetrics::periodPerBatch alone, for whoever compares many traces.
double steadyPeriod(const Trace& trace);
// The same function for predicted and measured traces. All zero for a trace that contradicts itself
// (Trace::consistent).
TraceMetrics measure(const Trace& trace);
// Restricted to [begin, end): busy shares of whole batches after the warm-up, for prediction
// against measurement. Without steady state, filling and draining, which are a whole trace's.
TraceMetrics measure(const Trace& trace, double begin, double end);
// The window from the end of batch `skip` to the end of the last but one, which drains nothing yet;
// a batch has ended when its last backward has, on whatever stage. begin == end where there is
// none.
struct Window {
    double begin = 0, end = 0;
    int batches = 0;
};
Window steadyWindow(const Trace& trace, int skip = 2);
// The same from the second batch on where the trace is too short for that.
Window steadyPart(const Trace& trace);

} // namespace stageloom
