// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;
class QCustomPlot;

namespace stageloom {

struct ScatterPoint {
    double x = 0, y = 0;
    bool front = false; // on the Pareto front: accent, joined by a line
    QString label; // tooltip
    bool possible = true; // else hollow
    QString mark {}; // a letter that stands at it
};

// Points over numbered axes with the Pareto front joined; a click or the arrow keys choose one.
class ScatterPlot : public QWidget {
    Q_OBJECT
public:
    explicit ScatterPlot(QWidget* parent = nullptr);
    void setPoints(std::vector<ScatterPoint> points);
    void setLimit(double x); // a line that no possible point is right of; 0: none
    void setCurrent(int index); // -1: none
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] int pointAt(const QPointF& position) const; // -1: none
    [[nodiscard]] QPointF place(int index) const; // where a point is drawn
    [[nodiscard]] QSize sizeHint() const override { return { 260, 150 }; }

signals:
    void activated(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fit();
    void recolour();
    void placeMarks();
    void choose(int index);
    [[nodiscard]] const ScatterPoint& point(int index) const
    {
        return m_points[static_cast<std::size_t>(index)];
    }

    QCustomPlot* m_plot;
    QCPGraph *m_others, *m_front, *m_impossible, *m_chosen; // the plot's
    QCPItemStraightLine* m_line;
    std::vector<ScatterPoint> m_points;
    double m_limit = 0;
    int m_current = -1;
};

} // namespace stageloom
