// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/view_history.h"

#include <utility>

namespace stageloom {

void ViewHistory::leave(const TimeRange& range, std::int64_t now, bool step)
{
    const bool goesOn = m_stepping && (m_held || (step && now - m_last <= kPause));
    m_last = now;
    m_stepping = step || m_held;
    if (goesOn || range.empty() || (!m_ranges.empty() && m_ranges.back() == range))
        return;
    m_ranges.push_back(range);
    if (m_ranges.size() > kMost)
        m_ranges.pop_front();
}

void ViewHistory::begin()
{
    m_held = true;
    m_stepping = false;
}

void ViewHistory::end()
{
    m_held = m_stepping = false;
}

std::optional<TimeRange> ViewHistory::back()
{
    m_stepping = false;
    if (m_ranges.empty())
        return std::nullopt;
    const TimeRange range = m_ranges.back();
    m_ranges.pop_back();
    return range;
}

} // namespace stageloom
