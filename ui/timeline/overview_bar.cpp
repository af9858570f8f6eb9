// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overview_bar.h"

#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/utilisation.h"
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace stageloom {

namespace {

constexpr int kTrack = 13, kOneTrack = 20, kMargin = 3; // px
constexpr int kColumn = 2; // px a value
constexpr double kReach = 5; // px about an edge of the window that take hold of it
constexpr double kThinnest = 6; // px: the window can always be taken

} // namespace

OverviewBar::OverviewBar(TimelineView& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
{
    setLayoutDirection(Qt::LeftToRight);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the timeline"));
    setToolTip(tr("How busy all devices are over the whole time. Drag the window or its edges to "
                  "move through time."));
    connect(&view, &TimelineView::tracesChanged, this, &OverviewBar::contentChanged);
    connect(&view.state(), &TimelineState::visibleChanged, this, [this] { update(); });
    contentChanged();
}

void OverviewBar::contentChanged()
{
    m_known = false;
    const TimelineModel& model = m_view.model();
    m_tracks.clear();
    const auto add = [&](const QString& name, TraceSide side) {
        if (model.has(side))
            m_tracks.push_back({ name, side, {} });
    };
    switch (m_view.state().mode()) {
    case TimelineMode::Over:
        add(QStringLiteral("A"), TraceSide::Pinned);
        add(QStringLiteral("B"), TraceSide::Plan);
        break;
    case TimelineMode::Both:
        add(tr("plan"), TraceSide::Plan);
        add(tr("run"), TraceSide::Run);
        break;
    default:
        add({}, shownSide(model, m_view.state().mode()));
    }
    setVisible(!m_tracks.empty());
    updateGeometry();
    update();
}

QSize OverviewBar::sizeHint() const
{
    return { 400, m_tracks.size() > 1 ? 2 * kTrack + 2 * kMargin : kOneTrack + 2 * kMargin };
}

TimeScale OverviewBar::scale() const
{
    return { m_view.state().extent(), LaneLayout::kLabels,
        std::max(1.0, width() - LaneLayout::kLabels - LaneLayout::kRight) };
}

QRectF OverviewBar::window() const
{
    const TimeScale all = scale();
    const TimeRange seen = m_view.state().visible();
    const double left = all.toPixel(seen.begin);
    const double wide = std::max(kThinnest, all.toPixel(seen.end) - left);
    return { std::min(left, all.left + all.width - wide), 1, wide, height() - 2.0 };
}

void OverviewBar::derive()
{
    if (m_known)
        return;
    m_known = true;
    const int columns = std::max(1, static_cast<int>(scale().width) / kColumn);
    for (Track& track : m_tracks)
        track.busy = utilisation(m_view.model().side(track.side), scale().range, columns);
}

void OverviewBar::resizeEvent(QResizeEvent*)
{
    m_known = false;
}

void OverviewBar::paintEvent(QPaintEvent*)
{
    derive();
    QPainter painter(this);
    const Theme& look = theme();
    const TimeScale all = scale();
    const QRectF seen = window();
    const int high = m_tracks.size() > 1 ? kTrack : kOneTrack;
    painter.setFont(look.captionFont());
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        const Track& track = m_tracks[i];
        const QRectF area(all.left, kMargin + static_cast<double>(i) * high, all.width, high - 1);
        painter.fillRect(area, Theme::mix(look.track, look.panel, 0.6));
        QPainterPath curve(area.bottomLeft());
        for (std::size_t c = 0; c < track.busy.size(); ++c) {
            const double y = area.bottom() - track.busy[c] * area.height();
            curve.lineTo(area.left() + static_cast<double>(c) * kColumn, y);
            curve.lineTo(area.left() + static_cast<double>(c + 1) * kColumn, y);
        }
        curve.lineTo(area.left() + static_cast<double>(track.busy.size()) * kColumn, area.bottom());
        const QColor hue
            = Theme::mix(look.muted, look.panel, i + 1 == m_tracks.size() ? 0.62 : 0.4);
        painter.fillPath(curve, hue);
        if (seen.width() < all.width - 1) {
            painter.setClipRect(seen);
            painter.fillPath(curve, Theme::mix(look.accent, hue, 0.55));
            painter.setClipping(false);
        }
        painter.setPen(look.muted);
        painter.drawText(QRectF(6, area.top(), all.left - 12, area.height()),
            Qt::AlignLeft | Qt::AlignVCenter, track.name);
    }
    if (m_tracks.empty() || seen.width() >= all.width - 1)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(seen, 3, 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.accent);
    for (const double x : { seen.left(), seen.right() })
        painter.drawRoundedRect(QRectF(x - 2, seen.center().y() - 6, 4, 12), 2, 2);
}

OverviewBar::Grip OverviewBar::gripAt(double x) const
{
    const QRectF seen = window();
    if (std::abs(x - seen.right()) <= kReach)
        return Grip::End;
    if (std::abs(x - seen.left()) <= kReach)
        return Grip::Begin;
    return x > seen.left() && x < seen.right() ? Grip::Whole : Grip::None;
}

void OverviewBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    TimelineState& state = m_view.state();
    m_grabbed = scale().toTime(event->position().x());
    m_held = gripAt(event->position().x());
    state.beginGesture();
    if (m_held == Grip::None) {
        state.center(m_grabbed);
        m_held = Grip::Whole;
    }
    m_from = state.visible();
}

void OverviewBar::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    const double by = scale().toTime(x) - m_grabbed;
    TimelineState& state = m_view.state();
    switch (m_held) {
    case Grip::Whole:
        return state.setVisible(shifted(m_from, by));
    case Grip::Begin:
        return state.setVisible({ std::min(m_from.begin + by, m_from.end), m_from.end });
    case Grip::End:
        return state.setVisible({ m_from.begin, std::max(m_from.end + by, m_from.begin) });
    case Grip::None:
        const Grip grip = gripAt(x);
        setCursor(grip == Grip::Begin || grip == Grip::End ? Qt::SizeHorCursor
                : grip == Grip::Whole                      ? Qt::OpenHandCursor
                                                           : Qt::ArrowCursor);
    }
}

void OverviewBar::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && std::exchange(m_held, Grip::None) != Grip::None)
        m_view.state().endGesture();
}

} // namespace stageloom
