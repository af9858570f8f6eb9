// SPDX-License-Identifier: GPL-3.0-or-later
// The context menu of the timeline, and its pictures.
#include "core/base/files.h"
#include "core/sim/trace_forms.h"
#include "ui/timeline/flow.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_tsv.h"
#include "ui/timeline/timeline_view_private.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSvgGenerator>

namespace stageloom {

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    const auto span = byMouse ? spanAt(event->pos()) : d->state.hover();
    QMenu menu(this);
    fillMenu(menu, span);
    menu.exec(byMouse ? event->globalPos() : mapToGlobal(d->cardAt().toPoint()));
}

void TimelineView::fillMenu(QMenu& menu, std::optional<SpanRef> span)
{
    if (span) {
        const Span s = d->model().span(*span);
        menu.addAction(tr("Zoom to this operation"), this, [this, s] {
            zoomTo({ s.start, s.end });
        });
        if (carriesMicrobatch(s.kind))
            menu.addAction(tr("Follow microbatch %1").arg(shownNumber(s.microbatch)), this,
                [this, s] { d->state.followMicrobatch(s.microbatch); });
        if (producerOf(d->model(), *span))
            menu.addAction(tr("Go to what it waited for\t["), this, [this, from = *span] {
                d->state.setHover(from);
                moveAlongFlow(false);
            });
        if (userOf(d->model(), *span))
            menu.addAction(tr("Go to what used it\t]"), this, [this, from = *span] {
                d->state.setHover(from);
                moveAlongFlow(true);
            });
        menu.addAction(tr("Find all of stage %1").arg(s.stage), this,
            [this, s] { emit searchRequested(QStringLiteral("stage %1").arg(s.stage)); });
        menu.addAction(tr("Find all of batch %1").arg(shownNumber(s.batch)), this, [this, s] {
            emit searchRequested(QStringLiteral("batch %1").arg(shownNumber(s.batch)));
        });
        menu.addAction(tr("Copy what the card says"), this, [this, ref = *span] {
            QApplication::clipboard()->setText(spanTsv(d->model(), ref, d->names, d->difference()));
        });
        menu.addSeparator();
    }
    if (d->state.selection()) {
        menu.addAction(tr("Copy its statistics"), this, [this] {
            d->deriveSelection();
            QApplication::clipboard()->setText(statisticsTsv(
                *d->derived.selected, *d->state.selection(), d->names, d->model().seconds()));
        });
        menu.addAction(tr("Drop the selection"), this, [this] { d->state.select(std::nullopt); });
        menu.addSeparator();
    }
    if (selectedExtent())
        menu.addAction(d->state.selection() ? tr("Show all of the selection\tF")
                                            : tr("Show all of the microbatch\tF"),
            this, &TimelineView::fitSelected);
    menu.addAction(tr("Show all\tCtrl+0"), this, &TimelineView::fit);
    menu.addAction(tr("Previous view\tBackspace"), &d->state, &TimelineState::back)
        ->setEnabled(d->state.canGoBack());
    menu.addAction(tr("Statistics of what is in sight\tR"), this,
        [this] { d->state.select(d->state.visible()); });
    menu.addAction(
        d->state.selection() ? tr("Table of the selection\tT") : tr("Table of what is in sight\tT"),
        this, &TimelineView::showRangeTable);
    if (d->hasMemory())
        fillMemoryMenu(*menu.addMenu(tr("Memory of")));
    menu.addAction(tr("Find…\tCtrl+F"), this, [this] { emit searchRequested({}); });
    menu.addAction(
        tr("Export as a picture or for Perfetto…"), this, [this] { emit exportRequested(); });
}

void TimelineView::zoomTo(const TimeRange& range)
{
    const double margin = range.length() * 0.1;
    d->state.setVisible({ range.begin - margin, range.end + margin });
}

bool TimelineView::savePicture(const QString& path)
{
    d->paintingPicture = true; // neither card nor focus
    const auto done = qScopeGuard([this] { d->paintingPicture = false; });
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize(size());
        svg.setViewBox(rect());
        svg.setTitle(accessibleName());
        QPainter painter;
        if (!painter.begin(&svg))
            return false;
        paintOn(painter);
        return painter.end();
    }
    constexpr int kRatio = 2; // sharp in print
    QImage image(size() * kRatio, QImage::Format_RGB32);
    image.setDevicePixelRatio(kRatio);
    QPainter painter(&image);
    paintOn(painter);
    painter.end();
    return image.save(path, "PNG");
}

Status TimelineView::saveTrace(const QString& path) const
{
    return writeFileAtomically(path.toStdString(), [this](const TextSink& sink) -> Status {
        ChromeTraceWriter writer(sink);
        const std::tuple<TraceSide, QString> parts[] = { { TraceSide::Plan, tr("plan") },
            { TraceSide::Run, tr("run") }, { TraceSide::Pinned, tr("pinned plan") } };
        for (const auto& [side, title] : parts)
            if (d->model().has(side))
                writer.add(d->model().trace(side), title.toStdString(), static_cast<int>(side) + 1);
        writer.finish();
        return {};
    });
}

} // namespace stageloom
