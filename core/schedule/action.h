// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace stageloom {

// One letter or word of the action text form. B is the whole backward; I and W are its two halves.
enum class ActionKind : std::uint8_t {
    Forward, // F
    Backward, // B: input and weight gradients
    BackwardInput, // I
    BackwardWeight, // W
    Recompute, // R: forward again, before a backward whose stash was dropped
    Update, // U: optimizer step of one batch; `microbatch` is the batch index
    Send, // SEND_F / SEND_B: activation (gradient = false) or gradient to the peer stage
    Recv, // RECV_F / RECV_B
    AllReduce, // ALLREDUCE: this stage's part of the batch's cross-stage reduction (gradient norm,
               // tied weights, later replicas) is handed in. Never waits; the Update of the batch
               // does.
};

// One thing a worker does. The same value is generated, verified, simulated, drawn and executed.
struct Action {
    std::int32_t stage
        = 0; // global stage index, 0-based; chunk c of worker w in looped schedules is c·d + w
    std::int32_t microbatch
        = 0; // over the whole run, 0-based; for U and ALLREDUCE: the batch index
    std::int32_t version
        = -1; // F, B, I, W, R: weight version read. U: version made. -1: not assigned
    ActionKind kind = ActionKind::Forward;
    std::uint8_t chunk = 0;
    bool gradient = false; // Send, Recv only
    bool operator==(const Action&) const = default;
};

[[nodiscard]] inline bool isCompute(ActionKind kind)
{
    return kind <= ActionKind::Recompute;
} // what "busy" counts
[[nodiscard]] inline bool carriesMicrobatch(ActionKind kind)
{
    return kind != ActionKind::Update && kind != ActionKind::AllReduce;
}
// The contract's word: F B W R U SEND RECV ALLREDUCE (I is written "I").
const char* kindName(ActionKind kind);

} // namespace stageloom
