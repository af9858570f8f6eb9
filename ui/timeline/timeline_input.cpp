// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, wheel and mouse of the timeline.
#include "ui/timeline/flow.h"
#include "ui/timeline/lane_cursor.h"
#include "ui/timeline/timeline_view_private.h"

#include <QAccessible>
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

// The one table of what keys and mouse do: the help reads it, and the keys are looked up in it.
struct TimelineView::Key {
    std::vector<QKeyCombination> keys; // none: the mouse's
    const char* shown;
    const char* what;
    void (*press)(TimelineView& view, QKeyCombination key) = nullptr;
    bool (*offered)(const TimelineView& view) = nullptr; // null: always
};

const std::vector<TimelineView::Key>& TimelineView::keys()
{
    using View = TimelineView;
    using Combination = QKeyCombination;
    const auto zoom = [](View& v, Combination key) {
        v.d->deriveGeometry();
        const TimeRange seen = v.d->state.visible();
        const QPointF mouse = v.d->mouse.last;
        const bool inside = v.underMouse() && mouse.x() > LaneLayout::kLabels;
        const bool in = key.key() == Qt::Key_W || key.key() == Qt::Key_Plus;
        v.d->state.zoom(in ? kKeyZoom : 1 / kKeyZoom,
            inside ? v.d->geometry.layout().scale.toTime(mouse.x()) : (seen.begin + seen.end) / 2);
    };
    const auto pan = [](View& v, Combination key) {
        v.d->state.pan(
            (key.key() == Qt::Key_A ? -kKeyPan : kKeyPan) * v.d->state.visible().length());
    };
    const auto ends = [](View& v, Combination key) {
        const TimeRange all = v.d->state.extent(), seen = v.d->state.visible();
        v.d->state.setVisible(
            shifted(seen, key.key() == Qt::Key_Home ? all.begin - seen.begin : all.end - seen.end));
    };
    const auto step = [](View& v, Combination key) {
        const bool sideways = key.key() == Qt::Key_Left || key.key() == Qt::Key_Right;
        const int by = key.key() == Qt::Key_Left || key.key() == Qt::Key_Up ? -1 : 1;
        v.moveCursor(sideways ? by : 0, sideways ? 0 : by);
    };
    const auto flow = [](View& v, Combination key) {
        v.moveAlongFlow(key.key() == Qt::Key_BracketRight || key.key() == Qt::Key_Right);
    };
    const auto escape = [](View& v, Combination) {
        TimelineState& state = v.d->state;
        state.setHover(std::nullopt);
        state.select(std::nullopt);
        state.setSelected(std::nullopt);
        state.followMicrobatch(std::nullopt);
        v.putCursor(std::nullopt);
    };
    const auto something = [](const View& v) {
        const TimelineState& state = v.d->state;
        return state.selection() || state.selected() || state.microbatch() || state.hover();
    };
    static const std::vector<Key> table {
        { { Qt::Key_W, Qt::Key_Plus, Qt::Key_S, Qt::Key_Minus }, QT_TR_NOOP("W S · + − · wheel"),
            QT_TR_NOOP("zoom about the pointer (with many devices: Ctrl+wheel)"), zoom },
        { { Qt::Key_A, Qt::Key_D }, QT_TR_NOOP("A D · drag · overview"),
            QT_TR_NOOP("move through time"), pan },
        { { Qt::Key_Home, Qt::Key_End }, QT_TR_NOOP("Home · End"),
            QT_TR_NOOP("to the beginning, to the end"), ends },
        { { Qt::Key_F }, QT_TR_NOOP("F"),
            QT_TR_NOOP("show all of the selection or the microbatch; again: everything"),
            [](View& v, Combination) { v.fitSelected(); } },
        { { Qt::CTRL | Qt::Key_0, Qt::SHIFT | Qt::Key_Backspace },
            QT_TR_NOOP("Ctrl+0 · Shift+Backspace"), QT_TR_NOOP("show everything"),
            [](View& v, Combination) { v.fit(); } },
        { { Qt::Key_Backspace }, QT_TR_NOOP("Backspace · Back button"),
            QT_TR_NOOP("back to the previous view"),
            [](View& v, Combination) { v.d->state.back(); } },
        { {}, QT_TR_NOOP("Shift+drag · drag on the ruler"),
            QT_TR_NOOP("select a range, with statistics") },
        { { Qt::Key_R }, QT_TR_NOOP("R"), QT_TR_NOOP("statistics of what is in sight"),
            [](View& v, Combination) { v.d->state.select(v.d->state.visible()); } },
        { { Qt::Key_T }, QT_TR_NOOP("T"), QT_TR_NOOP("the same as a table to sort and to copy"),
            [](View& v, Combination) { v.showRangeTable(); } },
        { { Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space }, QT_TR_NOOP("click · Enter · Space"),
            QT_TR_NOOP("details of an operation; follow its microbatch through all stages"),
            [](View& v, Combination) { v.activate(v.d->state.hover()); } },
        { {}, QT_TR_NOOP("double-click"), QT_TR_NOOP("zoom to an operation") },
        { { Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down }, QT_TR_NOOP("arrow keys"),
            QT_TR_NOOP("from operation to operation, from lane to lane"), step },
        { { Qt::Key_BracketLeft, Qt::Key_BracketRight, Qt::CTRL | Qt::Key_Left,
              Qt::CTRL | Qt::Key_Right },
            QT_TR_NOOP("[ ] · Ctrl+Left, Ctrl+Right"),
            QT_TR_NOOP("to what the operation waited for, to what used it"), flow },
        { {}, QT_TR_NOOP("Ctrl+F"), QT_TR_NOOP("find: F12, stage 2, batch 3") },
        { {}, QT_TR_NOOP("Enter · Shift+Enter · Escape, while finding"),
            QT_TR_NOOP("next hit, previous hit, close the search") },
        { { Qt::Key_N, Qt::SHIFT | Qt::Key_N }, QT_TR_NOOP("N · Shift+N"),
            QT_TR_NOOP("next and previous hit, in the timeline"),
            [](View& v, Combination key) {
                key.keyboardModifiers() & Qt::ShiftModifier ? v.searchPrevious() : v.searchNext();
            } },
        { { Qt::Key_M, Qt::SHIFT | Qt::Key_M }, QT_TR_NOOP("M · Shift+M"),
            QT_TR_NOOP("memory of the next, of the previous device"),
            [](View& v, Combination key) {
                v.stepMemoryDevice(key.keyboardModifiers() & Qt::ShiftModifier ? -1 : 1);
            } },
        { { Qt::Key_PageUp, Qt::Key_PageDown }, QT_TR_NOOP("Page up, page down · Alt+wheel"),
            QT_TR_NOOP("scroll the devices"),
            [](View& v, Combination key) {
                v.d->bar->triggerAction(key.key() == Qt::Key_PageUp
                        ? QAbstractSlider::SliderPageStepSub
                        : QAbstractSlider::SliderPageStepAdd);
            } },
        { { Qt::Key_Escape }, QT_TR_NOOP("Escape"),
            QT_TR_NOOP("drop card, details, selection and microbatch"), escape, something }
    };
    return table;
}

