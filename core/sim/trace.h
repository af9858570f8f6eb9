// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/action.h"
#include <cstdint>
#include <string>
#include <vector>

namespace stageloom {

// What a transfer carries. Traces of older programs do not tell.
enum class Cargo : std::uint8_t { Unknown, Activation, Gradient };
[[nodiscard]] inline Cargo cargoOf(const Action& action)
{
    if (!isTransfer(action.kind))
        return Cargo::Unknown;
    return action.gradient ? Cargo::Gradient : Cargo::Activation;
}

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
    // SEND and RECV only.
    Cargo cargo = Cargo::Unknown;
    bool operator==(const Span&) const = default;
};

// Chunk and cargo in one number, as spans are kept and sent: who knows chunks of a byte alone reads
// the chunk.
[[nodiscard]] inline int chunkAndCargo(const Span& span)
{
    return span.chunk | int(span.cargo) << 8;
}
inline void setChunkAndCargo(Span& span, std::int64_t both)
{
    const std::int64_t cargo = both >> 8;
    span.chunk = std::uint8_t(both);
    span.cargo = cargo == 1 ? Cargo::Activation : cargo == 2 ? Cargo::Gradient : Cargo::Unknown;
}

// The stage at the other end of a transfer; -1: not known.
int peerStage(const Span& span);
const char* cargoWord(Cargo cargo); // "activation", "gradient"; empty: not known
// "activation to stage 2", "gradient from stage 3"; empty where that is not known.
std::string cargoText(const Span& span);

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
