// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/parallel_plot.h"

#include "ui/theme/theme.h"
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kTop = 36, kBottom = 24, kSide = 56;

} // namespace

ParallelPlot::ParallelPlot(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(240, 140);
    setAccessibleName(tr("Parallel coordinates"));
    setToolTip(tr("Drag along an axis to keep the runs inside; click the axis to drop its brush."));
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { update(); });
}

void ParallelPlot::setData(
    const QStringList& columns, std::vector<std::vector<double>> rows, std::vector<QColor> colours)
{
    m_rows = std::move(rows);
    m_colours = std::move(colours);
    m_axes.clear();
    for (qsizetype c = 0; c < columns.size(); ++c) {
        Axis axis;
        axis.title = columns[c];
        double low = INFINITY, high = -INFINITY;
        for (auto& row : m_rows) {
            row.resize(static_cast<std::size_t>(columns.size()), NAN);
            const double value = row[static_cast<std::size_t>(c)];
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        }
        if (low <= high) {
            axis.low = low;
            axis.high = high > low ? high : low + 1;
        }
        m_axes.push_back(axis);
    }
    update();
    emit brushChanged();
}

void ParallelPlot::setBrush(int column, std::optional<std::pair<double, double>> range)
{
    if (column < 0 || column >= static_cast<int>(m_axes.size()))
        return;
    if (range && range->first > range->second)
        std::swap(range->first, range->second);
    m_axes[static_cast<std::size_t>(column)].brush = range;
    update();
    emit brushChanged();
}

bool ParallelPlot::inside(int row) const
{
    const auto& values = m_rows[static_cast<std::size_t>(row)];
    for (std::size_t c = 0; c < m_axes.size(); ++c)
        if (const auto& brush = m_axes[c].brush)
            if (!(values[c] >= brush->first && values[c] <= brush->second))
                return false;
    return true;
}

std::vector<int> ParallelPlot::selectedRows() const
{
    std::vector<int> rows;
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        if (inside(row))
            rows.push_back(row);
    return rows;
}

double ParallelPlot::columnX(int column) const
{
    const auto gaps = std::max<double>(1, static_cast<double>(m_axes.size()) - 1);
    return kSide + column * (width() - 2 * kSide) / gaps;
}

QPointF ParallelPlot::place(int column, double value) const
{
    const Axis& axis = m_axes[static_cast<std::size_t>(column)];
    const double share = (value - axis.low) / (axis.high - axis.low);
    return { columnX(column), height() - kBottom - share * (height() - kTop - kBottom) };
}

double ParallelPlot::valueAt(int column, double y) const
{
    const Axis& axis = m_axes[static_cast<std::size_t>(column)];
    const double share
        = std::clamp((height() - kBottom - y) / (height() - kTop - kBottom), 0.0, 1.0);
    return axis.low + share * (axis.high - axis.low);
}

QSize ParallelPlot::sizeHint() const
{
    return { 640, 260 };
}

void ParallelPlot::mousePressEvent(QMouseEvent* event)
{
    m_dragged = -1;
    m_moved = false;
    for (int c = 0; c < static_cast<int>(m_axes.size()); ++c)
        if (std::fabs(columnX(c) - event->position().x()) <= 14)
            m_dragged = c;
    if (m_dragged >= 0)
        m_dragStart = valueAt(m_dragged, event->position().y());
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragged < 0)
        return;
    m_moved = true;
    setBrush(m_dragged, std::pair(m_dragStart, valueAt(m_dragged, event->position().y())));
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent*)
{
    if (m_dragged >= 0 && !m_moved)
        setBrush(m_dragged, std::nullopt);
    m_dragged = -1;
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent*)
{
    for (Axis& axis : m_axes)
        axis.brush.reset();
    update();
    emit brushChanged();
}

void ParallelPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& t = theme();
    painter.fillRect(rect(), t.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    // Rows outside the brushes first, so that none lies over one inside.
    for (const bool chosen : { false, true })
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            if (inside(static_cast<int>(r)) != chosen)
                continue;
            const QColor colour = r < m_colours.size() ? m_colours[r] : t.accent;
            painter.setPen(QPen(chosen ? colour : Theme::mix(t.muted, t.panel, 0.2), 1.5));
            for (int c = 0; c + 1 < static_cast<int>(m_axes.size()); ++c) {
                const double a = m_rows[r][static_cast<std::size_t>(c)];
                const double b = m_rows[r][static_cast<std::size_t>(c) + 1];
                if (std::isfinite(a) && std::isfinite(b))
                    painter.drawLine(place(c, a), place(c + 1, b));
            }
        }
    painter.setFont(t.captionFont());
    for (int c = 0; c < static_cast<int>(m_axes.size()); ++c) {
        const Axis& axis = m_axes[static_cast<std::size_t>(c)];
        const QPointF low = place(c, axis.low), high = place(c, axis.high);
        painter.setPen(QPen(t.line, 1));
        painter.drawLine(low, high);
        if (axis.brush) {
            painter.setPen(QPen(t.accent, 5, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(place(c, axis.brush->first), place(c, axis.brush->second));
        }
        painter.setPen(t.text);
        painter.drawText(QRectF(high.x() - 60, 0, 120, 18), Qt::AlignCenter, axis.title);
        painter.setPen(t.muted);
        painter.drawText(QRectF(high.x() - 60, 17, 120, 16), Qt::AlignCenter,
            QString::number(axis.high, 'g', 3));
        painter.drawText(QRectF(low.x() - 60, height() - 20, 120, 16), Qt::AlignCenter,
            QString::number(axis.low, 'g', 3));
    }
}

} // namespace stageloom
