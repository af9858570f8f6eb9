// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, wheel and mouse of the timeline.
#include "ui/timeline/flow.h"
#include "ui/timeline/lane_cursor.h"
#include "ui/timeline/timeline_view_private.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
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
        return state.pan(-kKeyPan * visible.length());
    case Qt::Key_D:
        return state.pan(kKeyPan * visible.length());
    case Qt::Key_F:
        return fitSelected();
    case Qt::Key_Backspace:
        return event->modifiers() & Qt::ShiftModifier ? fit() : state.back();
    case Qt::Key_N:
        return event->modifiers() & Qt::ShiftModifier ? searchPrevious() : searchNext();
    case Qt::Key_R:
        return state.select(visible);
    case Qt::Key_M:
        return stepMemoryDevice(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    case Qt::Key_T:
        return showRangeTable();
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        return moveAlongFlow(event->key() == Qt::Key_BracketRight);
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event->modifiers() & Qt::ControlModifier)
            return moveAlongFlow(event->key() == Qt::Key_Right);
        return moveCursor(event->key() == Qt::Key_Left ? -1 : 1, 0);
    case Qt::Key_Up:
    case Qt::Key_Down:
        return moveCursor(0, event->key() == Qt::Key_Up ? -1 : 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return activate(state.hover());
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        return d->bar->triggerAction(event->key() == Qt::Key_PageUp
                ? QAbstractSlider::SliderPageStepSub
                : QAbstractSlider::SliderPageStepAdd);
    case Qt::Key_Home:
    case Qt::Key_End: {
        const TimeRange all = state.extent();
        return state.setVisible(shifted(visible,
            event->key() == Qt::Key_Home ? all.begin - visible.begin : all.end - visible.end));
    }
    case Qt::Key_0:
        if (!(event->modifiers() & Qt::ControlModifier))
            break;
        return fit();
    case Qt::Key_Escape:
        if (!state.selection() && !state.microbatch() && !state.hover())
            break;
        state.setHover(std::nullopt);
        state.select(std::nullopt);
        return state.followMicrobatch(std::nullopt);
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

// From lane to lane and from span to span without a mouse; the card follows.
void TimelineView::moveCursor(int along, int down)
{
    d->deriveGeometry(size());
    if (const auto to = movedCursor(d->model, d->layout, d->state.hover(), along, down))
        showCursor(*to);
}

void TimelineView::showCursor(SpanRef to)
{
    d->byKeys = true;
    d->restedAt = d->last;
    const Span& s = d->model.span(to);
    if (s.end <= d->state.visible().begin || s.start >= d->state.visible().end)
        d->state.center((s.start + s.end) / 2);
    d->scrollTo(to);
    d->state.setHover(to);
    update();
}

// Where nothing is chosen: to the first operation in sight of the microbatch followed.
void TimelineView::moveAlongFlow(bool forth)
{
    const auto from = d->state.hover();
    const auto inSight = [this](SpanRef ref) {
        const Span& s = d->model.span(ref);
        return s.end > d->state.visible().begin && s.start < d->state.visible().end;
    };
    if (!from) {
        const auto first = std::ranges::find_if(d->flow, inSight);
        if (first != d->flow.end())
            showCursor(*first);
        return;
    }
    const auto to = forth ? userOf(d->model, *from) : producerOf(d->model, *from);
    if (!to)
        return;
    d->state.followMicrobatch(d->model.span(*to).microbatch);
    showCursor(*to);
}

void TimelineView::activate(std::optional<SpanRef> span)
{
    d->state.select(std::nullopt);
    if (span && carriesMicrobatch(d->model.span(*span).kind))
        d->state.followMicrobatch(d->model.span(*span).microbatch);
    else
        d->state.followMicrobatch(std::nullopt);
    if (span)
        emit spanActivated(*span);
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

// As in Perfetto: where rows overflow, the plain wheel scrolls them and Ctrl zooms; where all of
// them fit, the plain wheel zooms too.
void TimelineView::wheelEvent(QWheelEvent* event)
{
    d->deriveGeometry(size());
    const QPointF delta = event->angleDelta();
    const double turns = (delta.y() != 0 ? delta.y() : delta.x()) / 120;
    const bool overflow = d->bar->maximum() > 0;
    const bool control = event->modifiers() & Qt::ControlModifier;
    if ((event->modifiers() & Qt::ShiftModifier)
        || (delta.y() == 0 && delta.x() != 0 && !(event->modifiers() & Qt::AltModifier)))
        d->state.pan(-turns * kKeyPan * d->state.visible().length());
    else if ((event->modifiers() & Qt::AltModifier) || (overflow && !control))
        d->bar->setValue(static_cast<int>(d->scroll - turns * 60));
    else
        d->state.zoom(std::pow(kKeyZoom, turns), d->layout.scale.toTime(event->position().x()));
    event->accept();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto span = spanAt(event->position()))
        zoomTo({ d->model.span(*span).start, d->model.span(*span).end });
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::BackButton)
        return d->state.back();
    if (event->button() != Qt::LeftButton)
        return;
    d->deriveGeometry(size());
    d->pressed = d->last = event->position();
    const bool ruler = d->pressed.y() < LaneLayout::kRuler;
    if ((event->modifiers() & Qt::ShiftModifier) || ruler) {
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
        && (d->last - d->pressed).manhattanLength() >= QApplication::startDragDistance()) {
        d->drag = Private::Drag::Pan;
        d->state.beginGesture();
    }
    switch (d->drag) {
    case Private::Drag::Pan: {
        const double from = d->layout.scale.toTime(before.x());
        const double by = from - scale.toTime(d->last.x());
        d->bar->setValue(static_cast<int>(d->scroll - (d->last.y() - before.y())));
        d->state.pan(by);
        break;
    }
    case Private::Drag::Select:
        d->state.select(TimeRange { d->selectFrom, scale.toTime(d->last.x()) });
        break;
    default:
        // A hand that only trembles leaves the operation to the keys.
        if (d->byKeys
            && (d->last - d->restedAt).manhattanLength() < QApplication::startDragDistance())
            break;
        d->byKeys = false;
        d->state.setHover(spanAt(d->last));
        d->hoverRow(d->last);
        showHand(d->last);
        if (d->state.hover())
            update(); // the card follows the mouse
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const auto drag = std::exchange(d->drag, Private::Drag::None);
    if (drag == Private::Drag::Pan)
        d->state.endGesture();
    if (drag != Private::Drag::Press)
        return;
    d->deriveGeometry(size());
    if (const LaneRow* row = d->labelAt(event->position()); row && row->kind == RowKind::Memory) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillMemoryMenu(*menu);
        return menu->popup(mapToGlobal(QPointF(4, row->top + 40).toPoint()));
    }
    activate(spanAt(event->position()));
}

// Where a click opens a menu.
void TimelineView::showHand(const QPointF& at)
{
    const LaneRow* row = d->labelAt(at);
    setCursor(row && row->kind == RowKind::Memory ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool TimelineView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipAt(help->pos());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

void TimelineView::leaveEvent(QEvent*)
{
    if (!d->byKeys)
        d->state.setHover(std::nullopt);
    d->hoverRow({ -1, -1 });
}

} // namespace stageloom
