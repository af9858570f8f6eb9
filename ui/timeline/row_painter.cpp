// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"
#include "ui/timeline/box_painter.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/timeline_ink.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/weights_read.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

void paintLabel(QPainter& painter, const TimelineScene& scene, double top, double height,
    const QString& text, bool muted, Qt::Alignment align = Qt::AlignLeft, bool bold = false)
{
    painter.setPen(muted ? scene.theme.muted : scene.theme.text);
    QFont font = scene.theme.captionFont();
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    const QRectF box(4, top, LaneLayout::kLabels - 12, height);
    painter.drawText(box, align | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(box.width())));
}

void paintLane(QPainter& painter, const TimelineScene& scene, const LaneRow& row, std::size_t at)
{
    const Theme& theme = scene.theme;
    const bool both = scene.layout.both, compute = row.kind == RowKind::Compute;
    if (compute)
        painter.drawTiledPixmap(
            QRectF(scene.layout.scale.left, row.top, scene.layout.scale.width, row.height),
            scene.ink.hatch(theme, painter.device()->devicePixelRatioF()));
    BoxPainter boxes { scene.model, theme, scene.ink, theme.captionFont() };
    boxes.font.setWeight(QFont::DemiBold);
    boxes.font.setPixelSize(11); // two digits in a narrow forward
    boxes.pale = both && row.side == TraceSide::Plan;
    boxes.difference
        = scene.state.mode() == TimelineMode::Difference && compute ? scene.difference : nullptr;
    boxes.device = row.device;
    boxes.paint(painter, scene.boxes[at]);
    if (compute && both)
        paintLabel(painter, scene, row.top, row.height,
            row.side == TraceSide::Plan ? Words::tr("plan") : Words::tr("run"), true,
            Qt::AlignRight);
}

// The ground and the name of the hairlines, once for all of a side.
void paintLinks(QPainter& painter, const TimelineScene& scene, TraceSide side)
{
    const QRectF lane = scene.layout.links(side);
    if (lane.isEmpty())
        return;
    painter.fillRect(lane, scene.theme.track);
    QRectF label = lane;
    label.setHeight(std::max(14.0, std::min(lane.height(), 20.0)));
    paintLabel(painter, scene, lane.center().y() - label.height() / 2, label.height(),
        Words::tr("links"), true);
}

// Of the batch selected, else of the one in the middle of what is in sight: "batch 2 ends 2,935
// ms", with an arrow where that is out of sight.
QString batchEndText(const TimelineScene& scene, TraceSide which)
{
    const TimelineSide& side = scene.model.side(which);
    const TimeRange& seen = scene.layout.scale.range;
    const SpanIndex& lane = scene.model.compute(TraceSide::Plan, 0);
    const auto& spans = scene.model.trace(TraceSide::Plan).spans;
    int batch = 0;
    if (scene.state.selected())
        batch = scene.model.span(*scene.state.selected()).batch;
    else if (const std::size_t at = lane.firstEndingAfter(spans, (seen.begin + seen.end) / 2);
             at < lane.size())
        batch = spans[lane.reference(at)].batch;
    const auto end = side.batchEnd(batch);
    if (!end)
        return {};
    const QString text = Words::tr("batch %1 ends %2")
                             .arg(shownNumber(batch))
                             .arg(tickText(*end, scene.layout.scale, scene.model.seconds()));
    return *end > seen.end  ? text + QStringLiteral(" →")
        : *end < seen.begin ? QStringLiteral("← ") + text
                            : text;
}

void paintHead(QPainter& painter, const TimelineScene& scene, const LaneRow& row)
{
    const Theme& theme = scene.theme;
    const bool pinned = row.side == TraceSide::Pinned;
    const PlanHead& head = scene.heads[pinned ? 0 : 1];
    const QRectF badge(6, row.top + 3, 18, 18);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pinned ? QPen(theme.muted, 1) : QPen(Qt::NoPen));
    painter.setBrush(pinned ? theme.track : theme.accent);
    painter.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    QFont bold = theme.captionFont();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.textOn(pinned ? theme.track : theme.accent));
    painter.drawText(badge, Qt::AlignCenter, pinned ? QStringLiteral("A") : QStringLiteral("B"));
    double x = badge.right() + 8;
    const double right = scene.layout.scale.left + scene.layout.scale.width;
    const auto write = [&](const QString& text, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        const double room = std::max(0.0, right - x);
        const QString cut
            = painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room));
        painter.drawText(QRectF(x, row.top, room, row.height), Qt::AlignVCenter, cut);
        x += painter.fontMetrics().horizontalAdvance(cut);
    };
    QStringList about { pinned ? Words::tr("pinned") : Words::tr("edited") };
    if (!head.schedule.isEmpty())
        about << head.schedule;
    write(head.name, theme.titleFont(), theme.text);
    x += 8;
    write(about.join(QStringLiteral(" · ")), theme.captionFont(), theme.muted);
    if (head.steadyBubble) {
        write(QStringLiteral(" · ") + Words::tr("steady bubble"), theme.captionFont(), theme.muted);
        x += 6;
        write(percentText(*head.steadyBubble), bold, theme.text);
    }
    double free = right; // where the end of the batch is not written
    if (const QString ends = batchEndText(scene, row.side); !ends.isEmpty()) {
        painter.setFont(bold);
        const double wide = painter.fontMetrics().horizontalAdvance(ends);
        if (x + 24 + wide < right) {
            painter.setPen(theme.text);
            painter.drawText(QRectF(right - wide, row.top, wide + 2, row.height),
                Qt::AlignRight | Qt::AlignVCenter, ends);
            free = right - wide - 12;
        }
    }
    if (!scene.cursor)
        return;
    // What there is at the cursor, beside it; where the line is written it stands after it.
    const QString text = momentText(scene, row.side, *scene.cursor);
    painter.setFont(theme.captionFont());
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 12;
    const double at = scene.layout.scale.toPixel(*scene.cursor);
    const QRectF box(std::min(std::max(at + 4, x + 12), free - wide), row.top + 3, wide, 18);
    if (box.left() < x + 8)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.line);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

