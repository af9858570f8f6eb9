// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"
#include "ui/timeline/timeline_painter.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

// Steps; within a pixel column the highest value stands, so that no peak is lost.
QPainterPath outlineOf(
    const MemoryCurve& memory, const TimeScale& scale, double bottom, double perByte)
{
    QPainterPath path;
    double bytes = memory.at(scale.range.begin);
    path.moveTo(scale.left, bottom);
    path.lineTo(scale.left, bottom - bytes * perByte);
    for (const CurveStep& step : memory.steps(scale)) {
        path.lineTo(step.x, bottom - bytes * perByte);
        path.lineTo(step.x, bottom - step.low * perByte);
        path.lineTo(step.x, bottom - step.high * perByte);
        path.lineTo(step.x, bottom - step.last * perByte);
        bytes = step.last;
    }
    path.lineTo(scale.left + scale.width, bottom - bytes * perByte);
    path.lineTo(scale.left + scale.width, bottom);
    return path;
}

} // namespace

void paintMemory(QPainter& painter, const TimelineScene& scene, const LaneRow& row)
{
    const Theme& theme = scene.theme;
    const auto& all = scene.model.side(row.side).memory();
    const auto device = static_cast<std::size_t>(scene.memoryDevice);
    if (device >= all.size() || all[device].empty())
        return;
    const TimeScale& scale = scene.layout.scale;
    const QRectF area(scale.left, row.top, scale.width, row.height);
    const double peak = scene.memoryPeak;
    // A limit far above the curve would press it flat: it is said and not drawn.
    const bool nearLimit = scene.capacity > 0 && scene.capacity <= 1.6 * peak;
    const double perByte
        = (area.height() - 6) / std::max({ peak, nearLimit ? scene.capacity : 0.0, 1.0 });
    const QString name = deviceText(scene.names, scene.memoryDevice);
    painter.setFont(theme.captionFont());
    painter.setPen(theme.muted);
    painter.drawText(QRectF(4, row.top + 4, LaneLayout::kLabels - 8, 36),
        QCoreApplication::translate("Timeline", "memory") + QStringLiteral(" ▾\n")
            + painter.fontMetrics().elidedText(
                name, Qt::ElideRight, static_cast<int>(LaneLayout::kLabels - 12)));
    painter.fillRect(area, Theme::mix(theme.track, theme.panel, 0.7));
    painter.setPen(theme.stage(scene.memoryDevice));
    painter.setBrush(Theme::mix(theme.stage(scene.memoryDevice), theme.panel, 0.3));
    painter.drawPath(outlineOf(all[device], scale, area.bottom(), perByte));
    painter.setBrush(Qt::NoBrush);
    QString text
        = QCoreApplication::translate("Timeline", "peak %1 on %2").arg(bytesText(peak), name);
    if (scene.capacity > 0)
        text += QCoreApplication::translate("Timeline", ", %1 of %2")
                    .arg(percentText(peak / scene.capacity), bytesText(scene.capacity));
    if (nearLimit) {
        const double y = area.bottom() - scene.capacity * perByte;
        painter.setPen(QPen(theme.bad, 1, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    // On paper of its own at the foot, off the curve's edge and the limit.
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 10;
    const QRectF words(area.left() + 4, area.bottom() - 19, wide, 16);
    QColor paper = theme.panel;
    paper.setAlphaF(0.8F);
    painter.fillRect(words, paper);
    painter.setPen(theme.text);
    painter.drawText(words, Qt::AlignCenter, text);
}

} // namespace stageloom
