// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <cstdint>
#include <vector>

namespace stageloom {

// One action that both traces have: same batch, stage, chunk, microbatch and kind.
struct MatchedSpan {
    std::uint32_t base = 0, other = 0; // positions in the traces
};

// How long one kind of action of one stage takes in each trace. Seconds, or the traces' unit.
struct KindDifference {
    int stage = 0;
    ActionKind kind = ActionKind::Forward;
    std::size_t matched = 0;
    double baseMean = 0, otherMean = 0; // durations of the matched actions
    double meanDelta = 0; // other - base
    double worstDelta = 0; // the largest in magnitude, with its sign
    // Where it is; 0-based as in Span.
    std::int32_t worstBatch = 0, worstMicrobatch = 0;
};

struct TraceComparison {
    std::vector<MatchedSpan> spans; // ordered by batch, stage, microbatch, kind
    std::vector<KindDifference> kinds; // ordered by stage and kind
    // F, B, I, W, R and U without a partner.
    std::size_t baseOnly = 0, otherOnly = 0;
    std::int32_t firstBatch = 0, lastBatch = -1; // of the matched actions
};

// Aligns two traces by (batch, stage, microbatch, action). Where a trace has several of the same
// (both directions of a send, replicas), the k-th in time meets the k-th. O(n log n).
TraceComparison compareTraces(const Trace& base, const Trace& other);

// The spans of whole batches first…last, moved so that the earliest starts at 0: two runs on one
// clock. Memory curves are left out.
Trace batchesOf(const Trace& trace, std::int32_t first, std::int32_t last);

} // namespace stageloom
