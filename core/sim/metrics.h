// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/sim/trace.h"
#include <vector>

namespace stageloom {

struct StageMetrics {
    int stage = 0, device = 0;
    double busy = 0; // F + B + I + W + R
    double idle = 0; // makespan - busy, per device
    int peakStash = 0; // microbatches in flight
    int peakVersions = 0;
};

struct TraceMetrics {
    double makespan = 0;
    double bubbleFraction = 0; // 1 - sum of busy / (devices × makespan)
    double periodPerBatch
        = 0; // steady state: between updates of the slowest stage, first batches and drain left out
    double periodPerMicrobatch = 0;
    std::vector<StageMetrics> stages;
};

// TraceMetrics::periodPerBatch alone, for whoever compares many traces.
double steadyPeriod(const Trace& trace);
// The same function for predicted and measured traces.
TraceMetrics measure(const Trace& trace);
// Restricted to [begin, end): busy shares of whole batches after the warm-up, for prediction
// against measurement.
TraceMetrics measure(const Trace& trace, double begin, double end);
// The window that whole batches after the first `skip` span on every device; begin == end where
// there is none.
struct Window {
    double begin = 0, end = 0;
    int batches = 0;
};
Window steadyWindow(const Trace& trace, int skip = 2);

// The document of `simulate --json` (contract.md).
Json toJson(const Trace& trace, const TraceMetrics& metrics);
std::string chromeTrace(const Trace& trace, const std::string& title);
// Its parts, for several traces in one file: each is a process of its own.
Json chromeEvents(const Trace& trace, const std::string& title, int process);
std::string chromeDocument(Json events);
std::string asciiTimeline(const Trace& trace, int columns);
std::string traceCsv(const Trace& trace);

} // namespace stageloom
