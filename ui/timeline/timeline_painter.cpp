// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>

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
        const QRectF box(x - 50, 0, 100, LaneLayout::kRuler - 4);
        painter.drawText(box, Qt::AlignCenter, QString::fromStdString(tick.label));
    }
}

void paintGrid(QPainter& painter, const TimelineScene& scene)
{
    painter.setPen(QPen(Theme::mix(scene.theme.line, scene.theme.panel, 0.6), 1));
    for (const Tick& tick : ticks(scene.layout.scale, 90, scene.model.seconds())) {
        const double x = std::round(scene.layout.scale.toPixel(tick.time)) + 0.5;
        painter.drawLine(QPointF(x, LaneLayout::kRuler), QPointF(x, scene.layout.rows.back().top));
    }
}

void paintEmpty(QPainter& painter, const TimelineScene& scene)
{
    painter.setPen(scene.theme.muted);
    painter.setFont(scene.theme.valueFont());
    painter.drawText(QRectF(QPointF(), scene.size), Qt::AlignCenter | Qt::TextWordWrap,
        QCoreApplication::translate("Timeline",
            "Nothing to show yet: open or make a plan to see its predicted timeline, or start a "
            "run to see the measured one."));
}

} // namespace

void paintTimeline(QPainter& painter, const TimelineScene& scene)
{
    painter.fillRect(QRectF(QPointF(), scene.size), scene.theme.panel);
    if (scene.layout.rows.empty() || scene.layout.scale.range.empty()) {
        paintEmpty(painter, scene);
        return;
    }
    paintGrid(painter, scene);
    painter.save();
    painter.setClipRect(QRectF(0, LaneLayout::kRuler, scene.size.width(), scene.size.height()));
    paintRows(painter, scene);
    paintOverlays(painter, scene);
    painter.restore();
    paintRuler(painter, scene);
    if (scene.focus) {
        painter.setPen(scene.theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(QPointF(), scene.size).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintCard(painter, scene);
}

} // namespace stageloom
