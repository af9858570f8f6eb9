// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, wheel and mouse of the timeline.
#include "ui/timeline/timeline_view_private.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kKeyZoom = 0.8, kKeyPan = 0.12; // factor; share of the visible range

} // namespace

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    TimelineState& state = d->state;
    const TimeRange visible = state.visible();
    const bool mouseInside = underMouse() && d->last.x() > LaneLayout::kLabels;
    d->deriveGeometry(size());
    const double anchor
        = mouseInside ? d->layout.scale.toTime(d->last.x()) : (visible.begin + visible.end) / 2;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        return state.zoom(kKeyZoom, anchor);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return state.zoom(1 / kKeyZoom, anchor);
    case Qt::Key_A:
    case Qt::Key_Left:
        return state.pan(-kKeyPan * visible.length());
    case Qt::Key_D:
    case Qt::Key_Right:
        return state.pan(kKeyPan * visible.length());
    case Qt::Key_F:
        return state.fit();
    case Qt::Key_N:
        return event->modifiers() & Qt::ShiftModifier ? searchPrevious() : searchNext();
    case Qt::Key_Home:
        return state.pan(state.extent().begin - visible.begin);
    case Qt::Key_End:
        return state.pan(state.extent().end - visible.end);
    case Qt::Key_Escape:
        if (!state.selection() && !state.microbatch())
            break;
        state.select(std::nullopt);
        return state.followMicrobatch(std::nullopt);
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    d->deriveGeometry(size());
    const QPointF delta = event->angleDelta();
    const double turns = (delta.y() != 0 ? delta.y() : delta.x()) / 120;
    if (event->modifiers() & Qt::AltModifier) {
        d->scroll = std::max(0.0, d->scroll - turns * 40);
        d->geometryKnown = false;
        update();
    } else if ((event->modifiers() & Qt::ShiftModifier) || delta.y() == 0) {
        d->state.pan(-turns * kKeyPan * d->state.visible().length());
    } else {
        d->state.zoom(std::pow(kKeyZoom, turns), d->layout.scale.toTime(event->position().x()));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    d->deriveGeometry(size());
    d->pressed = d->last = event->position();
    if (event->modifiers() & Qt::ShiftModifier) {
        d->drag = Private::Drag::Select;
        d->selectFrom = d->layout.scale.toTime(d->pressed.x());
    } else {
        d->drag = Private::Drag::Press;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    d->deriveGeometry(size());
    const QPointF before = d->last;
    d->last = event->position();
    const TimeScale& scale = d->layout.scale;
    if (d->drag == Private::Drag::Press
        && (d->last - d->pressed).manhattanLength() >= QApplication::startDragDistance())
        d->drag = Private::Drag::Pan;
    switch (d->drag) {
    case Private::Drag::Pan: {
        const double from = d->layout.scale.toTime(before.x());
        const double by = from - scale.toTime(d->last.x());
        if (d->layout.height > height()) {
            d->scroll = std::max(0.0, d->scroll - (d->last.y() - before.y()));
            d->geometryKnown = false;
            update();
        }
        d->state.pan(by);
        break;
    }
    case Private::Drag::Select:
        d->state.select(TimeRange { d->selectFrom, scale.toTime(d->last.x()) });
        break;
    default:
        d->state.setHover(spanAt(d->last));
        if (d->state.hover())
            update(); // the card follows the mouse
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto drag = std::exchange(d->drag, Private::Drag::None);
    if (drag != Private::Drag::Press || event->button() != Qt::LeftButton)
        return;
    const auto span = spanAt(event->position());
    d->state.select(std::nullopt);
    if (span && carriesMicrobatch(d->model.span(*span).kind))
        d->state.followMicrobatch(d->model.span(*span).microbatch);
    else
        d->state.followMicrobatch(std::nullopt);
    if (span)
        emit spanActivated(*span);
}

void TimelineView::leaveEvent(QEvent*)
{
    d->state.setHover(std::nullopt);
}

} // namespace stageloom
