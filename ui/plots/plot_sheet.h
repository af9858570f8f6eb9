// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/curve_plot.h"

class QGridLayout;
class QLabel;

namespace stageloom {

// Small plots of the same curves, one a metric, side by side: one cursor goes through all of them,
// and what a hand does to the horizontal axis of one it does to all.
class PlotSheet : public QWidget {
    Q_OBJECT
public:
    explicit PlotSheet(int columns, QWidget* parent = nullptr);
    CurvePlot& addPlot(const QString& title, const QString& unit);
    [[nodiscard]] const std::vector<CurvePlot*>& plots() const { return m_plots; }
    void setUnit(std::size_t plot, const QString& unit); // behind its title
    void setValue(std::size_t plot, const QString& text, const QColor& colour); // at its right
    void setAxis(CurveAxis axis);
    void setSmoothing(double weight);
    void setLogarithmic(bool on);
    void setReadsOut(bool on);
    void fitAll();
    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    // With a line a curve below them: its name, in its colour.
    bool savePng(const QString& path);
    bool saveSvg(const QString& path);

signals:
    void cursorMoved(const std::optional<double>& at); // in the unit of the horizontal axis

private:
    struct Head {
        QLabel *title, *unit, *value;
    };
    void paintAll(QPainter& painter);
    [[nodiscard]] QSize pictureSize() const;
    QGridLayout* m_grid;
    int m_columns;
    std::vector<CurvePlot*> m_plots;
    std::vector<Head> m_heads;
    std::optional<double> m_cursor;
    bool m_passing = false; // a change goes on to the others
};

} // namespace stageloom
