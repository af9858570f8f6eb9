// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/parallel_plot.h"

#include "ui/theme/theme.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kTop = 56, kBottom = 24, kSide = 52, kReach = 14, kKeyStep = 0.05;

struct Segment {
    int gap, from, to; // axis on the left, pixels
    auto operator<=>(const Segment&) const = default;
};

} // namespace

ParallelPlot::ParallelPlot(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(240, 140);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Parallel coordinates"));
    setAccessibleDescription(tr("Left and Right choose an axis, Enter puts a brush on it, Up and "
                                "Down move it, Shift widens and narrows, Escape drops all."));
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { stale(); });
}

void ParallelPlot::stale()
{
    m_lines = {};
    update();
}

void ParallelPlot::setAxes(
    std::vector<ParallelAxis> axes, std::vector<ParallelRow> rows, std::vector<QColor> colours)
{
    for (std::size_t c = 0; c < axes.size(); ++c) {
        fitAxis(axes[c], c, rows);
        for (const ParallelAxis& old : m_axes)
            if (old.title == axes[c].title && old.labels == axes[c].labels)
                axes[c].brush = old.brush;
    }
    m_axes = std::move(axes);
    m_rows = std::move(rows);
    m_colours = std::move(colours);
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(m_axes.size()) - 1));
    stale();
}

void ParallelPlot::setBrush(int column, std::optional<std::pair<double, double>> range)
{
    if (column < 0 || column >= static_cast<int>(m_axes.size()))
        return;
    if (range && range->first > range->second)
        std::swap(range->first, range->second);
    auto& brush = m_axes[static_cast<std::size_t>(column)].brush;
    if (brush == range)
        return;
    brush = range;
    stale();
    emit brushChanged();
}

void ParallelPlot::dropBrushes()
{
    if (!isBrushed())
        return;
    for (ParallelAxis& axis : m_axes)
        axis.brush.reset();
    stale();
    emit brushChanged();
}

bool ParallelPlot::isBrushed() const
{
    return std::any_of(m_axes.begin(), m_axes.end(),
        [](const ParallelAxis& axis) { return axis.brush.has_value(); });
}

std::vector<int> ParallelPlot::selectedRows() const
{
    return rowsInside(m_axes, m_rows);
}

double ParallelPlot::columnX(int column) const
{
    const auto gaps = std::max<double>(1, static_cast<double>(m_axes.size()) - 1);
    const double x = kSide + column * (width() - 2 * kSide) / gaps;
    return layoutDirection() == Qt::RightToLeft ? width() - x : x;
}

QPointF ParallelPlot::place(int column, double value) const
{
    const double share = m_axes[static_cast<std::size_t>(column)].shareOf(value);
    return { columnX(column), height() - kBottom - share * (height() - kTop - kBottom) };
}

double ParallelPlot::shareAt(double y) const
{
    return std::clamp((height() - kBottom - y) / (height() - kTop - kBottom), 0.0, 1.0);
}

int ParallelPlot::axisAt(double x) const
{
    for (int c = 0; c < axisCount(); ++c)
        if (std::fabs(columnX(c) - x) <= kReach)
            return c;
    return -1;
}

QSize ParallelPlot::sizeHint() const
{
    return { 640, 260 };
}

void ParallelPlot::resizeEvent(QResizeEvent*)
{
    stale();
}

void ParallelPlot::mousePressEvent(QMouseEvent* event)
{
    m_moved = false;
    m_dragBrush.reset();
    m_dragged = axisAt(event->position().x());
    if (m_dragged < 0)
        return;
    m_current = m_dragged;
    m_dragStart = shareAt(event->position().y());
    const ParallelAxis& axis = m_axes[static_cast<std::size_t>(m_dragged)];
    if (axis.brush) {
        const double value = axis.valueAt(m_dragStart);
        if (value >= axis.brush->first && value <= axis.brush->second)
            m_dragBrush = axis.brush;
    }
    update();
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragged < 0)
        return;
    const double share = shareAt(event->position().y());
    if (!m_moved && std::fabs(share - m_dragStart) * height() < 3)
        return; // a click that trembles
    m_moved = true;
    const ParallelAxis& axis = m_axes[static_cast<std::size_t>(m_dragged)];
    if (m_dragBrush)
        setBrush(m_dragged, movedBrush(axis, *m_dragBrush, share - m_dragStart));
    else
        setBrush(m_dragged, std::pair(axis.valueAt(m_dragStart), axis.valueAt(share)));
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent*)
{
    if (m_dragged >= 0 && !m_moved)
        setBrush(m_dragged, std::nullopt);
    m_dragged = -1;
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent*)
{
    dropBrushes();
}

bool ParallelPlot::brushKey(int key, bool wider)
{
    if (m_axes.empty())
        return false;
    const ParallelAxis& axis = m_axes[static_cast<std::size_t>(m_current)];
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        setBrush(m_current, std::pair(axis.valueAt(0.5), axis.high));
        return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        setBrush(m_current, std::nullopt);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        if (!axis.brush)
            return false;
        const double by = key == Qt::Key_Up ? kKeyStep : -kKeyStep;
        setBrush(m_current,
            wider ? widenedBrush(axis, *axis.brush, by) : movedBrush(axis, *axis.brush, by));
        return true;
    }
    default:
        return false;
    }
}

