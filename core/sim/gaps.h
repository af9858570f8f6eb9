// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sim/trace.h"
#include <algorithm>
#include <array>
#include <vector>

namespace stageloom {

// What a device's time goes to when it does not compute.
enum class IdleCause : std::uint8_t {
    Fill, // what it needs is still being computed, and no backward has come since the pipeline was
          // empty
    Drain, // the same, and no forward is left before the pipeline is empty
    Imbalance, // what it needs is still being computed on another device, in the middle
    Link, // what it needs is on its way
    Data, // the training data is being read
    Optimizer, // updates, and the wait for the other stages' part of one
    Other, // its input was there: the runtime, or other programs
};
inline constexpr std::size_t kIdleCauses = 7;
// One word in the contract's spelling: "fill", "drain", …
const char* causeName(IdleCause cause);

// A stretch in which one device does not compute.
struct IdleGap {
    int device = 0;
    double begin = 0, end = 0; // in the trace's unit
    IdleCause cause = IdleCause::Other;
    // Position in Trace::spans of what it waited for: the span on another device that makes its
    // input. -1: nothing that is known.
    std::int64_t waitsFor = -1;
};

// Whether a trace holds a run from its first action to its last, or a part out of its middle, whose
// ends say nothing about the pipeline.
enum class TraceEnds { Whole, Cut };

// The phases of a trace, from one moment at which the pipeline is empty to the next, and what tells
// fill and drain from waits in the middle of one. The pipeline is empty where no forward of the
// next batch starts before the last backward of this one has ended anywhere: at every update of a
// flush, and only at both ends of a stream such as 2BW.
class PipelinePhases {
public:
    PipelinePhases() = default;
    PipelinePhases(const Trace& trace, TraceEnds ends);

    // A gap of one device, and what is known of it.
    struct Gap {
        int device = 0;
        double begin = 0, end = 0;
        const Span* next = nullptr; // what the device does then; null: nothing any more
        const Span* input = nullptr; // makes what `next` needs; null: nothing that is known
        double arrived = 0; // when the input was there; `end` where no transfer is recorded
    };
    // Calls visit(begin, end, cause) for the parts of the gap, in order.
    template <typename Visit> void explain(const Gap& gap, Visit visit) const
    {
        const std::vector<Phase>& phases = phasesOf(gap.device);
        double from = gap.begin;
        for (std::size_t p = phaseAt(from); from < gap.end; ++p) {
            const double to
                = p + 1 < m_begins.size() ? std::min(gap.end, m_begins[p + 1]) : gap.end;
            if (to > from)
                explainPiece(phases[p], gap, from, to, visit);
            from = to;
        }
    }

private:
    struct Phase {
        double firstBackward, lastForward; // start and end on one device; ±infinity: none
        bool first, last; // of a whole trace; the last begins when all backwards are done
        bool emptied; // the pipeline is empty at its end
    };

    template <typename Visit>
    static void explainPiece(
        const Phase& phase, const Gap& gap, double from, double to, Visit visit)
    {
        const bool filling = to <= phase.firstBackward, draining = from >= phase.lastForward;
        const bool update = gap.next && gap.next->kind == ActionKind::Update;
        // Others still work on this phase, and nothing of it is left here.
        if (draining && phase.emptied && (!gap.next || update || to < gap.end))
            return visit(from, to, IdleCause::Drain);
        if (!gap.next)
            return visit(from, to, phase.last ? IdleCause::Drain : IdleCause::Other);
        if (update)
            return visit(from, to, IdleCause::Optimizer);
        if (!gap.input)
            return visit(from, to, phase.first && filling ? IdleCause::Fill : IdleCause::Other);
        const auto inside = [&](double time) { return std::clamp(time, from, to); };
        const bool elsewhere = gap.input->device != gap.device;
        const double made = inside(gap.input->end);
        const double there = elsewhere ? std::max(made, inside(gap.arrived)) : made;
        if (made > from)
            visit(from, made,
                filling        ? IdleCause::Fill
                    : draining ? IdleCause::Drain
                               : IdleCause::Imbalance);
        if (there > made)
            visit(made, there, IdleCause::Link);
        if (to > there)
            visit(there, to, IdleCause::Other);
    }

    [[nodiscard]] const std::vector<Phase>& phasesOf(int device) const;
    [[nodiscard]] std::size_t phaseAt(double time) const;
    std::vector<double> m_begins; // of the phases, ascending; the first is -infinity
    std::vector<std::vector<Phase>> m_devices; // by device
};

// The gaps of [begin, end) on every device, ordered by device and time, cut at the window's edges.
// Inputs are looked up in the whole trace, so that no window makes a wait out of work that lies
// outside it. With the time in F, B, I, W and R and in updates they fill devices × (end − begin).
// Stretches of no more than rounding are left out. O(n log n).
std::vector<IdleGap> idleGaps(
    const Trace& trace, double begin, double end, TraceEnds ends = TraceEnds::Whole);

// What one device's time in a window went to, and whom it waited for most.
struct DeviceTime {
    double busy = 0; // F, B, I, W, R
    std::array<double, kIdleCauses> idle {}; // by cause; Optimizer includes the updates themselves
    double waited = 0; // for results of other devices: Imbalance and Link
    int waitsFor = -1; // the device it waited for longest; -1: none
    ActionKind waitedKind = ActionKind::Forward; // of that device's result
    [[nodiscard]] double idleTime() const;
};
// By device. The one answer to "what is idle, and why" that commands and the window give.
std::vector<DeviceTime> deviceTimes(
    const Trace& trace, double begin, double end, TraceEnds ends = TraceEnds::Whole);
// Shares of devices × window by cause; with the busy share they sum to 1.
std::array<double, kIdleCauses> idleShares(
    const std::vector<DeviceTime>& devices, double windowLength);

// The answer for a whole run: of its steady state where it has one (metrics.h, steadyWindow), else
// of all of it.
struct IdleReport {
    double begin = 0, end = 0;
    int batches = 0; // in the window; 0: the whole trace
    std::vector<DeviceTime> devices;
    std::array<double, kIdleCauses> shares {};
};
IdleReport idleReport(const Trace& trace);

} // namespace stageloom
