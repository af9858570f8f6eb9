// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of the plot of curves.
#include "ui/plots/curve_plot_private.h"
#include "ui/theme/theme.h"
#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kKeyZoom = 1.4; // a press
constexpr int kCursorStep = 6; // px a press of an arrow key

double zoomed(double value, double anchor, double factor, bool logarithmic)
{
    return logarithmic ? anchor * std::pow(value / anchor, factor)
                       : anchor + (value - anchor) * factor;
}

} // namespace

std::vector<std::pair<QString, QString>> CurvePlot::shortcuts()
{
    return { { tr("Left, Right"), tr("Read the curves out; with Shift in larger steps") },
        { tr("Home, End"), tr("Read out the first, the last point in sight") },
        { tr("+, −"), tr("Zoom in, out") }, { tr("Up, Down"), tr("Zoom vertically") },
        { tr("0"), tr("Show all steps") }, { tr("A"), tr("Show everything, each spike too") },
        { tr("Esc"), tr("Put the read-out away") },
        { tr("Point"), tr("Read the curves out at once") }, { tr("Wheel"), tr("Zoom") },
        { tr("Shift+wheel"), tr("Zoom vertically") }, { tr("Drag"), tr("Move") },
        { tr("Double-click"), tr("Show everything") } };
}

void CurvePlot::zoom(double factor)
{
    const QCPRange range = m_plot->xAxis->range();
    const double anchor = d->cursor.value_or(range.center());
    d->fitted = false;
    m_plot->xAxis->setRange(
        zoomed(range.lower, anchor, factor, false), zoomed(range.upper, anchor, factor, false));
}

void CurvePlot::zoomVertically(double factor, double anchor)
{
    const bool log = m_plot->yAxis->scaleType() == QCPAxis::stLogarithmic;
    if (log && anchor <= 0)
        return;
    const QCPRange range = m_plot->yAxis->range();
    d->vertical = QCPRange(
        zoomed(range.lower, anchor, factor, log), zoomed(range.upper, anchor, factor, log));
    rangeMoved();
}

QString CurvePlot::readoutOfCursor() const
{
    return d->cursor ? readout(*d->cursor, true) : QString();
}

std::optional<double> CurvePlot::cursor() const
{
    return d->cursor;
}

void CurvePlot::setCursor(std::optional<double> at)
{
    d->cursor = at;
    showCursor();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::putCursor(std::optional<double> at)
{
    setCursor(at);
    emit cursorMoved(at);
    QAccessibleValueChangeEvent told(this, readoutOfCursor());
    QAccessible::updateAccessibility(&told);
}

void CurvePlot::moveCursor(int columns)
{
    const QCPAxis& axis = *m_plot->xAxis;
    const QCPRange range = axis.range();
    const double now = axis.coordToPixel(d->cursor.value_or(range.center()));
    const double moved = d->cursor ? axis.pixelToCoord(now + columns) : range.center();
    putCursor(std::clamp(moved, range.lower, range.upper));
}

void CurvePlot::showCursor()
{
    const bool shown = d->cursor && m_plot->xAxis->range().contains(*d->cursor);
    d->cursorLine->setVisible(shown);
    d->cursorText->setVisible(shown && d->readsOut);
    showMarks();
    if (!shown)
        return;
    d->cursorLine->point1->setCoords(*d->cursor, m_plot->yAxis->range().lower);
    d->cursorLine->point2->setCoords(*d->cursor, m_plot->yAxis->range().upper);
    d->cursorText->setText(readout(*d->cursor, true));
    // On the side of the line where there is room, off the legend's corner.
    const bool left = *d->cursor < m_plot->xAxis->range().center();
    const double share = (m_plot->xAxis->coordToPixel(*d->cursor) - m_plot->axisRect()->left())
        / std::max(1, m_plot->axisRect()->width());
    constexpr double kGap = 0.01;
    d->cursorText->setPositionAlignment((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
    d->cursorText->position->setCoords(share + (left ? kGap : -kGap), 1 - 2 * kGap);
}

void CurvePlot::showMarks()
{
    for (std::size_t i = 0; i < d->series.size(); ++i) {
        const std::optional<double> value
            = d->cursor && !d->many() ? valueAt(i, *d->cursor) : std::nullopt;
        QVector<QCPGraphData> mark;
        if (value && d->cursorLine->visible())
            mark.append(QCPGraphData(*d->cursor, *value));
        d->series[i].point->data()->set(mark, true);
    }
}

void CurvePlot::keyPressEvent(QKeyEvent* event)
{
    const bool far = event->modifiers().testFlag(Qt::ShiftModifier);
    const int step = kCursorStep * (far ? 10 : 1);
    const QCPRange range = m_plot->xAxis->range();
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(-step);
    case Qt::Key_Right:
        return moveCursor(step);
    case Qt::Key_Home:
        return putCursor(range.lower);
    case Qt::Key_End:
        return putCursor(range.upper);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(1 / kKeyZoom);
    case Qt::Key_Minus:
        return zoom(kKeyZoom);
    case Qt::Key_Up:
        return zoomVertically(1 / kKeyZoom, m_plot->yAxis->range().center());
    case Qt::Key_Down:
        return zoomVertically(kKeyZoom, m_plot->yAxis->range().center());
    case Qt::Key_0:
        fit();
        emit fitChosen(false);
        return;
    case Qt::Key_A:
        fitAll();
        emit fitChosen(true);
        return;
    case Qt::Key_Escape:
        if (d->cursor)
            return putCursor(std::nullopt);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void CurvePlot::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void CurvePlot::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

// The ring stands in the margin around the picture.
void CurvePlot::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
}

bool CurvePlot::wheel(const QWheelEvent& event)
{
    if (!event.modifiers().testFlag(Qt::ShiftModifier)) {
        d->fitted = false;
        return false; // the plot zooms along x
    }
    // Some systems turn the wheel sideways while Shift is held.
    const QPoint turned = event.angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    zoomVertically(std::pow(0.85, notches), m_plot->yAxis->pixelToCoord(event.position().y()));
    return true;
}

bool CurvePlot::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonDblClick:
        fitAll();
        emit fitChosen(true);
        break;
    case QEvent::Leave:
        putCursor(std::nullopt);
        break;
    case QEvent::MouseButtonPress:
        setFocus(Qt::MouseFocusReason);
        break;
    case QEvent::Wheel:
        if (wheel(*static_cast<QWheelEvent*>(event)))
            return true;
        break;
    case QEvent::Resize:
        rangeMoved();
        break;
    case QEvent::MouseMove: {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        if (mouse.buttons().testFlag(Qt::LeftButton))
            d->fitted = false;
        else if (m_plot->axisRect()->rect().contains(mouse.position().toPoint()))
            putCursor(m_plot->xAxis->pixelToCoord(mouse.position().x()));
        else if (d->cursor)
            putCursor(std::nullopt);
        break;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace stageloom
