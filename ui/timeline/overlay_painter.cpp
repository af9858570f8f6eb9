// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/flow.h"
#include "ui/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace stageloom {

namespace {

std::optional<QRectF> rectOf(const TimelineScene& scene, SpanRef ref)
{
    const LaneRow* row = scene.layout.rowOf(scene.model, ref);
    const Span& s = scene.model.span(ref);
    const TimeRange& visible = scene.state.visible();
    if (!row || s.end < visible.begin || s.start > visible.end)
        return std::nullopt;
    return scene.layout.rect(
        *row, { std::max(s.start, visible.begin), std::min(s.end, visible.end) });
}

void outline(QPainter& painter, const QRectF& rect, const QColor& colour, double width)
{
    painter.setPen(QPen(colour, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), 3, 3);
}

void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& colour)
{
    painter.setPen(QPen(colour, 1.5));
    painter.setBrush(Qt::NoBrush);
    const double bend = std::max(12.0, std::abs(to.x() - from.x()) / 2);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.drawPath(path);
    painter.setBrush(colour);
    const QPointF head[] = { to, to + QPointF(-6, -3.5), to + QPointF(-6, 3.5) };
    painter.drawConvexPolygon(head, 3);
}

// Where an arrow begins (at the end of a span) or ends; out of sight too, so that it points there.
std::optional<QPointF> edgeOf(const TimelineScene& scene, SpanRef ref, bool end)
{
    const LaneRow* row = scene.layout.rowOf(scene.model, ref);
    if (!row)
        return std::nullopt;
    const Span& s = scene.model.span(ref);
    const double x = scene.layout.scale.toPixel(end ? s.end : s.start);
    return QPointF(std::clamp(x, -1e5, 1e5), row->top + row->height / 2);
}

// The microbatch through all stages: an arrow from each operation to the ones that need its output,
// and within the last stage from the forward to its backward.
void paintFlow(QPainter& painter, const TimelineScene& scene)
{
    for (const SpanRef ref : scene.flow) {
        const auto rect = rectOf(scene, ref);
        if (rect)
            outline(painter, *rect, scene.theme.text, 2);
        const auto before = flowOrigin(scene.model, ref);
        const auto from = before ? edgeOf(scene, *before, true) : std::nullopt;
        const auto to = edgeOf(scene, ref, false);
        if (from && to && (rect || rectOf(scene, *before)))
            paintArrow(painter, *from, *to, scene.theme.text);
    }
}

void paintOutliers(QPainter& painter, const TimelineScene& scene)
{
    if (!scene.difference)
        return;
    for (const auto& row : scene.boxes)
        for (const VisibleBox& box : row)
            if (box.span && box.span->side == TraceSide::Run && box.rect.width() > 2
                && scene.difference->outlier(scene.model, *box.span))
                outline(painter, box.rect, scene.theme.bad, 2);
}

} // namespace

void paintOverlays(QPainter& painter, const TimelineScene& scene)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const TimeScale& scale = scene.layout.scale;
    painter.setClipRect(QRectF(scale.left - 4, LaneLayout::kRuler, scale.width + 8,
                            scene.layout.bottom - LaneLayout::kRuler),
        Qt::IntersectClip);
    if (const auto range = scene.state.selection()) {
        QColor veil = scene.theme.accent;
        veil.setAlphaF(0.14F);
        const double left = scale.toPixel(range->begin), right = scale.toPixel(range->end);
        painter.fillRect(QRectF(left, LaneLayout::kRuler, right - left, scene.size.height()), veil);
        painter.setPen(scene.theme.accent);
        for (const double x : { left, right })
            painter.drawLine(QPointF(x, LaneLayout::kRuler), QPointF(x, scene.size.height()));
    }
    paintOutliers(painter, scene);
    paintFlow(painter, scene);
    if (const auto hit = scene.state.currentHit())
        if (const auto rect = rectOf(scene, *hit))
            outline(painter, *rect, scene.theme.accent, 3);
    if (const auto hover = scene.state.hover())
        if (const auto rect = rectOf(scene, *hover))
            outline(painter, *rect, scene.theme.text, 1);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintCard(QPainter& painter, const TimelineScene& scene)
{
    if (scene.card.empty())
        return;
    const Theme& theme = scene.theme;
    const auto fontOf = [&](const CardLine& line) {
        return line.role == CardLine::Role::Title ? theme.titleFont() : theme.captionFont();
    };
    constexpr double kLine = 18, kMargin = 12;
    double width = 0;
    for (const CardLine& line : scene.card)
        width = std::max(width, QFontMetricsF(fontOf(line)).horizontalAdvance(line.text));
    QRectF box(scene.cardAt + QPointF(14, 14),
        QSizeF(width + 2 * kMargin, kLine * static_cast<double>(scene.card.size()) + 16));
    box.moveLeft(std::clamp(box.left(), 0.0, std::max(0.0, scene.size.width() - box.width() - 4)));
    if (box.bottom() > scene.size.height() - 4)
        box.moveBottom(std::max(box.height(), scene.cardAt.y() - 10));
    painter.setRenderHint(QPainter::Antialiasing);
    QColor shadow = theme.text;
    shadow.setAlphaF(theme.dark ? 0.0F : 0.06F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shadow);
    painter.drawRoundedRect(box.adjusted(-2, 0, 2, 4), Theme::kRadius, Theme::kRadius);
    painter.setPen(theme.line);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box, 6, 6);
    double y = box.top() + 8;
    for (const CardLine& line : scene.card) {
        painter.setFont(fontOf(line));
        painter.setPen(line.role == CardLine::Role::Title ? theme.text
                : line.role == CardLine::Role::Warning    ? theme.warning
                                                          : theme.muted);
        painter.drawText(QRectF(box.left() + kMargin, y, width + 2, kLine),
            Qt::AlignLeft | Qt::AlignVCenter, line.text);
        y += kLine;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace stageloom
