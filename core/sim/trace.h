// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/action.h"
#include <cstdint>
#include <string>
#include <vector>

namespace stageloom {

// One action with a time: what the simulator predicts and what the engine measures. 40 bytes.
struct Span {
    // Seconds from the trace's origin, or the caller's unit (Trace::timeUnit empty).
    double start = 0, end = 0;
    // 0-based over the run (written from 1 in JSON); index of the update for U and ALLREDUCE.
    std::int32_t microbatch = 0;
    // Of the plan (planBatchOf).
    std::int32_t batch = 0;
    std::int32_t version = -1;
    std::int16_t stage = 0;
    // Lane of the trace: the schedule's worker (Trace::deviceOf).
    std::int16_t device = 0;
    ActionKind kind = ActionKind::Forward;
    std::uint8_t chunk = 0;
    bool operator==(const Span&) const = default;
};

// Spans of one run, sorted by (device, start). Prediction, measurement and difference share this
// type.
struct Trace {
    // "s", or empty where the numbers were given by the caller.
    std::string timeUnit;
    int devices = 0;
    int stages = 0;
    // A batch of the plan.
    int microbatches = 0;
    std::vector<Span> spans;
    // Bytes in use on a device after each change, per device, sorted by time. Empty: not known.
    struct MemorySample {
        double time;
        double bytes;
    };
    std::vector<std::vector<MemorySample>> memory;
    // The plan's device of each lane; empty: lanes count themselves.
    std::vector<int> planDevices;

    // Last end.
    [[nodiscard]] double makespan() const;
    [[nodiscard]] int deviceOf(int lane) const;
    // Whether its numbers of stages, devices and microbatches can be, and no span lies outside of
    // them: a damaged file's need not.
    [[nodiscard]] bool consistent() const;
};

} // namespace stageloom
