// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/live_buffer.h"

#include <utility>

namespace stageloom {

void LiveBuffer::onMetrics(const MetricPoint& point)
{
    const std::lock_guard lock(m_mutex);
    heard();
    m_content.points.push_back(point);
}

void LiveBuffer::onSpans(const std::vector<Span>& spans)
{
    const std::lock_guard lock(m_mutex);
    heard();
    if (m_content.spans.size() + spans.size() > kSpanLimit) {
        m_content.droppedSpans += spans.size();
        return;
    }
    m_content.spans.insert(m_content.spans.end(), spans.begin(), spans.end());
}

void LiveBuffer::onLog(const LogLine& line)
{
    const std::lock_guard lock(m_mutex);
    if (m_content.log.size() < kLogLimit)
        m_content.log.push_back(line);
}

void LiveBuffer::onStatus(const RunStatus& status)
{
    const std::lock_guard lock(m_mutex);
    heard();
    m_content.status = status;
}

void LiveBuffer::onEnded(RunState state, const std::string& lastWords)
{
    const std::lock_guard lock(m_mutex);
    m_content.ended = state;
    m_content.lastWords = lastWords;
}

void LiveBuffer::onSilence(double seconds)
{
    const std::lock_guard lock(m_mutex);
    m_silent = true;
    m_content.silence = seconds;
}

void LiveBuffer::heard()
{
    if (std::exchange(m_silent, false))
        m_content.silence = 0;
}

LiveBuffer::Content LiveBuffer::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_content, {});
}

} // namespace stageloom
