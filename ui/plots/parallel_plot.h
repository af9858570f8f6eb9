// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/parallel_axes.h"
#include <QColor>
#include <QPixmap>
#include <QWidget>

namespace stageloom {

// Parallel coordinates: one vertical axis a column, one line a row. Dragging on an axis keeps the
// rows inside, dragging its brush moves it, a click drops it, Escape or a double-click drops all.
//   Left, Right choose an axis; Enter puts a brush on it; Up, Down move it, with Shift widen and
//   narrow it; Delete drops it.
class ParallelPlot : public QWidget {
    Q_OBJECT
public:
    explicit ParallelPlot(QWidget* parent = nullptr);
    // rows[r][c]; NaN where a row has no value: its line skips that axis. Brushes stay on axes of
    // the same title.
    void setAxes(std::vector<ParallelAxis> axes, std::vector<ParallelRow> rows,
        std::vector<QColor> colours = {});
    void setBrush(int column, std::optional<std::pair<double, double>> range);
    void dropBrushes();
    [[nodiscard]] bool isBrushed() const;
    [[nodiscard]] int currentAxis() const { return m_current; }
    [[nodiscard]] const std::vector<ParallelAxis>& axes() const { return m_axes; }
    [[nodiscard]] std::vector<int> selectedRows() const; // inside every brush
    [[nodiscard]] QPointF place(int column, double value) const;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void brushChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<ParallelAxis> m_axes;
    std::vector<ParallelRow> m_rows;
    std::vector<QColor> m_colours; // invalid: the accent, thin
    QPixmap m_lines; // drawn once a change; empty: stale
    int m_current = 0; // axis of the keyboard
    int m_dragged = -1; // axis
    double m_dragStart = 0; // share of the axis
    std::optional<std::pair<double, double>> m_dragBrush; // being moved: where it was
    bool m_moved = false;
    [[nodiscard]] int axisCount() const { return static_cast<int>(m_axes.size()); }
    [[nodiscard]] int axisAt(double x) const; // -1: none
    [[nodiscard]] double shareAt(double y) const;
    [[nodiscard]] double columnX(int column) const;
    void stale();
    void paintLines(QPainter& painter) const;
    void paintAxis(QPainter& painter, int column) const;
    bool brushKey(int key, bool wider);
};

} // namespace stageloom
