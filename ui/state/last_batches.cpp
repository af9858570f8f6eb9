// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/last_batches.h"

#include <algorithm>
#include <limits>

namespace stageloom {

namespace {

bool byDeviceAndStart(const Span& a, const Span& b)
{
    return std::pair(a.device, a.start) < std::pair(b.device, b.start);
}

double firstForward(const std::vector<Span>& spans, int batch)
{
    double first = std::numeric_limits<double>::infinity();
    for (const Span& span : spans)
        if (span.batch == batch && span.kind == ActionKind::Forward)
            first = std::min(first, span.start);
    return first;
}

double lastBackward(const std::vector<Span>& spans)
{
    double last = 0;
    for (const Span& span : spans)
        if (isCompute(span.kind))
            last = std::max(last, span.end);
    return last;
}

bool isBackward(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardInput;
}

// The span whose result `span` cannot start without, in another stage.
const Span* neededBy(const Span& span, const std::vector<Span>& spans)
{
    const bool forward = span.kind == ActionKind::Forward;
    if (!forward && !isBackward(span.kind))
        return nullptr;
    const int stage = span.stage + (forward ? -1 : 1);
    for (const Span& other : spans)
        if (other.stage == stage && other.microbatch == span.microbatch
            && (forward ? other.kind == ActionKind::Forward : isBackward(other.kind)))
            return &other;
    return nullptr;
}

} // namespace

void LastBatches::setPlanned(std::shared_ptr<const Prediction> prediction)
{
    m_prediction = std::move(prediction);
}

void LastBatches::clear()
{
    m_batches.clear();
    m_unfinished.clear();
}

bool LastBatches::isWhole(const std::vector<Span>& batch) const
{
    if (!m_prediction)
        return true;
    const Trace& planned = m_prediction->trace;
    return std::count_if(batch.begin(), batch.end(), [](const Span& span) {
        return isBackward(span.kind);
    }) >= std::ptrdiff_t(planned.microbatches) * planned.stages;
}

void LastBatches::append(const std::vector<Span>& spans)
{
    for (const Span& span : spans) {
        const auto whole = m_batches.find(span.batch);
        (whole != m_batches.end() ? whole->second : m_unfinished[span.batch]).push_back(span);
    }
    for (auto batch = m_unfinished.begin(); batch != m_unfinished.end();) {
        if (isWhole(batch->second)) {
            m_batches.insert(std::move(*batch));
            batch = m_unfinished.erase(batch);
        } else {
            ++batch;
        }
    }
    while (m_batches.size() > kShown)
        m_batches.erase(m_batches.begin());
    // What the window joined too late to see whole, or lost, is not waited for.
    if (!m_batches.empty())
        m_unfinished.erase(m_unfinished.begin(), m_unfinished.lower_bound(firstBatch()));
}

int LastBatches::firstBatch() const
{
    return m_batches.begin()->first;
}

int LastBatches::lastBatch() const
{
    return m_batches.rbegin()->first;
}

std::size_t LastBatches::spanCount() const
{
    std::size_t count = 0;
    for (const auto& [batch, spans] : m_batches)
        count += spans.size();
    return count;
}

double LastBatches::origin() const
{
    return m_batches.empty() ? 0 : firstForward(m_batches.begin()->second, firstBatch());
}

Trace LastBatches::run() const
{
    Trace trace;
    trace.timeUnit = std::string("s"); // assigned as a literal, GCC 12 sees an overflow
    const double zero = origin();
    for (const auto& [batch, spans] : m_batches)
        for (Span span : spans) {
            span.start -= zero;
            span.end -= zero;
            trace.devices = std::max(trace.devices, span.device + 1);
            trace.stages = std::max(trace.stages, span.stage + 1);
            trace.spans.push_back(span);
        }
    std::sort(trace.spans.begin(), trace.spans.end(), byDeviceAndStart);
    if (m_prediction)
        trace.microbatches = m_prediction->trace.microbatches;
    return trace;
}

Trace LastBatches::plan() const
{
    Trace trace;
    if (!m_prediction)
        return trace;
    const Trace& whole = m_prediction->trace;
    if (m_batches.empty())
        return whole;
    const int shown = lastBatch() - firstBatch() + 1;
    const int from = std::max(0, m_prediction->schedule.batches - shown - 1);
    const int shift = firstBatch() - from;
    const double zero = firstForward(whole.spans, from);
    trace = whole;
    trace.memory.clear();
    trace.spans.clear();
    for (Span span : whole.spans) {
        if (span.batch < from || span.batch >= from + shown)
            continue;
        span.start -= zero;
        span.end -= zero;
        span.batch += shift;
        span.microbatch += shift * (carriesMicrobatch(span.kind) ? whole.microbatches : 1);
        if (span.version >= 0)
            span.version += shift;
        trace.spans.push_back(span);
    }
    return trace;
}

double LastBatches::stepSeconds() const
{
    if (m_batches.size() < 2)
        return 0;
    return (lastBackward(m_batches.rbegin()->second) - lastBackward(m_batches.begin()->second))
        / (lastBatch() - firstBatch());
}

double LastBatches::bubbleFraction() const
{
    if (m_batches.size() < 2)
        return 0;
    // Without a flush a device is ahead with batches that are not shown yet. What it does for all
    // batches but the first, over the time between its own ends of the first and the last, leaves
    // nothing of them out.
    struct Share {
        double firstEnd = 0, lastEnd = 0, busy = 0;
    };
    std::map<int, Share> devices;
    for (const auto& [batch, spans] : m_batches)
        for (const Span& span : spans) {
            if (!isCompute(span.kind))
                continue;
            Share& device = devices[span.device];
            double& end = batch == firstBatch() ? device.firstEnd : device.lastEnd;
            end = std::max(end, span.end);
            if (batch != firstBatch())
                device.busy += span.end - span.start;
        }
    double busy = 0, whole = 0;
    for (const auto& [index, device] : devices) {
        busy += device.busy;
        whole += device.lastEnd - device.firstEnd;
    }
    return whole > 0 ? std::max(0.0, 1 - busy / whole) : 0;
}

std::optional<LateOperation> LastBatches::late() const
{
    constexpr double kShare = 0.5, kLeast = 1e-3; // over the median, and in seconds
    std::map<std::pair<int, ActionKind>, std::vector<const Span*>> like;
    for (const auto& [batch, spans] : m_batches)
        for (const Span& span : spans)
            if (isCompute(span.kind))
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
    const Trace trace = run();
    std::map<int, std::map<std::pair<int, ActionKind>, double>> waited;
    const Span* before = nullptr;
    for (const Span& span : trace.spans) {
        if (!isCompute(span.kind))
            continue;
        if (before != nullptr && before->device == span.device) {
            const double gap = std::max(0.0, span.start - before->end);
            const Span* needed = neededBy(span, trace.spans);
            const bool known = needed != nullptr && needed->end > before->end;
            waited[span.device][known ? std::pair<int, ActionKind>(needed->device, needed->kind)
                                      : std::pair<int, ActionKind>(-1, ActionKind::Update)]
                += gap;
        } else {
            waited[span.device];
        }
        before = &span;
    }
    std::vector<DeviceWait> answer;
    for (const auto& [device, causes] : waited) {
        DeviceWait wait { device, 0, -1, ActionKind::Update };
        double most = 0;
        for (const auto& [cause, seconds] : causes) {
            wait.seconds += seconds / static_cast<double>(m_batches.size());
            if (seconds > most) {
                most = seconds;
                wait.forDevice = cause.first;
                wait.kind = cause.second;
            }
        }
        answer.push_back(wait);
    }
    return answer;
}

} // namespace stageloom
