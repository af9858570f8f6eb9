// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/bubble_meter.h"

#include <algorithm>
#include <tuple>

namespace stageloom::engine {

namespace {
constexpr int kFoldAfter = 64; // batches held at once
constexpr int kSkip = 2; // batches before the window

Trace sorted(Trace trace)
{
    std::sort(trace.spans.begin(), trace.spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.device, a.start) < std::tie(b.device, b.start);
    });
    return trace;
}
}

BubbleMeter::BubbleMeter(int devices, int stages, int microbatches)
    : m_busy(static_cast<std::size_t>(devices), 0)
{
    m_recent.timeUnit.push_back('s');
    m_recent.devices = devices;
    m_recent.stages = stages;
    m_recent.microbatches = microbatches;
}

void BubbleMeter::add(const std::vector<Span>& spans)
{
    m_recent.spans.insert(m_recent.spans.end(), spans.begin(), spans.end());
    if (++m_batches >= kFoldAfter)
        fold();
}

void BubbleMeter::addBusy(std::vector<double>& busy, const TraceMetrics& metrics)
{
    for (const StageMetrics& stage : metrics.stages)
        busy[static_cast<std::size_t>(stage.device)] += stage.busy;
}

void BubbleMeter::fold()
{
    m_recent = sorted(std::move(m_recent));
    const Window window = steadyWindow(m_recent, m_begin ? 0 : kSkip);
    if (window.batches < 4)
        return;
    if (!m_begin)
        m_begin = m_folded = window.begin;
    // Batches overlap: the second half stays, so that the next fold sees whole batches at its end.
    const double until = m_folded + (window.end - m_folded) / 2;
    addBusy(m_busy, measure(m_recent, m_folded, until));
    m_folded = until;
    std::erase_if(m_recent.spans, [&](const Span& span) { return span.end < until; });
    m_batches /= 2;
}

std::optional<BubbleMeter::Busy> BubbleMeter::total() const
{
    const Trace trace = sorted(m_recent);
    const Window window = steadyWindow(trace, m_begin ? 0 : kSkip);
    if (window.batches < 1)
        return std::nullopt;
    const double begin = m_begin.value_or(window.begin);
    Busy total { window.end - begin, m_busy };
    addBusy(total.busy, measure(trace, m_begin ? m_folded : begin, window.end));
    return total;
}

std::optional<double> BubbleMeter::bubbleFraction() const
{
    const auto measured = total();
    if (!measured)
        return std::nullopt;
    double busy = 0;
    for (double seconds : measured->busy)
        busy += seconds;
    return 1 - busy / (static_cast<double>(measured->busy.size()) * measured->window);
}

std::vector<double> BubbleMeter::busyShares() const
{
    const auto measured = total();
    if (!measured)
        return {};
    std::vector<double> shares = measured->busy;
    for (double& share : shares)
        share /= measured->window;
    return shares;
}

} // namespace stageloom::engine
