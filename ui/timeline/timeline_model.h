// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include "ui/timeline/scale.h"
#include "ui/timeline/span_index.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace stageloom {

enum class TraceSide : std::uint8_t { Plan, Run };

// One span of one of the two traces; good until that trace is set anew.
struct SpanRef {
    TraceSide side = TraceSide::Plan;
    std::uint32_t index = 0; // into trace(side).spans
    bool operator==(const SpanRef&) const = default;
};

// The newest weight version that every stage has, over a stretch of time.
struct VersionSegment {
    TimeRange range;
    int version = 0;
};

// The two traces that one timeline shows and the lanes made of them. No pixels, no Qt.
class TimelineModel {
public:
    void setTrace(TraceSide side, Trace trace);
    void clear(TraceSide side) { setTrace(side, {}); }
    // Measured spans as they come; grows the devices where a new one appears.
    void append(const std::vector<Span>& spans);

    [[nodiscard]] bool has(TraceSide side) const { return !at(side).trace.spans.empty(); }
    [[nodiscard]] const Trace& trace(TraceSide side) const { return at(side).trace; }
    [[nodiscard]] const Span& span(SpanRef ref) const { return trace(ref.side).spans[ref.index]; }
    [[nodiscard]] const SpanIndex& compute(TraceSide side, int device) const; // with updates
    [[nodiscard]] const SpanIndex& transfers(TraceSide side, int device) const;
    [[nodiscard]] const std::vector<VersionSegment>& versions(TraceSide side) const;
    [[nodiscard]] int devices() const;
    [[nodiscard]] bool seconds() const; // else: the caller's unit
    [[nodiscard]] TimeRange extent() const; // of both
    // How many microbatches of this span's stage are in flight when it starts, itself among them.
    [[nodiscard]] int stashAt(SpanRef ref) const;
    // Every compute span of a microbatch, by start.
    [[nodiscard]] std::vector<SpanRef> microbatch(TraceSide side, int microbatch) const;
    // The span whose output `ref` waits for, where it is in the trace.
    [[nodiscard]] std::optional<SpanRef> input(SpanRef ref) const;

private:
    struct Side {
        Trace trace;
        std::vector<SpanIndex> compute, transfers; // by device
        std::vector<VersionSegment> versions;
        std::map<int, double> updated,
            firstRead; // version -> last update's end, first forward's start
        double end = 0, begin = 0;
    };
    std::array<Side, 2> m_sides;
    [[nodiscard]] const Side& at(TraceSide side) const
    {
        return m_sides[static_cast<std::size_t>(side)];
    }
    static void index(Side& side, std::size_t from);
    static void buildVersions(Side& side);
};

// The plan's trace with its first batch renamed to `batch` and moved to start at `origin`: a
// prediction of the first batches drawn under the measured batch 310.
Trace movedTo(Trace trace, int batch, double origin);

} // namespace stageloom