std::vector<std::pair<QString, QString>> TimelineView::shortcuts()
{
    std::vector<std::pair<QString, QString>> all;
    for (const Key& key : keys())
        all.emplace_back(tr(key.shown), tr(key.what));
    return all;
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const Qt::KeyboardModifiers held
        = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier);
    const auto pressed = static_cast<Qt::Key>(event->key());
    // As written, else without Shift: it may be what makes a "+".
    for (const Qt::KeyboardModifiers with : { held, held & ~Qt::ShiftModifier })
        for (const Key& key : keys())
            if (key.press && std::ranges::count(key.keys, QKeyCombination(with, pressed)) > 0
                && (!key.offered || key.offered(*this)))
                return key.press(*this, QKeyCombination(with, pressed));
    QWidget::keyPressEvent(event);
}

// From lane to lane and from span to span without a mouse; the card follows.
void TimelineView::moveCursor(int along, int down)
{
    d->deriveGeometry();
    if (const auto to
        = movedCursor(d->model(), d->geometry.layout(), d->state.hover(), along, down))
        showCursor(*to);
}

void TimelineView::showCursor(SpanRef to)
{
    d->mouse.byKeys = true;
    d->mouse.restedAt = d->mouse.last;
    const Span& s = d->model().span(to);
    if (s.end <= d->state.visible().begin || s.start >= d->state.visible().end)
        d->state.center((s.start + s.end) / 2);
    d->scrollTo(to);
    d->state.setHover(to);
    putCursor(std::clamp(s.start, d->state.visible().begin, d->state.visible().end));
    QAccessibleValueChangeEvent told(this, cursorWords());
    QAccessible::updateAccessibility(&told);
}

QString TimelineView::cursorWords() const
{
    QStringList words;
    if (d->mouse.byKeys && d->state.hover())
        for (const CardLine& line : d->card)
            words << line.text;
    return words.join(QStringLiteral(", "));
}

void TimelineView::putCursor(std::optional<double> time)
{
    if (d->cursor == time)
        return;
    d->cursor = time;
    update();
}

void TimelineView::moveSelection(int by)
{
    const auto from = d->state.selected();
    if (!from)
        return;
    d->deriveGeometry();
    const auto to = movedCursor(d->model(), d->geometry.layout(), from, by, 0);
    if (!to || *to == *from)
        return;
    activate(to);
    showTime(d->model().span(*to).start);
    d->scrollTo(*to);
    update();
}

// Where nothing is chosen: to the first operation in sight of the microbatch followed.
void TimelineView::moveAlongFlow(bool forth)
{
    const auto from = d->state.hover();
    const auto inSight = [this](SpanRef ref) {
        const Span& s = d->model().span(ref);
        return s.end > d->state.visible().begin && s.start < d->state.visible().end;
    };
    if (!from) {
        const auto first = std::ranges::find_if(d->derived.flow, inSight);
        if (first != d->derived.flow.end())
            showCursor(*first);
        return;
    }
    const auto to = forth ? userOf(d->model(), *from) : producerOf(d->model(), *from);
    if (!to)
        return;
    d->state.followMicrobatch(d->model().span(*to).microbatch);
    showCursor(*to);
}

