// SPDX-License-Identifier: Apache-2.0
#include "core/sim/gaps.h"

#include "core/base/check.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace stageloom {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

bool isForward(const Span& span)
{
    return span.kind == ActionKind::Forward;
}

bool startsBackward(const Span& span)
{
    return span.kind == ActionKind::Backward || span.kind == ActionKind::BackwardInput;
}

// What takes a device's compute lane.
bool occupies(const Span& span)
{
    return isCompute(span.kind) || span.kind == ActionKind::Update;
}

// Shorter is rounding of the clock and not a wait.
bool isGap(double begin, double end)
{
    return end - begin > 1e-9 * std::max(1e-6, std::fabs(end));
}

// When the pipeline is empty: after a batch all of whose backwards end before the next one's first
// forward starts, and after the last one.
std::vector<double> emptyMoments(const Trace& trace, TraceEnds ends)
{
    struct Batch {
        double firstForward = kNever, lastBackward = -kNever;
    };
    std::map<std::int32_t, Batch> batches;
    auto at = batches.end(); // neighbours are mostly of one batch, and traces are long
    for (const Span& span : trace.spans) {
        if (!isCompute(span.kind))
            continue;
        if (at == batches.end() || at->first != span.batch)
            at = batches.try_emplace(span.batch).first;
        Batch& batch = at->second;
        if (isForward(span))
            batch.firstForward = std::min(batch.firstForward, span.start);
        else
            batch.lastBackward = std::max(batch.lastBackward, span.end);
    }
    std::vector<double> moments;
    double ended = -kNever; // the last backward of all batches so far
    for (at = batches.begin(); at != batches.end(); ++at) {
        ended = std::max(ended, at->second.lastBackward);
        const auto next = std::next(at);
        const bool emptied
            = next == batches.end() ? ends == TraceEnds::Whole : next->second.firstForward >= ended;
        if (emptied && std::isfinite(ended))
            moments.push_back(ended);
    }
    return moments;
}

// Finds the span that makes a span's input, in O(1) a look.
class Inputs {
public:
    explicit Inputs(const Trace& trace)
    {
        if (trace.spans.empty())
            return;
        const auto [low, high] = std::minmax_element(trace.spans.begin(), trace.spans.end(),
            [](const Span& a, const Span& b) { return number(a) < number(b); });
        m_first = number(*low);
        m_count = std::size_t(number(*high) - m_first) + 1;
        for (std::size_t i = 0; i < trace.spans.size(); ++i) {
            const Span& span = trace.spans[i];
            if (isForward(span))
                add(m_forward, span, i);
            else if (startsBackward(span))
                add(m_backward, span, i);
        }
    }

    [[nodiscard]] std::int64_t of(const Span& span) const
    {
        if (isForward(span))
            return at(m_forward, span.stage - 1, span.microbatch);
        return startsBackward(span) ? at(m_backward, span.stage + 1, span.microbatch) : -1;
    }

private:
    using Table = std::vector<std::vector<std::int64_t>>; // [stage][microbatch]
    static std::int32_t number(const Span& span)
    {
        return carriesMicrobatch(span.kind) ? span.microbatch : 0;
    }

    void add(Table& table, const Span& span, std::size_t index)
    {
        if (span.stage < 0)
            return;
        const auto stage = std::size_t(span.stage);
        if (table.size() <= stage)
            table.resize(stage + 1);
        if (table[stage].empty())
            table[stage].assign(m_count, -1);
        std::int64_t& place = table[stage][std::size_t(span.microbatch - m_first)];
        if (place < 0)
            place = std::int64_t(index);
    }

    [[nodiscard]] std::int64_t at(const Table& table, int stage, std::int32_t microbatch) const
    {
        if (stage < 0 || std::size_t(stage) >= table.size() || table[std::size_t(stage)].empty())
            return -1;
        const std::int64_t offset = std::int64_t(microbatch) - m_first;
        return offset < 0 || std::size_t(offset) >= m_count
            ? -1
            : table[std::size_t(stage)][std::size_t(offset)];
    }

    std::int32_t m_first = 0;
    std::size_t m_count = 0;
    Table m_forward, m_backward;
};

// The spans of each device's compute lane, by start.
std::vector<std::vector<const Span*>> lanesOf(const Trace& trace)
{
    std::vector<std::vector<const Span*>> lanes(std::size_t(std::max(trace.devices, 0)));
    for (const Span& span : trace.spans)
        if (occupies(span) && span.device >= 0 && span.device < trace.devices)
            lanes[std::size_t(span.device)].push_back(&span);
    const auto earlier = [](const Span* a, const Span* b) { return a->start < b->start; };
    for (auto& lane : lanes)
        if (!std::is_sorted(lane.begin(), lane.end(), earlier))
            std::stable_sort(lane.begin(), lane.end(), earlier);
    return lanes;
}

} // namespace

const char* causeName(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill:
        return "fill";
    case IdleCause::Drain:
        return "drain";
    case IdleCause::Imbalance:
        return "imbalance";
    case IdleCause::Link:
        return "link";
    case IdleCause::Data:
        return "data";
    case IdleCause::Optimizer:
        return "optimizer";
    case IdleCause::Other:
        return "other";
    }
    STAGELOOM_CHECK(false, "a cause of idling without a name");
}

