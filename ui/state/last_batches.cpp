// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/last_batches.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

bool byDeviceAndStart(const Span& a, const Span& b)
{
    return std::pair(a.device, a.start) < std::pair(b.device, b.start);
}

bool endsBackward(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardInput;
}

// The first batches of a run, in which a pipeline of so many stages still fills: one, and as many
// as the stages hold at once.
int fillingBatches(int stages, int microbatches)
{
    return stages > 1 ? 1 + (stages - 1 + microbatches - 1) / microbatches : 0;
}

void moveTo(Trace& trace, double zero)
{
    for (Span& span : trace.spans) {
        span.start -= zero;
        span.end -= zero;
    }
}

} // namespace

std::vector<DeviceTime> BatchesPart::times() const
{
    return deviceTimes(trace, counted().begin, counted().end, ends);
}

int LastBatches::batchesToPlan(const Plan& plan)
{
    return fillingBatches(plan.depth(), std::max(1, plan.microbatches)) + kShown + 1;
}

void LastBatches::setPlanned(std::shared_ptr<const Prediction> prediction)
{
    m_prediction = std::move(prediction);
    m_planned.clear();
    if (m_prediction)
        for (const Span& span : m_prediction->trace.spans)
            note(m_planned, span);
    chooseShown();
    buildRun();
}

void LastBatches::clear()
{
    m_spans.clear();
    m_batches.clear();
    m_times.clear();
    m_shown = { -1, -1 };
    m_run = {};
}

void LastBatches::note(Batches& batches, const Span& span)
{
    Batch& batch = batches[span.batch];
    batch.lastEnd = std::max(batch.lastEnd, span.end);
    if (span.kind == ActionKind::Forward && span.stage == 0)
        batch.begin = std::min(batch.begin, span.start);
    if (isCompute(span.kind) && span.kind != ActionKind::Forward)
        batch.lastBackward = std::max(batch.lastBackward, span.end);
    batch.forwards += span.kind == ActionKind::Forward ? 1 : 0;
    batch.gradients += endsBackward(span.kind) ? 1 : 0;
}

int LastBatches::microbatchesOf(const Batch& batch, int stages)
{
    return std::max(1, static_cast<int>(batch.forwards) / std::max(1, stages));
}

bool LastBatches::isWhole(const Batch& batch) const
{
    const std::size_t all = m_planned.empty() ? 1 : m_planned.begin()->second.gradients;
    return batch.begun() && batch.forwards >= all && batch.gradients >= all;
}

void LastBatches::append(const std::vector<Span>& spans)
{
    for (const Span& span : spans)
        note(m_batches, span);
    m_spans.insert(m_spans.end(), spans.begin(), spans.end());
    chooseShown();
    forget();
    buildRun();
}

// The newest whole batch, and those before it without a gap: a batch that was lost in part would
// look like a wait.
void LastBatches::chooseShown()
{
    m_shown = { -1, -1 };
    for (auto at = m_batches.rbegin(); at != m_batches.rend(); ++at) {
        const bool whole = isWhole(at->second);
        if (isEmpty() && whole)
            m_shown = { at->first, at->first };
        else if (!isEmpty() && whole && at->first == m_shown.first - 1)
            m_shown.first = at->first;
        else if (!isEmpty())
            return;
        if (!isEmpty() && m_shown.second - m_shown.first + 1 == kShown)
            return;
    }
}

// What ended before the batch before those shown began; and where no batch becomes whole, because
// some of all of them is lost on the way, the oldest.
void LastBatches::forget()
{
    constexpr int kMost = 64;
    if (isEmpty()) {
        const int since = m_batches.empty() ? 0 : m_batches.rbegin()->first - kMost;
        std::erase_if(m_spans, [since](const Span& span) { return span.batch < since; });
        m_batches.erase(m_batches.begin(), m_batches.lower_bound(since));
        return;
    }
    double since = m_batches.at(m_shown.first).begin;
    if (const auto before = m_batches.find(m_shown.first - 1); before != m_batches.end())
        since = std::min(since, before->second.begin);
    std::erase_if(m_spans, [since](const Span& span) { return span.end <= since; });
    m_batches.erase(m_batches.begin(), m_batches.lower_bound(m_shown.first - 1));
}

