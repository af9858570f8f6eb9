// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace stageloom {

struct ScatterPoint {
    double x = 0, y = 0;
    bool front = false; // on the Pareto front: accent, joined by a line
    QString label; // tooltip
};

// Points with the Pareto front joined; a click or the arrow keys choose one.
class ScatterPlot : public QWidget {
    Q_OBJECT
public:
    explicit ScatterPlot(QWidget* parent = nullptr);
    void setAxes(const QString& x, const QString& y);
    void setPoints(std::vector<ScatterPoint> points);
    void setCurrent(int index); // -1: none
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] int pointAt(const QPointF& position) const; // -1: none
    [[nodiscard]] QPointF place(int index) const; // where a point is drawn
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void activated(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::vector<ScatterPoint> m_points;
    QString m_xTitle, m_yTitle;
    int m_current = -1;
    double m_left = 0, m_right = 1, m_bottom = 0, m_top = 1; // data
    [[nodiscard]] QRectF plotArea() const;
    void choose(int index);
};

} // namespace stageloom
