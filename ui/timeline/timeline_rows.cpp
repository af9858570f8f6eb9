// SPDX-License-Identifier: GPL-3.0-or-later
// The rows under the lanes: whose memory is shown, and what their cards say.
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/row_text.h"
#include "ui/timeline/timeline_view_private.h"
#include "ui/timeline/tip_text.h"

#include "core/base/units.h"
#include <QActionGroup>
#include <QMenu>
#include <algorithm>

namespace stageloom {

std::vector<CardLine> TimelineView::Private::rowCard(const QPointF& at) const
{
    const LaneRow* row = geometry.layout().rowAt(at.y());
    if (!row)
        return {};
    const TimelineSide& side = model().side(row->side);
    const double time = geometry.layout().scale.toTime(at.x());
    switch (row->kind) {
    case RowKind::Memory:
        return memoryCard(
            side, { derived.memoryDevice, capacity() }, time, names, model().seconds());
    case RowKind::Version:
        return versionCard(side, time, model().seconds());
    default:
        return {};
    }
}

void TimelineView::Private::hoverRow(const QPointF& at)
{
    const bool before = rowHover.has_value();
    rowHover.reset();
    if (!state.hover() && geometry.inLanes(at))
        if (const LaneRow* row = geometry.layout().rowAt(at.y()); row && row->device < 0)
            rowHover = at;
    if (!before && !rowHover)
        return;
    deriveContent();
    deriveCard();
    owner->update();
}

QString TimelineView::tipAt(const QPointF& at) const
{
    d->deriveGeometry();
    if (const LaneRow* row = d->geometry.labelAt(at))
        return labelTip(d->model(), *row, d->names);
    const bool legend = at.y() >= d->geometry.layout().bottom && at.y() < height()
        && at.x() >= LaneLayout::kLabels && d->model().has(d->shownSide());
    return legend ? legendTip(d->model(), d->state.mode(), theme()) : QString();
}

int TimelineView::memoryDevice() const
{
    d->deriveContent();
    return d->derived.memoryDevice;
}

void TimelineView::setMemoryDevice(int device)
{
    d->memoryDevice = device;
    contentChanged();
}

void TimelineView::stepMemoryDevice(int by)
{
    const auto devices = static_cast<int>(d->model().side(d->shownSide()).memory().size());
    if (devices > 0)
        setMemoryDevice((memoryDevice() + by + devices) % devices);
}

void TimelineView::fillMemoryMenu(QMenu& menu)
{
    const auto& memory = d->model().side(d->shownSide()).memory();
    auto* group = new QActionGroup(&menu);
    const auto add = [&](const QString& text, int device, bool chosen) {
        QAction* action = menu.addAction(text, this, [this, device] { setMemoryDevice(device); });
        action->setCheckable(true);
        action->setChecked(chosen);
        group->addAction(action);
    };
    const bool fullest
        = d->memoryDevice < 0 || static_cast<std::size_t>(d->memoryDevice) >= memory.size();
    add(tr("The fullest device"), -1, fullest);
    menu.addSeparator();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const auto device = static_cast<int>(i);
        add(tr("%1, peak %2").arg(deviceText(d->names, device), bytesText(memory[i].peak())),
            device, !fullest && device == d->memoryDevice);
    }
}

} // namespace stageloom