// In a sentence on every stretch, else in fewer words on every one, else on none.
void paintReads(QPainter& painter, const TimelineScene& scene, const LaneRow& row,
    const std::vector<BatchReads>& all, int device)
{
    const TimeScale& scale = scene.layout.scale;
    const QString name = deviceText(scene.names, device);
    const auto boxOf = [&](const BatchReads& reads) {
        const double left = std::max(scale.left, scale.toPixel(reads.range.begin));
        const double right = std::min(scale.left + scale.width, scale.toPixel(reads.range.end));
        return QRectF(left, row.top, std::max(1.0, right - left), row.height);
    };
    const auto textOf
        = [&](const BatchReads& reads, ReadsForm form) { return readsText(reads, name, form); };
    const auto fits = [&](const BatchReads& reads, const QString& text) {
        return painter.fontMetrics().horizontalAdvance(text) + 10 < boxOf(reads).width();
    };
    // All in one form; those at the edges are cut and may stay bare.
    std::optional<ReadsForm> form;
    for (const ReadsForm one : { ReadsForm::Sentence, ReadsForm::Age, ReadsForm::Version }) {
        const auto fitting = std::ranges::count_if(
            all, [&](const BatchReads& reads) { return fits(reads, textOf(reads, one)); });
        if (!form && fitting > 0 && fitting >= static_cast<long>(all.size()) - 2)
            form = one;
    }
    for (const BatchReads& reads : all) {
        const QRectF box = boxOf(reads);
        painter.fillRect(box.adjusted(0, 0, box.width() > 3 ? -1 : 0, 0), scene.theme.accentSoft);
        painter.setPen(scene.theme.text);
        if (form && fits(reads, textOf(reads, *form)))
            painter.drawText(
                box.adjusted(6, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, textOf(reads, *form));
    }
}

void paintVersions(QPainter& painter, const TimelineScene& scene, const LaneRow& row)
{
    paintLabel(painter, scene, row.top, row.height, Words::tr("weights"), true);
    const TimeScale& scale = scene.layout.scale;
    painter.setFont(scene.theme.captionFont());
    painter.fillRect(QRectF(scale.left, row.top, scale.width, row.height), scene.theme.track);
    constexpr int kMost = 200; // batches told apart
    const int device = scene.deviceOfWords();
    const auto reads = batchesReading(scene.model.side(row.side), device, scale.range, kMost);
    if (!reads.empty())
        return paintReads(painter, scene, row, reads, device);
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
    }
}

void paintDeviceLabels(QPainter& painter, const TimelineScene& scene)
{
    const bool both = scene.layout.both;
    const std::optional<SpanRef> selected = scene.state.selected();
    for (const LaneRow& row : scene.layout.rows) {
        if (row.kind != RowKind::Compute || (both && row.side == TraceSide::Run))
            continue;
        // Two rows: between the words "plan" and "run".
        const double middle = both ? row.top + row.height + 6 : row.top + row.height / 2;
        const bool chosen = selected && scene.model.span(*selected).device == row.device;
        paintLabel(painter, scene, middle - 10, 20, deviceText(scene.names, row.device), false,
            Qt::AlignLeft, chosen);
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
            painter.fillRect(QRectF(left, row.top + row.height - 2, right - left, 2),
                scene.theme.idleColour(cause));
        });
}

} // namespace

void paintRows(QPainter& painter, const TimelineScene& scene)
{
    for (const TraceSide side : { TraceSide::Plan, TraceSide::Run, TraceSide::Pinned })
        paintLinks(painter, scene, side);
    for (std::size_t i = 0; i < scene.layout.rows.size(); ++i) {
        const LaneRow& row = scene.layout.rows[i];
        if (row.top > scene.layout.bottom || row.top + row.height < 0)
            continue;
        switch (row.kind) {
        case RowKind::Head:
            paintHead(painter, scene, row);
            break;
        case RowKind::Compute:
        case RowKind::Transfer:
            paintLane(painter, scene, row, i);
            if (row.kind == RowKind::Compute && !(scene.layout.both && row.side == TraceSide::Plan))
                paintGaps(painter, scene, row);
            break;
        case RowKind::Version:
            paintVersions(painter, scene, row);
            break;
        case RowKind::Memory:
            paintMemory(painter, scene, row);
            break;
        }
    }
    paintDeviceLabels(painter, scene);
}

QString momentText(const TimelineScene& scene, TraceSide which, double time)
{
    const TimelineSide& side = scene.model.side(which);
    const int devices = side.trace().devices;
    int busy = 0;
    for (int device = 0; device < devices; ++device) {
        const SpanIndex& lane = side.compute(device);
        const std::size_t at = lane.firstEndingAfter(side.trace().spans, time);
        busy += at < lane.size() && side.trace().spans[lane.reference(at)].start <= time ? 1 : 0;
    }
    QString text = Words::tr("%1 of %2 busy").arg(busy).arg(devices);
    const auto device = static_cast<std::size_t>(scene.deviceOfWords());
    if (device < side.memory().size() && !side.memory()[device].empty())
        text += QStringLiteral(" · ")
            + Words::tr("%1 on %2")
                  .arg(bytesText(side.memory()[device].at(time)),
                      deviceText(scene.names, static_cast<int>(device)));
    return text;
}

} // namespace stageloom
