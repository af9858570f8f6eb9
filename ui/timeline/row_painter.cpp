// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"
#include "ui/timeline/box_painter.h"
#include "ui/timeline/timeline_painter.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QPainter>
#include <QPixmap>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

void paintLabel(QPainter& painter, const TimelineScene& scene, double top, double height,
    const QString& text, bool muted, Qt::Alignment align = Qt::AlignLeft)
{
    painter.setPen(muted ? scene.theme.muted : scene.theme.text);
    painter.setFont(muted ? scene.theme.captionFont() : scene.theme.valueFont());
    const QRectF box(4, top, LaneLayout::kLabels - 12, height);
    painter.drawText(box, align | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(box.width())));
}

// The idle ground of a lane, as a tile: a brush with a pattern costs more than all boxes on it.
QPixmap hatch(const Theme& theme, double ratio)
{
    static QPixmap tile;
    static std::pair<const Theme*, double> madeFor { nullptr, 0 };
    if (madeFor == std::pair(&theme, ratio))
        return tile;
    constexpr int kSide = 8;
    tile = QPixmap((QSizeF(kSide, kSide) * ratio).toSize());
    tile.setDevicePixelRatio(ratio);
    tile.fill(Theme::mix(theme.track, theme.panel, 0.7));
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::mix(theme.line, theme.track, 0.8), 1));
    for (const int shift : { -kSide, 0, kSide }) // the corners too: tiles meet without a seam
        painter.drawLine(QPointF(shift, kSide), QPointF(shift + kSide, 0));
    madeFor = { &theme, ratio };
    return tile;
}

void paintCompute(QPainter& painter, const TimelineScene& scene, const LaneRow& row, std::size_t at)
{
    const Theme& theme = scene.theme;
    const QRectF lane(scene.layout.scale.left, row.top, scene.layout.scale.width, row.height);
    const TimelineMode mode = scene.state.mode();
    const bool both = scene.layout.both;
    if (row.kind == RowKind::Compute) {
        const double ratio = painter.device()->devicePixelRatioF();
        painter.drawTiledPixmap(lane, hatch(theme, ratio));
    }
    BoxPainter boxes { scene.model, theme, theme.captionFont() };
    boxes.font.setWeight(QFont::DemiBold);
    boxes.font.setPixelSize(11); // two digits in a narrow forward
    boxes.pale = both && row.side == TraceSide::Plan;
    boxes.difference = mode == TimelineMode::Difference ? scene.difference : nullptr;
    boxes.device = row.device;
    boxes.paint(painter, scene.boxes[at]);
    if (row.kind == RowKind::Compute && both)
        paintLabel(painter, scene, row.top, row.height,
            row.side == TraceSide::Plan ? Words::tr("plan") : Words::tr("run"), true,
            Qt::AlignRight);
}

void paintVersions(QPainter& painter, const TimelineScene& scene, const LaneRow& row)
{
    paintLabel(painter, scene, row.top, row.height, Words::tr("version"), true);
    const TimeScale& scale = scene.layout.scale;
    painter.setFont(scene.theme.captionFont());
    double drawnTo = scale.left - 1; // segments inside a drawn pixel are not seen
    const auto& segments = scene.model.versions(row.side);
    auto segment = std::ranges::upper_bound(
        segments, scale.range.begin, {}, [](const VersionSegment& v) { return v.range.end; });
    for (; segment != segments.end() && segment->range.begin < scale.range.end; ++segment) {
        const double left = std::max(scale.left, scale.toPixel(segment->range.begin));
        const double right = std::min(scale.left + scale.width, scale.toPixel(segment->range.end));
        if (right < drawnTo + 1)
            continue;
        const QRectF box(left, row.top, std::max(1.0, right - left), row.height);
        painter.fillRect(box.adjusted(0, 0, box.width() > 3 ? -1 : 0, 0), scene.theme.accentSoft);
        drawnTo = right;
        const QString text = QStringLiteral("W%1").arg(segment->version);
        painter.setPen(scene.theme.text);
        if (painter.fontMetrics().horizontalAdvance(text) + 6 < box.width())
            painter.drawText(box, Qt::AlignCenter, text);
    }
}

void paintIdle(QPainter& painter, const TimelineScene& scene, const LaneRow& row)
{
    paintLabel(painter, scene, row.top, row.height, Words::tr("idle"), true);
    const TimeScale& scale = scene.layout.scale;
    painter.fillRect(QRectF(scale.left, row.top, scale.width, row.height), scene.theme.track);
    QFont font = scene.theme.captionFont();
    font.setPixelSize(11);
    painter.setFont(font);
    for (const IdlePart& part : idleParts(scene.idle, scale)) {
        const QRectF box(part.left, row.top, std::max(1.0, part.width - 1), row.height);
        const QColor colour = scene.theme.idleColour(part.cause);
        painter.fillRect(box, colour);
        const QString text
            = QStringLiteral("%1 %2").arg(idleText(part.cause), percentText(part.share));
        painter.setPen(scene.theme.textOn(colour));
        if (painter.fontMetrics().horizontalAdvance(text) + 8 < box.width())
            painter.drawText(box.adjusted(6, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void paintDeviceLabels(QPainter& painter, const TimelineScene& scene)
{
    const bool both = scene.layout.both;
    int last = -1;
    for (const LaneRow& row : scene.layout.rows) {
        if (row.kind != RowKind::Compute || row.device == last)
            continue;
        last = row.device;
        double bottom = row.top + row.height;
        for (const LaneRow& other : scene.layout.rows)
            if (other.kind == RowKind::Compute && other.device == row.device)
                bottom = std::max(bottom, other.top + other.height);
        // Two rows: between the words "plan" and "run".
        const double middle = row.top + row.height + 6;
        paintLabel(painter, scene, both ? middle - 10 : row.top, both ? 20 : bottom - row.top,
            deviceText(scene.names, row.device), false);
    }
}

// At the foot of each lane a line in the colour of the cause of every gap wide enough to see.
void paintGaps(QPainter& painter, const TimelineScene& scene, const LaneRow& row)
{
    const TimeScale& scale = scene.layout.scale;
    scene.model.side(row.side).visitGaps(row.device, scale.range, 1.5 / scale.pixelsPerUnit(),
        [&](const TimeRange& gap, IdleCause cause) {
            const double left = std::max(scale.left, scale.toPixel(gap.begin));
            const double right = std::min(scale.left + scale.width, scale.toPixel(gap.end));
            painter.fillRect(QRectF(left, row.top + row.height - 3, right - left, 3),
                scene.theme.idleColour(cause));
        });
}

} // namespace

void paintRows(QPainter& painter, const TimelineScene& scene)
{
    for (std::size_t i = 0; i < scene.layout.rows.size(); ++i) {
        const LaneRow& row = scene.layout.rows[i];
        if (row.top > scene.layout.bottom || row.top + row.height < 0)
            continue;
        switch (row.kind) {
        case RowKind::Compute:
        case RowKind::Transfer:
            paintCompute(painter, scene, row, i);
            if (row.kind == RowKind::Compute && row.side == scene.layout.rows.back().side)
                paintGaps(painter, scene, row);
            break;
        case RowKind::Version:
            paintVersions(painter, scene, row);
            break;
        case RowKind::Idle:
            paintIdle(painter, scene, row);
            break;
        case RowKind::Memory:
            paintMemory(painter, scene, row);
            break;
        }
    }
    paintDeviceLabels(painter, scene);
}

} // namespace stageloom
