// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace stageloom {

// One letter or word of the action text form. B is the whole backward; I and W are its two halves.
enum class ActionKind : std::uint8_t {
    // F
    Forward,
    // B: input and weight gradients
    Backward,
    // I
    BackwardInput,
    // W
    BackwardWeight,
    // R: forward again, before a backward whose stash was dropped
    Recompute,
    // U: optimizer step; `microbatch` is the update's index (Schedule::batchOf)
    Update,
    // SEND_F, SEND_B: activation (gradient = false) or gradient to the peer stage
    Send,
    // RECV_F, RECV_B
    Recv,
    // ALLREDUCE: this stage's part of an update's cross-stage reduction (gradient norm, tied
    // weights, later replicas) is handed in. Never waits; the Update does.
    AllReduce,
};

// One thing a worker does. The same value is generated, verified, simulated, drawn and executed.
struct Action {
    // Global, 0-based; chunk c of worker w in looped schedules is c·d + w.
    std::int32_t stage = 0;
    // Over the whole run, 0-based; for U and ALLREDUCE the update's index.
    std::int32_t microbatch = 0;
    // F, B, I, W, R: weight version read. U: version made. -1: not assigned.
    std::int32_t version = -1;
    ActionKind kind = ActionKind::Forward;
    std::uint8_t chunk = 0;
    // Send, Recv only.
    bool gradient = false;
    bool operator==(const Action&) const = default;
};

// What "busy" counts.
[[nodiscard]] inline bool isCompute(ActionKind kind)
{
    return kind <= ActionKind::Recompute;
}
[[nodiscard]] inline bool isTransfer(ActionKind kind)
{
    return kind == ActionKind::Send || kind == ActionKind::Recv;
}
[[nodiscard]] inline bool carriesMicrobatch(ActionKind kind)
{
    return kind != ActionKind::Update && kind != ActionKind::AllReduce;
}
// The last action of a microbatch on a stage: its gradients are whole, its stash is free.
[[nodiscard]] inline bool endsMicrobatch(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardWeight;
}
// The contract's word: F B W R U SEND RECV ALLREDUCE (I is written "I").
const char* kindName(ActionKind kind);

} // namespace stageloom
