// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_geometry.h"

#include <QScrollBar>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

namespace stageloom {

void TimelineGeometry::derive(
    const TimelineModel& model, const TimelineState& state, const QSizeF& size, bool memory)
{
    if (m_known)
        return;
    m_known = true;
    m_layout = layOut(model, state, { size, m_scroll, memory });
    const double most = std::max(0.0, m_layout.height + 4 - m_layout.bottom);
    if (m_scroll > most) {
        m_scroll = most;
        m_layout = layOut(model, state, { size, m_scroll, memory });
    }
    const QSignalBlocker quiet(&m_bar);
    m_bar.setRange(0, static_cast<int>(std::ceil(most)));
    m_bar.setPageStep(static_cast<int>(m_layout.bottom - LaneLayout::kRuler));
    m_bar.setSingleStep(40);
    m_bar.setValue(static_cast<int>(m_scroll));
    m_bar.setVisible(most > 0);
    m_boxes.assign(m_layout.rows.size(), {});
    for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
        const LaneRow& row = m_layout.rows[i];
        if (row.device >= 0 && row.top < m_layout.bottom && row.top + row.height > 0)
            m_boxes[i] = visibleBoxes(model, m_layout, row);
    }
}

void TimelineGeometry::setScroll(double pixels)
{
    m_scroll = std::max(0.0, pixels);
    m_known = false;
}

void TimelineGeometry::scrollTo(const LaneRow& row)
{
    const double above = LaneLayout::kRuler + 4 - row.top;
    const double below = row.top + row.height + 4 - m_layout.bottom;
    if (above > 0)
        setScroll(m_scroll - above);
    else if (below > 0)
        setScroll(m_scroll + below);
}

const LaneRow* TimelineGeometry::labelAt(const QPointF& at) const
{
    const bool label
        = at.x() < LaneLayout::kLabels && at.y() >= LaneLayout::kRuler && at.y() < m_layout.bottom;
    return label ? m_layout.rowAt(at.y()) : nullptr;
}

bool TimelineGeometry::inLanes(const QPointF& at) const
{
    const TimeScale& scale = m_layout.scale;
    return at.x() >= scale.left && at.x() < scale.left + scale.width && at.y() >= LaneLayout::kRuler
        && at.y() < m_layout.bottom;
}

} // namespace stageloom
