// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_side.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace stageloom {

// What is planned, what was measured, and a plan that was pinned to be compared with the first.
enum class TraceSide : std::uint8_t { Plan, Run, Pinned };
inline constexpr std::size_t kTraceSides = 3;

// One span of one of the traces; good until that trace is set anew.
struct SpanRef {
    TraceSide side = TraceSide::Plan;
    std::uint32_t index = 0; // into trace(side).spans
    bool operator==(const SpanRef&) const = default;
};

// The traces that one timeline shows and the lanes made of them. No pixels, no Qt.
class TimelineModel {
public:
    TimelineModel();
    void setTrace(TraceSide side, Trace trace, const TraceFrame& frame = {});
    // Returns the one that was there.
    std::shared_ptr<TimelineSide> setSide(TraceSide side, std::shared_ptr<TimelineSide> built);
    void clear(TraceSide side) { setTrace(side, {}); }

    [[nodiscard]] const TimelineSide& side(TraceSide side) const
    {
        return *m_sides[static_cast<std::size_t>(side)];
    }
    // To be read on another thread.
    [[nodiscard]] std::shared_ptr<const TimelineSide> shared(TraceSide side) const
    {
        return m_sides[static_cast<std::size_t>(side)];
    }
    [[nodiscard]] bool has(TraceSide which) const { return !side(which).empty(); }
    [[nodiscard]] const Trace& trace(TraceSide which) const { return side(which).trace(); }
    [[nodiscard]] const Span& span(SpanRef ref) const { return trace(ref.side).spans[ref.index]; }
    [[nodiscard]] const SpanIndex& compute(TraceSide which, int device) const
    {
        return side(which).compute(device);
    }
    [[nodiscard]] const SpanIndex& transfers(TraceSide which, int device) const
    {
        return side(which).transfers(device);
    }
    [[nodiscard]] const std::vector<VersionSegment>& versions(TraceSide which) const
    {
        return side(which).versions();
    }
    [[nodiscard]] int devices() const; // of plan and run
    [[nodiscard]] bool seconds() const; // else: the caller's unit
    [[nodiscard]] TimeRange extent(bool withPinned = false) const; // of all
    // How many microbatches of this span's stage are in flight when it starts, itself among them;
    // and the most that ever are.
    [[nodiscard]] int stashAt(SpanRef ref) const;
    [[nodiscard]] int mostStashes(TraceSide side, int stage) const;
    // Every compute span of a microbatch, by start.
    [[nodiscard]] std::vector<SpanRef> microbatch(TraceSide side, int microbatch) const;
    // The span whose output `ref` waits for, where it is in the trace.
    [[nodiscard]] std::optional<SpanRef> input(SpanRef ref) const;
    // The span of the same (batch, stage, chunk, microbatch, kind) in another trace: the pairs of
    // `compareTraces`, one at a time and without a table. A plan foresees some batches and a run
    // makes thousands: beyond them the plan repeats itself (`exact` false: durations compare, times
    // do not). Between two plans microbatches count within their batch.
    struct Partner {
        SpanRef span;
        bool exact = true;
    };
    [[nodiscard]] std::optional<Partner> partner(SpanRef of, TraceSide in) const;

private:
    std::array<std::shared_ptr<TimelineSide>, kTraceSides> m_sides; // never null
};

// The trace with its batches renamed and its clock moved.
Trace moved(Trace trace, int byBatches, double byTime);
// The plan's trace with its first batch renamed to `batch` and moved to start at `origin`: a
// prediction of the first batches drawn under the measured batch 310.
Trace movedTo(Trace trace, int batch, double origin);
// A plan moved by its own length as often as it takes to reach a batch of the run, on the run's
// clock; nothing where that batch is still among the plan's batches.
std::optional<Trace> alignedWith(const TimelineSide& plan, const TimelineSide& run, int batch);

} // namespace stageloom
