// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_state.h"

namespace stageloom {

TimelineState::TimelineState(QObject* parent)
    : QObject(parent)
{
    m_clock.start();
}

void TimelineState::setExtent(const TimeRange& extent)
{
    if (extent == m_extent)
        return;
    const bool all = m_visible.empty() || m_visible == m_extent;
    m_extent = extent;
    emit extentChanged();
    show(all ? extent : m_visible);
}

void TimelineState::show(const TimeRange& range)
{
    const TimeRange next = clamped(range, m_extent, shortest());
    if (next == m_visible)
        return;
    m_visible = next;
    emit visibleChanged();
}

void TimelineState::move(const TimeRange& range, bool step)
{
    if (clamped(range, m_extent, shortest()) == m_visible)
        return;
    m_history.leave(m_visible, m_now(), step);
    show(range);
}

void TimelineState::setVisible(const TimeRange& range)
{
    move(range, false);
}

void TimelineState::zoom(double factor, double anchor)
{
    move(zoomed(m_visible, factor, anchor), true);
}

void TimelineState::pan(double by)
{
    move(shifted(m_visible, by), true);
}

void TimelineState::fit(const TimeRange& part)
{
    const double margin = part.length() * 0.1;
    const TimeRange wanted { part.begin - margin, part.end + margin };
    setVisible(clamped(wanted, m_extent, shortest()) == m_visible ? m_extent : wanted);
}

void TimelineState::center(double time)
{
    move(shifted(m_visible, time - (m_visible.begin + m_visible.end) / 2), true);
}

// Content may have changed since: what lies outside of it now is passed over.
void TimelineState::back()
{
    while (const auto range = m_history.back()) {
        const TimeRange wanted = clamped(*range, m_extent, shortest());
        if (range->end <= m_extent.begin || range->begin >= m_extent.end || wanted == m_visible)
            continue;
        return show(wanted);
    }
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

void TimelineState::setSelected(std::optional<SpanRef> span)
{
    if (span == m_selected)
        return;
    m_selected = span;
    emit selectedChanged();
}

void TimelineState::followMicrobatch(std::optional<int> microbatch)
{
    if (microbatch == m_microbatch)
        return;
    m_microbatch = microbatch;
    emit microbatchChanged();
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

void TimelineState::setSearch(const QString& text, std::vector<SpanRef> hits, bool cut)
{
    m_search = text;
    m_hits = std::move(hits);
    m_hitsCut = cut;
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
