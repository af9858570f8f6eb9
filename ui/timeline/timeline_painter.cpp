// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

namespace stageloom {

namespace {

void paintRuler(QPainter& painter, const TimelineScene& scene)
{
    const LaneLayout& layout = scene.layout;
    painter.setFont(scene.theme.captionFont());
    painter.fillRect(QRectF(0, 0, scene.size.width(), LaneLayout::kRuler), scene.theme.panel);
    for (const Tick& tick : ticks(layout.scale, 90, scene.model.seconds())) {
        const double x = layout.scale.toPixel(tick.time);
        painter.setPen(scene.theme.muted);
        // The last label stays inside the widget.
        const QRectF box(std::min(x, scene.size.width() - 52) - 50, 0, 100, LaneLayout::kRuler - 6);
        painter.drawText(box, Qt::AlignCenter, QString::fromStdString(tick.label));
    }
}

// The cursor's time, and what there is then where no head says it.
void paintCursorTime(QPainter& painter, const TimelineScene& scene)
{
    if (!scene.cursor)
        return;
    const Theme& theme = scene.theme;
    const TimeScale& scale = scene.layout.scale;
    QFont bold = theme.captionFont();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    QString text = tickText(*scene.cursor, scale, scene.model.seconds());
    if (!scene.layout.over)
        text += QStringLiteral(" · ")
            + momentText(scene, shownSide(scene.model, scene.state.mode()), *scene.cursor);
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 14;
    const double x = scale.toPixel(*scene.cursor);
    const QRectF box(std::clamp(x - wide / 2, 2.0, std::max(2.0, scene.size.width() - wide - 2)), 2,
        wide, LaneLayout::kRuler - 6);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawRoundedRect(box, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.panel);
    painter.drawText(box, Qt::AlignCenter, text);
}

void paintGrid(QPainter& painter, const TimelineScene& scene)
{
    painter.setPen(QPen(Theme::mix(scene.theme.line, scene.theme.panel, 0.6), 1));
    for (const Tick& tick : ticks(scene.layout.scale, 90, scene.model.seconds())) {
        const double x = std::round(scene.layout.scale.toPixel(tick.time)) + 0.5;
        painter.drawLine(QPointF(x, LaneLayout::kRuler), QPointF(x, scene.layout.bottom));
    }
}

void paintEmpty(QPainter& painter, const TimelineScene& scene)
{
    painter.setPen(scene.theme.muted);
    painter.setFont(scene.theme.valueFont());
    const QString text = scene.loading
        ? QCoreApplication::translate("Timeline", "Reading a long timeline…")
        : scene.state.mode() == TimelineMode::Plan
        ? QCoreApplication::translate(
            "Timeline", "Nothing to show yet: open or make a plan to see its predicted timeline.")
        : QCoreApplication::translate(
            "Timeline", "Nothing measured yet: start a run to see its timeline here.");
    painter.drawText(QRectF(QPointF(), scene.size).adjusted(16, 0, -16, 0),
        Qt::AlignCenter | Qt::TextWordWrap, text);
}

} // namespace

void paintTimeline(QPainter& painter, const TimelineScene& scene)
{
    painter.fillRect(QRectF(QPointF(), scene.size), scene.theme.panel);
    const TraceSide shown = shownSide(scene.model, scene.state.mode());
    if (scene.layout.rows.empty() || scene.layout.scale.range.empty() || !scene.model.has(shown)) {
        paintEmpty(painter, scene);
        return;
    }
    paintGrid(painter, scene);
    painter.save();
    painter.setClipRect(QRectF(
        0, LaneLayout::kRuler, scene.size.width(), scene.layout.bottom - LaneLayout::kRuler));
    paintRows(painter, scene);
    paintOverlays(painter, scene);
    painter.restore();
    paintRuler(painter, scene);
    paintCursorTime(painter, scene);
    paintLegend(painter, scene);
    if (scene.focus) {
        painter.setPen(scene.theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(QPointF(), scene.size).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintCards(painter, scene);
}

} // namespace stageloom
