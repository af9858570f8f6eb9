// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace stageloom {

// Parallel coordinates: one vertical axis a column, one line a row. Dragging on an axis keeps the
// rows inside; a click on the axis drops that brush, double-click all of them.
class ParallelPlot : public QWidget {
    Q_OBJECT
public:
    explicit ParallelPlot(QWidget* parent = nullptr);
    // rows[r][c]; NaN where a row has no value: its line skips that axis.
    void setData(const QStringList& columns, std::vector<std::vector<double>> rows,
        std::vector<QColor> colours = {});
    void setBrush(int column, std::optional<std::pair<double, double>> range);
    [[nodiscard]] std::vector<int> selectedRows() const; // inside every brush
    [[nodiscard]] QPointF place(int column, double value) const;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void brushChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    struct Axis {
        QString title;
        double low = 0, high = 1;
        std::optional<std::pair<double, double>> brush;
    };
    std::vector<Axis> m_axes;
    std::vector<std::vector<double>> m_rows;
    std::vector<QColor> m_colours;
    int m_dragged = -1; // axis
    double m_dragStart = 0; // value
    bool m_moved = false;
    [[nodiscard]] bool inside(int row) const;
    [[nodiscard]] double valueAt(int column, double y) const;
    [[nodiscard]] double columnX(int column) const;
};

} // namespace stageloom