BatchesPart LastBatches::part(
    Trace trace, const Batches& batches, std::pair<int, int> shown, int filling)
{
    BatchesPart part;
    const double zero = batches.at(shown.first).begin;
    const auto from = [&](int batch) { return batches.at(batch).begin - zero; };
    moveTo(trace, zero);
    const Batch& last = batches.at(shown.second);
    const auto after = batches.find(shown.second + 1);
    const bool goesOn = after != batches.end() && after->second.begun();
    // With the update, where the next batch waits for it or there is none.
    const double end = goesOn ? std::max(last.lastBackward, after->second.begin) : last.lastEnd;
    part.window = { 0, end - zero, shown.second - shown.first + 1 };
    part.shown = part.window;
    for (const Span& span : trace.spans)
        if (span.end > part.window.begin && span.start < part.window.end) {
            part.shown.begin = std::min(part.shown.begin, span.start);
            part.shown.end = std::max(part.shown.end, span.end);
        }
    // Nothing is worked at for later batches before the first stage begins with the next one, so
    // that all of this has arrived.
    const int first = std::max(shown.first, filling), next = shown.second + (goesOn ? 1 : 0);
    if (next > first)
        part.steady = { from(first), from(next), next - first };
    part.trace = std::move(trace);
    return part;
}

void LastBatches::buildRun()
{
    m_run = {};
    m_times.clear();
    if (isEmpty())
        return;
    Trace trace;
    trace.timeUnit = std::string("s"); // assigned as a literal, GCC 12 sees an overflow
    trace.spans = m_spans;
    for (const Span& span : m_spans) {
        trace.devices = std::max(trace.devices, span.device + 1);
        trace.stages = std::max(trace.stages, span.stage + 1);
    }
    std::sort(trace.spans.begin(), trace.spans.end(), byDeviceAndStart);
    trace.microbatches = m_prediction ? m_prediction->trace.microbatches : 0;
    const int filling
        = fillingBatches(trace.stages, microbatchesOf(m_batches.at(lastBatch()), trace.stages));
    m_run = part(std::move(trace), m_batches, m_shown, filling);
    m_times = m_run.times();
}

BatchesPart LastBatches::plan() const
{
    if (!m_prediction)
        return {};
    Trace trace = m_prediction->trace;
    if (isEmpty()) {
        const double end = trace.makespan();
        return { std::move(trace), TraceEnds::Whole, { 0, end, 0 }, { 0, end, 0 }, {} };
    }
    if (m_planned.empty())
        return {};
    const int shown = lastBatch() - firstBatch() + 1, planned = m_planned.rbegin()->first + 1;
    const int each = microbatchesOf(m_planned.begin()->second, trace.stages);
    const int from = std::max(0, std::min(fillingBatches(trace.stages, each), planned - shown - 1));
    const int to = std::min(from + shown, planned) - 1;
    const int shift = firstBatch() - from;
    trace.memory.clear();
    BatchesPart part = LastBatches::part(std::move(trace), m_planned, { from, to }, from);
    for (Span& span : part.trace.spans) {
        span.batch += shift;
        span.microbatch += shift * (carriesMicrobatch(span.kind) ? each : 1);
        if (span.version >= 0)
            span.version += shift;
    }
    return part;
}

double LastBatches::stepSeconds() const
{
    if (isEmpty() || firstBatch() == lastBatch())
        return 0;
    return (m_batches.at(lastBatch()).lastBackward - m_batches.at(firstBatch()).lastBackward)
        / (lastBatch() - firstBatch());
}

std::optional<double> LastBatches::bubbleFraction() const
{
    const Window& window = m_run.steady;
    if (window.batches < 1)
        return std::nullopt;
    double busy = 0;
    for (const DeviceTime& device : m_times)
        busy += device.busy;
    return 1 - busy / (static_cast<double>(m_times.size()) * (window.end - window.begin));
}

std::optional<LateOperation> LastBatches::late() const
{
    constexpr double kShare = 0.5, kLeast = 1e-3; // over the median, and in seconds
    std::map<std::pair<int, ActionKind>, std::vector<const Span*>> like;
    for (const Span& span : m_spans)
        if (isCompute(span.kind) && span.batch >= firstBatch() && span.batch <= lastBatch())
            like[{ span.stage, span.kind }].push_back(&span);
    std::optional<LateOperation> worst;
    double most = kLeast;
    for (auto& [key, spans] : like) {
        const auto length = [](const Span* s) { return s->end - s->start; };
        std::sort(spans.begin(), spans.end(),
            [&](const Span* a, const Span* b) { return length(a) < length(b); });
        const double usual = length(spans[spans.size() / 2]);
        const double over = length(spans.back()) - usual;
        if (over > std::max(most, kShare * usual)) {
            most = over;
            worst = LateOperation { *spans.back(), usual };
        }
    }
    return worst;
}

std::vector<DeviceWait> LastBatches::waits() const
{
    std::vector<DeviceWait> waits;
    const double batches = std::max(1, m_run.counted().batches);
    for (std::size_t device = 0; device < m_times.size(); ++device) {
        const DeviceTime& time = m_times[device];
        const bool known = time.waitsFor >= 0;
        waits.push_back(
            { static_cast<int>(device), (known ? time.waited : time.idleTime()) / batches,
                time.waitsFor, known ? time.waitedKind : ActionKind::Update });
    }
    return waits;
}

} // namespace stageloom
