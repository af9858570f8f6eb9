// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/action.h"
#include <cstdint>
#include <string>
#include <vector>

namespace stageloom {

// One action with a time: what the simulator predicts and what the engine measures. 40 bytes.
struct Span {
    double start = 0,
           end = 0; // seconds from the trace's origin, or the caller's unit (Trace::timeUnit empty)
    std::int32_t microbatch
        = 0; // 0-based over the run (written from 1 in JSON); batch index for U, ALLREDUCE
    std::int32_t batch = 0;
    std::int32_t version = -1;
    std::int16_t stage = 0;
    std::int16_t device = 0;
    ActionKind kind = ActionKind::Forward;
    std::uint8_t chunk = 0;
    bool operator==(const Span&) const = default;
};

// Spans of one run, sorted by (device, start). Prediction, measurement and difference share this
// type.
struct Trace {
    std::string timeUnit; // "s", or empty where the numbers were given by the caller
    int devices = 0;
    int stages = 0;
    int microbatches = 0; // a batch
    std::vector<Span> spans;
    // Bytes in use on a device after each change, per device, sorted by time. Empty: not known.
    struct MemorySample {
        double time;
        double bytes;
    };
    std::vector<std::vector<MemorySample>> memory;

    [[nodiscard]] double makespan() const; // last end
};

} // namespace stageloom
