// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/span_recorder.h"

#include <utility>

namespace stageloom::engine {

SpanRecorder::SpanRecorder(Clock::time_point origin, int device, std::size_t inFlight,
    std::size_t spansPerBatch, bool enabled)
    : m_origin(origin)
    , m_device(static_cast<std::int16_t>(device))
    , m_spansPerBatch(spansPerBatch)
    , m_enabled(enabled)
    , m_open(inFlight)
{
    for (auto& spans : m_open)
        spans.reserve(enabled ? spansPerBatch : 0);
}

void SpanRecorder::choose(std::int64_t batch)
{
    m_batch = batch;
    m_chosen = static_cast<std::size_t>(batch) % m_open.size();
}

std::vector<Span> SpanRecorder::take(std::int64_t batch)
{
    auto& open = m_open[static_cast<std::size_t>(batch) % m_open.size()];
    std::vector<Span> fresh;
    fresh.reserve(m_enabled ? m_spansPerBatch : 0);
    return std::exchange(open, std::move(fresh));
}

} // namespace stageloom::engine
