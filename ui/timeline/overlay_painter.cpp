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

void outline(QPainter& painter, const QRectF& rect, const QColor& colour, double width,
    Qt::PenStyle style = Qt::SolidLine)
{
    painter.setPen(QPen(colour, width, style));
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
            outline(painter, *rect, scene.theme.text, 1.5);
        const auto before = flowOrigin(scene.model, ref);
        const auto from = before ? edgeOf(scene, *before, true) : std::nullopt;
        const auto to = edgeOf(scene, ref, false);
        if (from && to && (rect || rectOf(scene, *before)))
            paintArrow(painter, *from, *to, scene.theme.text);
    }
}

void paintOutliers(QPainter& painter, const TimelineScene& scene)
{
    if (!scene.difference || scene.difference->shown() != TraceSide::Run)
        return;
    for (const auto& row : scene.boxes)
        for (const VisibleBox& box : row)
            if (box.span && box.span->side == TraceSide::Run && box.rect.width() > 2
                && scene.difference->outlier(scene.model, *box.span))
                outline(painter, box.rect, scene.theme.bad, 2);
}

// What is selected, and the same operation of the other trace in sight.
void paintSelected(QPainter& painter, const TimelineScene& scene)
{
    const auto selected = scene.state.selected();
    if (!selected)
        return;
    if (const auto rect = rectOf(scene, *selected))
        outline(painter, *rect, scene.theme.text, 2.5);
    for (const TraceSide side : { TraceSide::Plan, TraceSide::Run, TraceSide::Pinned })
        if (const auto partner = scene.model.partner(*selected, side); partner && partner->exact)
            if (const auto rect = rectOf(scene, partner->span))
                outline(painter, *rect, scene.theme.text, 2, Qt::DotLine);
}

// One line through all rows; its time stands on the ruler.
void paintCursor(QPainter& painter, const TimelineScene& scene)
{
    if (!scene.cursor)
        return;
    const double x = std::round(scene.layout.scale.toPixel(*scene.cursor)) + 0.5;
    painter.setPen(QPen(scene.theme.text, 1));
    painter.drawLine(QPointF(x, LaneLayout::kRuler), QPointF(x, scene.layout.bottom));
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
    paintSelected(painter, scene);
    if (const auto hit = scene.state.currentHit())
        if (const auto rect = rectOf(scene, *hit))
            outline(painter, *rect, scene.theme.accent, 3);
    if (const auto hover = scene.state.hover())
        if (const auto rect = rectOf(scene, *hover))
            outline(painter, *rect, scene.theme.text, 1);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintCursor(painter, scene);
}

namespace {

// Returns where it was drawn. `apartFrom`: it goes below that.
QRectF paintCard(
    QPainter& painter, const TimelineScene& scene, const Card& card, const QRectF& apartFrom = {})
{
    if (card.lines.empty())
        return {};
    const Theme& theme = scene.theme;
    const auto fontOf = [&](const CardLine& line) {
        return line.role == CardLine::Role::Title ? theme.titleFont() : theme.captionFont();
    };
    constexpr double kLine = 18, kMargin = 12;
    double width = 0;
    for (const CardLine& line : card.lines)
        width = std::max(width, QFontMetricsF(fontOf(line)).horizontalAdvance(line.text));
    QRectF box(card.at + QPointF(14, 14),
        QSizeF(width + 2 * kMargin, kLine * static_cast<double>(card.lines.size()) + 16));
    const double right = std::max(0.0, scene.size.width() - box.width() - 4);
    box.moveLeft(std::clamp(box.left(), 0.0, right));
    if (box.bottom() > scene.size.height() - 4)
        box.moveBottom(std::max(box.height(), card.at.y() - 10));
    if (box.intersects(apartFrom)) { // beside it, else below
        if (apartFrom.left() - box.width() - 8 >= 0)
            box.moveRight(apartFrom.left() - 8);
        else if (apartFrom.right() + 8 <= right)
            box.moveLeft(apartFrom.right() + 8);
        else
            box.moveTop(apartFrom.bottom() + 8);
    }
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
    for (const CardLine& line : card.lines) {
        painter.setFont(fontOf(line));
        painter.setPen(line.role == CardLine::Role::Title ? theme.text
                : line.role == CardLine::Role::Warning    ? theme.warning
                                                          : theme.muted);
        painter.drawText(QRectF(box.left() + kMargin, y, width + 2, kLine),
            Qt::AlignLeft | Qt::AlignVCenter, line.text);
        y += kLine;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    return box;
}

} // namespace

// A range's statistics stay in sight while the mouse is over an operation; the card of the late
// operation gives way to both.
void paintCards(QPainter& painter, const TimelineScene& scene)
{
    const QRectF range = paintCard(painter, scene, scene.range);
    if (scene.card.lines.empty() && range.isEmpty())
        paintCard(painter, scene, scene.late);
    paintCard(painter, scene, scene.card, range);
}

} // namespace stageloom