void ParallelPlot::keyPressEvent(QKeyEvent* event)
{
    const int towardsEnd = layoutDirection() == Qt::RightToLeft ? -1 : 1;
    switch (event->key()) {
    case Qt::Key_Escape:
        dropBrushes();
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int by = event->key() == Qt::Key_Right ? towardsEnd : -towardsEnd;
        m_current = std::clamp(m_current + by, 0, std::max(0, static_cast<int>(m_axes.size()) - 1));
        update();
        return;
    }
    default:
        if (!brushKey(event->key(), event->modifiers().testFlag(Qt::ShiftModifier)))
            QWidget::keyPressEvent(event);
    }
}

bool ParallelPlot::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int axis = axisAt(help->pos().x());
        QToolTip::showText(help->globalPos(),
            axis < 0 ? tr("One line a run. Drag along an axis to keep the runs inside; click it "
                          "to drop its brush, Escape drops all.")
                     : tr("%1: drag to keep the runs inside")
                           .arg(m_axes[static_cast<std::size_t>(axis)].title),
            this);
        return true;
    }
    return QWidget::event(event);
}

// Thousands of lines fall on the same pixels: each pair of pixels between two axes is drawn once.
void ParallelPlot::paintLines(QPainter& painter) const
{
    const Theme& t = theme();
    std::vector<Segment> outside, inside;
    std::vector<std::size_t> marked;
    const auto add = [this](std::vector<Segment>& to, const ParallelRow& row) {
        for (std::size_t c = 0; c + 1 < m_axes.size(); ++c)
            if (std::isfinite(row[c]) && std::isfinite(row[c + 1])) {
                const int axis = static_cast<int>(c);
                to.push_back({ axis, static_cast<int>(std::lround(place(axis, row[c]).y())),
                    static_cast<int>(std::lround(place(axis + 1, row[c + 1]).y())) });
            }
    };
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        const bool in = insideBrushes(m_axes, m_rows[r]);
        if (in && r < m_colours.size() && m_colours[r].isValid())
            marked.push_back(r);
        else
            add(in ? inside : outside, m_rows[r]);
    }
    const auto draw = [&](std::vector<Segment>& segments, const QPen& pen) {
        std::sort(segments.begin(), segments.end());
        segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
        painter.setRenderHint(QPainter::Antialiasing, segments.size() < 3000);
        painter.setPen(pen);
        QVector<QLineF> lines;
        for (const Segment& s : segments)
            lines << QLineF(columnX(s.gap), s.from, columnX(s.gap + 1), s.to);
        painter.drawLines(lines);
    };
    // Rows outside the brushes first, so that none lies over one inside.
    draw(outside, QPen(Theme::mix(t.muted, t.panel, 0.22), 1));
    draw(inside, QPen(Theme::mix(t.accent, t.panel, marked.empty() ? 0.75 : 0.45), 1.2));
    for (const std::size_t r : marked) {
        std::vector<Segment> own;
        add(own, m_rows[r]);
        draw(own, QPen(m_colours[r], 2.4));
    }
}

void ParallelPlot::paintAxis(QPainter& painter, int column) const
{
    const Theme& t = theme();
    const ParallelAxis& axis = m_axes[static_cast<std::size_t>(column)];
    const QPointF low = place(column, axis.low), high = place(column, axis.high);
    painter.setPen(QPen(Theme::mix(t.muted, t.panel, 0.55), 1));
    painter.drawLine(low, high);
    const bool current = hasFocus() && column == m_current;
    // Neighbours that are close write their titles in two rows.
    const double gap = (width() - 2 * kSide) / std::max<double>(1, axisCount() - 1.0);
    const double row = gap < 96 && column % 2 == 0 ? 0 : 17;
    const QRectF title(high.x() - 70, row + 2, 140, 18);
    QFont font = t.captionFont();
    font.setBold(current || axis.brush.has_value());
    painter.setFont(font);
    painter.setPen(current ? t.accent : t.text);
    painter.drawText(title, Qt::AlignCenter, axis.title);
    painter.setFont(t.captionFont());
    painter.setPen(t.muted);
    if (axis.labels.isEmpty()) {
        painter.drawText(
            QRectF(high.x() - 60, kTop - 19, 120, 16), Qt::AlignCenter, axis.text(axis.high));
        painter.drawText(
            QRectF(low.x() - 60, height() - 20, 120, 16), Qt::AlignCenter, axis.text(axis.low));
    } else {
        for (int i = 0; i < axis.labels.size(); ++i) {
            const QPointF at = place(column, i);
            QRectF word(at.x() - 60, at.y() - 8, 54, 16);
            if (column == 0)
                word.moveRight(at.x() - 4);
            else
                word.moveLeft(at.x() + 4);
            painter.drawText(word,
                (column == 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, axis.labels[i]);
        }
    }
    if (axis.brush) {
        const QRectF box(QPointF(high.x() - 6, place(column, axis.brush->second).y() - 1),
            QPointF(high.x() + 6, place(column, axis.brush->first).y() + 1));
        painter.setPen(QPen(t.accent, 1.5));
        QColor fill = t.accent;
        fill.setAlphaF(0.25F);
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 3, 3);
    }
}

void ParallelPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_lines.isNull()) {
        m_lines = QPixmap(size() * devicePixelRatioF());
        m_lines.setDevicePixelRatio(devicePixelRatioF());
        m_lines.fill(theme().panel);
        QPainter lines(&m_lines);
        paintLines(lines);
    }
    painter.drawPixmap(0, 0, m_lines);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int c = 0; c < axisCount(); ++c)
        paintAxis(painter, c);
}

} // namespace stageloom
