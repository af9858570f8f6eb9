// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/scatter_plot.h"

#include "ui/theme/theme.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace stageloom {

ScatterPlot::ScatterPlot(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(140, 120);
    setAccessibleName(tr("Plans by cost"));
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { update(); });
}

void ScatterPlot::setAxes(const QString& x, const QString& y)
{
    m_xTitle = x;
    m_yTitle = y;
    update();
}

void ScatterPlot::setPoints(std::vector<ScatterPoint> points)
{
    m_points = std::move(points);
    m_current = -1;
    if (!m_points.empty()) {
        const auto [left, right] = std::ranges::minmax_element(m_points, {}, &ScatterPoint::x);
        const auto [low, high] = std::ranges::minmax_element(m_points, {}, &ScatterPoint::y);
        const double dx = right->x > left->x ? (right->x - left->x) * 0.08 : 1;
        const double dy = high->y > low->y ? (high->y - low->y) * 0.08 : 1;
        m_left = left->x - dx;
        m_right = right->x + dx;
        m_bottom = low->y - dy;
        m_top = high->y + dy;
    }
    update();
}

void ScatterPlot::setCurrent(int index)
{
    m_current = index >= 0 && index < static_cast<int>(m_points.size()) ? index : -1;
    update();
}

QRectF ScatterPlot::plotArea() const
{
    return QRectF(rect()).adjusted(8, 22, -8, -22);
}

QPointF ScatterPlot::place(int index) const
{
    const ScatterPoint& p = m_points[static_cast<std::size_t>(index)];
    const QRectF area = plotArea();
    return { area.left() + (p.x - m_left) / (m_right - m_left) * area.width(),
        area.bottom() - (p.y - m_bottom) / (m_top - m_bottom) * area.height() };
}

int ScatterPlot::pointAt(const QPointF& position) const
{
    int nearest = -1;
    double best = 12; // pixels
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        const QPointF offset = place(i) - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

QSize ScatterPlot::sizeHint() const
{
    return { 260, 200 };
}

void ScatterPlot::choose(int index)
{
    setCurrent(index);
    if (m_current >= 0)
        emit activated(m_current);
}

void ScatterPlot::mousePressEvent(QMouseEvent* event)
{
    if (const int hit = pointAt(event->position()); hit >= 0)
        choose(hit);
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event)
{
    const int hit = pointAt(event->position());
    setToolTip(hit >= 0 ? m_points[static_cast<std::size_t>(hit)].label : QString());
}

// The arrows go from point to point by x.
void ScatterPlot::keyPressEvent(QKeyEvent* event)
{
    const bool right = event->key() == Qt::Key_Right, left = event->key() == Qt::Key_Left;
    if ((!right && !left) || m_points.empty())
        return QWidget::keyPressEvent(event);
    std::vector<int> order(m_points.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    std::ranges::stable_sort(
        order, {}, [&](int i) { return m_points[static_cast<std::size_t>(i)].x; });
    const auto at = std::ranges::find(order, m_current);
    if (at == order.end())
        return choose(order.front());
    const auto next = std::clamp<long>(
        at - order.begin() + (right ? 1 : -1), 0, static_cast<long>(order.size()) - 1);
    choose(order[static_cast<std::size_t>(next)]);
}

void ScatterPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& t = theme();
    painter.fillRect(rect(), t.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotArea();
    painter.setPen(t.muted);
    painter.setFont(t.captionFont());
    painter.drawText(QRectF(0, 2, width(), 18), Qt::AlignLeft | Qt::AlignVCenter, m_yTitle);
    painter.drawText(
        QRectF(0, height() - 20, width() - 4, 18), Qt::AlignRight | Qt::AlignVCenter, m_xTitle);
    painter.drawLine(area.topLeft(), area.bottomLeft());
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    std::vector<QPointF> front;
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        if (m_points[static_cast<std::size_t>(i)].front) {
            front.push_back(place(i));
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::mix(t.muted, t.panel, 0.4));
        painter.drawEllipse(place(i), 3, 3);
    }
    std::ranges::sort(front, {}, [](const QPointF& p) { return p.x(); });
    painter.setPen(QPen(t.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(front.data(), static_cast<int>(front.size()));
    painter.setBrush(t.accent);
    for (const QPointF& p : front)
        painter.drawEllipse(p, 3.5, 3.5);
    if (m_current >= 0)
        painter.drawEllipse(place(m_current), 6, 6);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(t.accent);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace stageloom