PipelinePhases::PipelinePhases(const Trace& trace, TraceEnds ends)
    : m_begins { -kNever }
    , m_devices(std::size_t(std::max(trace.devices, 0)))
{
    // One stage waits for nobody: its pipeline neither fills nor drains.
    if (trace.stages > 1)
        for (const double moment : emptyMoments(trace, ends))
            m_begins.push_back(moment);
    const bool whole = ends == TraceEnds::Whole && trace.stages > 1;
    const std::size_t last = m_begins.size() - 1;
    for (auto& phases : m_devices) {
        phases.assign(m_begins.size(), { kNever, -kNever, false, false, true });
        phases.front().first = phases.back().last = whole;
        phases.back().emptied = false;
    }
    std::size_t at = 0;
    for (const Span& span : trace.spans) {
        if (!isCompute(span.kind) || span.device < 0 || span.device >= trace.devices)
            continue;
        if (span.start < m_begins[at]
            || (at + 1 < m_begins.size() && span.start >= m_begins[at + 1]))
            at = phaseAt(span.start);
        Phase& phase = m_devices[std::size_t(span.device)][at];
        if (isForward(span))
            phase.lastForward = std::max(phase.lastForward, span.end);
        else if (startsBackward(span))
            phase.firstBackward = std::min(phase.firstBackward, span.start);
    }
    // What lies before or after a part is not known, so its ends neither fill nor drain.
    for (auto& phases : m_devices)
        if (!whole) {
            phases.front().firstBackward = -kNever;
            phases[last].lastForward = kNever;
        }
}

const std::vector<PipelinePhases::Phase>& PipelinePhases::phasesOf(int device) const
{
    STAGELOOM_CHECK(device >= 0 && std::size_t(device) < m_devices.size(),
        "a gap on a device that the trace does not have");
    return m_devices[std::size_t(device)];
}

std::size_t PipelinePhases::phaseAt(double time) const
{
    return std::size_t(std::upper_bound(m_begins.begin(), m_begins.end(), time) - m_begins.begin())
        - 1;
}

std::vector<IdleGap> idleGaps(const Trace& trace, double begin, double end, TraceEnds ends)
{
    std::vector<IdleGap> gaps;
    const PipelinePhases phases(trace, ends);
    const Inputs inputs(trace);
    const auto lanes = lanesOf(trace);
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        const auto put = [&](double from, double to, IdleCause cause, std::int64_t waitsFor) {
            from = std::max(from, begin);
            to = std::min(to, end);
            if (isGap(from, to))
                gaps.push_back({ int(device), from, to, cause, waitsFor });
        };
        // Before the first span and after the last the window is the edge.
        double busyUntil = lanes[device].empty() ? begin : std::min(begin, lanes[device][0]->start);
        const auto explain = [&](double until, const Span* next) {
            if (!isGap(busyUntil, until) || until <= begin || busyUntil >= end)
                return;
            const std::int64_t at = next ? inputs.of(*next) : -1;
            const Span* input = at < 0 ? nullptr : &trace.spans[std::size_t(at)];
            const bool elsewhere = input && input->device != int(device);
            phases.explain({ int(device), busyUntil, until, next, input, until },
                [&](double from, double to, IdleCause cause) {
                    const bool waits = elsewhere && cause != IdleCause::Other;
                    put(from, to, cause, waits ? at : -1);
                });
        };
        for (const Span* span : lanes[device]) {
            explain(span->start, span);
            busyUntil = std::max(busyUntil, span->end);
        }
        explain(end, nullptr);
    }
    return gaps;
}

double DeviceTime::idleTime() const
{
    double sum = 0;
    for (const double part : idle)
        sum += part;
    return sum;
}

std::vector<DeviceTime> deviceTimes(const Trace& trace, double begin, double end, TraceEnds ends)
{
    std::vector<DeviceTime> devices(std::size_t(std::max(trace.devices, 0)));
    for (const Span& span : trace.spans) {
        if (!occupies(span) || span.device < 0 || span.device >= trace.devices)
            continue;
        const double part = std::max(0.0, std::min(span.end, end) - std::max(span.start, begin));
        DeviceTime& device = devices[std::size_t(span.device)];
        (isCompute(span.kind) ? device.busy : device.idle[std::size_t(IdleCause::Optimizer)])
            += part;
    }
    std::map<std::tuple<int, int, ActionKind>, double> waits; // device, other device, kind
    for (const IdleGap& gap : idleGaps(trace, begin, end, ends)) {
        DeviceTime& device = devices[std::size_t(gap.device)];
        device.idle[std::size_t(gap.cause)] += gap.end - gap.begin;
        if (gap.waitsFor < 0)
            continue;
        const Span& made = trace.spans[std::size_t(gap.waitsFor)];
        device.waited += gap.end - gap.begin;
        waits[{ gap.device, made.device, made.kind }] += gap.end - gap.begin;
    }
    std::vector<double> most(devices.size(), 0);
    for (const auto& [who, time] : waits) {
        const auto& [waiting, other, kind] = who;
        if (time <= most[std::size_t(waiting)])
            continue;
        most[std::size_t(waiting)] = time;
        devices[std::size_t(waiting)].waitsFor = other;
        devices[std::size_t(waiting)].waitedKind = kind;
    }
    return devices;
}

std::array<double, kIdleCauses> idleShares(
    const std::vector<DeviceTime>& devices, double windowLength)
{
    std::array<double, kIdleCauses> shares {};
    const double all = double(devices.size()) * windowLength;
    for (const DeviceTime& device : devices)
        for (std::size_t c = 0; c < kIdleCauses && all > 0; ++c)
            shares[c] += device.idle[c] / all;
    return shares;
}

IdleReport idleReport(const Trace& trace)
{
    IdleReport report;
    if (!trace.consistent())
        return report;
    Window window = steadyPart(trace);
    if (window.batches < 1)
        window = { 0, trace.makespan(), 0 };
    report.begin = window.begin;
    report.end = window.end;
    report.batches = window.batches;
    report.devices = deviceTimes(trace, window.begin, window.end);
    report.shares = idleShares(report.devices, window.end - window.begin);
    return report;
}

} // namespace stageloom
