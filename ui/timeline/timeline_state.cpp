// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_state.h"

namespace stageloom {

TimelineState::TimelineState(QObject* parent)
    : QObject(parent)
{
}

void TimelineState::setExtent(const TimeRange& extent)
{
    if (extent == m_extent)
        return;
    const bool all = m_visible.empty() || m_visible == m_extent;
    m_extent = extent;
    emit extentChanged();
    if (m_following && !all)
        setVisible({ extent.end - m_visible.length(), extent.end });
    else
        setVisible(all ? extent : m_visible);
}

void TimelineState::setVisible(const TimeRange& range)
{
    const TimeRange next = clamped(range, m_extent, shortest());
    if (next == m_visible)
        return;
    m_visible = next;
    emit visibleChanged();
}

void TimelineState::zoom(double factor, double anchor)
{
    setVisible(zoomed(m_visible, factor, anchor));
}

void TimelineState::pan(double by)
{
    setFollowing(false);
    setVisible(shifted(m_visible, by));
}

void TimelineState::center(double time)
{
    setVisible(shifted(m_visible, time - (m_visible.begin + m_visible.end) / 2));
}

void TimelineState::select(std::optional<TimeRange> range)
{
    if (range && range->end < range->begin)
        std::swap(range->begin, range->end);
    if (range == m_selection)
        return;
    m_selection = range;
    emit selectionChanged();
}

void TimelineState::setHover(std::optional<SpanRef> span)
{
    if (span == m_hover)
        return;
    m_hover = span;
    emit hoverChanged();
}

void TimelineState::followMicrobatch(std::optional<int> microbatch)
{
    if (microbatch == m_microbatch)
        return;
    m_microbatch = microbatch;
    emit microbatchChanged();
}

void TimelineState::setFollowing(bool on)
{
    if (on == m_following)
        return;
    m_following = on;
    emit followingChanged();
    if (on)
        setVisible({ m_extent.end - m_visible.length(), m_extent.end });
}

void TimelineState::setMode(TimelineMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    emit modeChanged();
}

std::optional<SpanRef> TimelineState::currentHit() const
{
    return m_hits.empty() ? std::nullopt : std::optional(m_hits[m_hit]);
}

void TimelineState::setSearch(const QString& text, std::vector<SpanRef> hits)
{
    m_search = text;
    m_hits = std::move(hits);
    m_hit = 0;
    emit searchChanged();
}

void TimelineState::nextHit(int by)
{
    if (m_hits.empty())
        return;
    const auto count = static_cast<long>(m_hits.size());
    m_hit = static_cast<std::size_t>(((static_cast<long>(m_hit) + by) % count + count) % count);
    emit searchChanged();
}

} // namespace stageloom