// What is chosen stays so until another is: its details are being read.
void TimelineView::activate(std::optional<SpanRef> span)
{
    d->state.select(std::nullopt);
    if (span)
        d->state.setSelected(span);
    if (span && carriesMicrobatch(d->model().span(*span).kind))
        d->state.followMicrobatch(d->model().span(*span).microbatch);
    else
        d->state.followMicrobatch(std::nullopt);
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
    d->deriveGeometry();
    const QPointF delta = event->angleDelta();
    const double turns = (delta.y() != 0 ? delta.y() : delta.x()) / 120;
    const bool overflow = d->bar->maximum() > 0;
    const bool control = event->modifiers() & Qt::ControlModifier;
    if ((event->modifiers() & Qt::ShiftModifier)
        || (delta.y() == 0 && delta.x() != 0 && !(event->modifiers() & Qt::AltModifier)))
        d->state.pan(-turns * kKeyPan * d->state.visible().length());
    else if ((event->modifiers() & Qt::AltModifier) || (overflow && !control))
        d->bar->setValue(static_cast<int>(d->geometry.scroll() - turns * 60));
    else
        d->state.zoom(
            std::pow(kKeyZoom, turns), d->geometry.layout().scale.toTime(event->position().x()));
    event->accept();
}

// Of what the first click has chosen: its details may have come in sight since and moved the rows.
void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    d->deriveGeometry();
    if (const auto span = d->state.selected(); span && d->geometry.inLanes(event->position()))
        zoomTo({ d->model().span(*span).start, d->model().span(*span).end });
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::BackButton)
        return d->state.back();
    if (event->button() != Qt::LeftButton)
        return;
    d->deriveGeometry();
    TimelineMouse& mouse = d->mouse;
    mouse.pressed = mouse.last = event->position();
    const bool ruler = mouse.pressed.y() < LaneLayout::kRuler;
    if ((event->modifiers() & Qt::ShiftModifier) || ruler) {
        mouse.drag = TimelineMouse::Drag::Select;
        mouse.selectFrom = d->geometry.layout().scale.toTime(mouse.pressed.x());
    } else {
        mouse.drag = TimelineMouse::Drag::Press;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    d->deriveGeometry();
    TimelineMouse& mouse = d->mouse;
    const QPointF before = std::exchange(mouse.last, event->position());
    if (mouse.drag == TimelineMouse::Drag::Press
        && (mouse.last - mouse.pressed).manhattanLength() >= QApplication::startDragDistance()) {
        mouse.drag = TimelineMouse::Drag::Pan;
        d->state.beginGesture();
    }
    if (mouse.drag == TimelineMouse::Drag::Pan || mouse.drag == TimelineMouse::Drag::Select)
        return drag(before);
    // A hand that only trembles leaves the operation to the keys.
    if (mouse.byKeys
        && (mouse.last - mouse.restedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    mouse.byKeys = false;
    putCursor(d->geometry.inLanes(mouse.last)
            ? std::optional(d->geometry.layout().scale.toTime(mouse.last.x()))
            : std::nullopt);
    d->state.setHover(spanAt(mouse.last));
    d->hoverRow(mouse.last);
    const LaneRow* row = d->geometry.labelAt(mouse.last); // where a click opens a menu
    setCursor(row && row->kind == RowKind::Memory ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TimelineView::drag(const QPointF& from)
{
    const TimelineMouse& mouse = d->mouse;
    const TimeScale scale = d->geometry.layout().scale;
    const double to = scale.toTime(mouse.last.x());
    if (mouse.drag == TimelineMouse::Drag::Select)
        return d->state.select(TimeRange { mouse.selectFrom, to });
    d->bar->setValue(static_cast<int>(d->geometry.scroll() - (mouse.last.y() - from.y())));
    d->state.pan(scale.toTime(from.x()) - to);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const auto drag = std::exchange(d->mouse.drag, TimelineMouse::Drag::None);
    if (drag == TimelineMouse::Drag::Pan)
        d->state.endGesture();
    if (drag != TimelineMouse::Drag::Press)
        return;
    d->deriveGeometry();
    if (const LaneRow* row = d->geometry.labelAt(event->position());
        row && row->kind == RowKind::Memory)
        return chooseMemory(QPointF(4, row->top + 40).toPoint());
    activate(spanAt(event->position()));
}

void TimelineView::chooseMemory(const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMemoryMenu(*menu);
    menu->popup(mapToGlobal(at));
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
    if (!d->mouse.byKeys) {
        d->state.setHover(std::nullopt);
        putCursor(std::nullopt);
    }
    d->hoverRow({ -1, -1 });
}

} // namespace stageloom
