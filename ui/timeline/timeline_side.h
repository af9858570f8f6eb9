// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/trace.h"
#include "ui/timeline/lane_totals.h"
#include "ui/timeline/memory_curve.h"
#include "ui/timeline/scale.h"
#include "ui/timeline/span_index.h"
#include "ui/timeline/span_table.h"
#include <bitset>
#include <map>
#include <optional>
#include <vector>

namespace stageloom {

// The newest weight version that every stage has, over a stretch of time.
struct VersionSegment {
    TimeRange range;
    int version = 0;
};

// What is known of a trace beyond its spans.
struct TraceFrame {
    TraceEnds ends = TraceEnds::Whole;
    // Where the trace holds more than is to be looked at, so that nothing of it is without what
    // surrounds it. None: from the first start to the last end.
    std::optional<TimeRange> extent;
};

// One trace with everything that makes looking at it quick: lanes by device, spans by name, sums,
// versions, memory. Built once (for ten million spans: off the GUI thread, and then handed over);
// after that any number of threads may read it.
class TimelineSide {
public:
    TimelineSide() = default;
    explicit TimelineSide(Trace trace, const TraceFrame& frame = {});

    [[nodiscard]] const Trace& trace() const { return m_trace; }
    [[nodiscard]] bool empty() const { return m_trace.spans.empty(); }
    [[nodiscard]] const TraceFrame& frame() const { return m_frame; }
    [[nodiscard]] TimeRange extent() const { return m_frame.extent.value_or(m_whole); }
    [[nodiscard]] const SpanTable& table() const { return m_table; }
    [[nodiscard]] const std::vector<VersionSegment>& versions() const { return m_versions; }
    [[nodiscard]] const std::vector<MemoryCurve>& memory() const { return m_memory; }
    [[nodiscard]] const SpanIndex& compute(int device) const; // with updates
    [[nodiscard]] const SpanIndex& transfers(int device) const;
    // Transfers that take time: of any device, of one.
    [[nodiscard]] bool hasTransfers() const;
    [[nodiscard]] bool hasTransfers(int device) const;
    [[nodiscard]] bool has(ActionKind kind) const
    {
        return m_kinds[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] int firstBatch() const { return m_firstBatch; }
    [[nodiscard]] int lastBatch() const { return m_lastBatch; }
    // When the first stage starts a batch's first forward; nothing where it is not there.
    [[nodiscard]] std::optional<double> batchStart(int batch, int microbatches) const;

    // When a batch's last backward or update has ended, whatever the order of its microbatches;
    // nothing where it is not there.
    [[nodiscard]] std::optional<double> batchEnd(int batch) const;

    // What one device does within a range: `deviceTimes` of that range's part in the trace.
    [[nodiscard]] LaneSums sums(int device, const TimeRange& range) const;
    [[nodiscard]] LaneSums transferSums(int device, const TimeRange& range) const;
    void visitGaps(int device, const TimeRange& range, double shortest,
        const std::function<void(const TimeRange&, IdleCause)>& visit) const;
    [[nodiscard]] int mostInFlight(int stage) const; // microbatches at once

private:
    struct Lane {
        SpanIndex compute, transfers;
        LaneTotals totals, moved; // of compute, of transfers
        bool movesInTime = false; // a transfer of it has a length
    };
    // Counted along where a stage's spans stand by start; else asked of the table.
    struct InFlight {
        int now = 0, most = 0;
        double lastStart = -1e300;
        bool inOrder = true;
    };
    Trace m_trace;
    std::vector<InFlight> m_inFlight; // by stage
    std::vector<Lane> m_lanes; // by device
    SpanTable m_table;
    std::vector<MemoryCurve> m_memory; // by device
    std::vector<VersionSegment> m_versions;
    std::map<int, double> m_updated, m_firstRead; // version -> last update's end, first read
    PipelinePhases m_phases;
    TraceFrame m_frame;
    TimeRange m_whole; // first start to last end
    std::bitset<kActionKinds> m_kinds;
    int m_firstBatch = 0, m_lastBatch = -1;

    void takeSpans();
    void countInFlight(const Span& span);
    void noteVersion(const Span& span);
    void buildVersions();
    [[nodiscard]] LaneTotals::Lane view(const Lane& lane) const
    {
        const auto device = static_cast<int>(&lane - m_lanes.data());
        return { device, m_trace.spans, lane.compute, m_table, &m_phases, m_whole };
    }
    [[nodiscard]] LaneTotals::Lane transferView(const Lane& lane) const
    {
        const auto device = static_cast<int>(&lane - m_lanes.data());
        return { device, m_trace.spans, lane.transfers, m_table, nullptr, m_whole };
    }
    [[nodiscard]] const Lane* laneOf(int device) const; // null: none
};

} // namespace stageloom
