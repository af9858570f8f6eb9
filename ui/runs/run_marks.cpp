// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_marks.h"

#include "ui/theme/theme.h"
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

namespace stageloom {

void paintRunMark(QPainter& painter, const QRectF& box, int slot)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().run(slot));
    const QPointF c = box.center();
    switch (slot % 4) {
    case 0:
        painter.drawEllipse(box);
        break;
    case 1:
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    case 2:
        painter.drawPolygon(
            QPolygonF({ { c.x(), box.top() }, box.bottomRight(), box.bottomLeft() }));
        break;
    default:
        painter.drawPolygon(QPolygonF({ { c.x(), box.top() - 0.5 }, { box.right() + 0.5, c.y() },
            { c.x(), box.bottom() + 0.5 }, { box.left() - 0.5, c.y() } }));
    }
}

QIcon runMarkIcon(int slot)
{
    constexpr int kWide = 28, kHigh = 14, kScale = 2; // px
    QPixmap pixmap(kWide * kScale, kHigh * kScale);
    pixmap.setDevicePixelRatio(kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().run(slot), 2, Theme::runDash(slot)));
    painter.drawLine(QPointF(0, kHigh / 2.0), QPointF(kWide, kHigh / 2.0));
    painter.setBrush(theme().panel);
    painter.setPen(Qt::NoPen);
    painter.drawRect(QRectF(kWide / 2.0 - 7, 0, 14, kHigh));
    paintRunMark(painter, { kWide / 2.0 - 4.5, kHigh / 2.0 - 4.5, 9, 9 }, slot);
    return QIcon(pixmap);
}

} // namespace stageloom
