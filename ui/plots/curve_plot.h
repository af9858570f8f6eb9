// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/decimation.h"
#include <QColor>
#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

class QCustomPlot;

namespace stageloom {

enum class CurveAxis { Step, Tokens, Seconds };

// One run's values of one metric. The x arrays are as long as `values`, or empty where not known.
struct Curve {
    QString name;
    QColor colour; // a colour of the theme follows it
    std::vector<double> steps, tokens, seconds, values;
    // Points drawn as rings (validation): x by step only, and their values.
    std::vector<double> markerSteps, markerValues;
};

// Curves of up to millions of points: each frame draws at most two points a pixel column and curve,
// its lowest and its highest. Smoothing runs over the full data, and the raw curve stays faint
// behind it; the vertical axis holds the smooth curve and all but the rarest of the raw. Drag pans,
// wheel zooms, double-click fits.
class CurvePlot : public QWidget {
    Q_OBJECT
public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;

    void setCurves(std::vector<Curve> curves);
    // Live: a point more on a curve of setCurves.
    void append(std::size_t curve, double step, double tokens, double seconds, double value);
    void setAxis(CurveAxis axis);
    void setSmoothing(double weight); // 0: none … 0.999, share kept from the mean so far
    void setLogarithmic(bool on);
    void setLegend(bool on);
    void fit();
    void setRange(double left, double right); // of the x axis in use
    [[nodiscard]] QString readoutAt(double pixel) const; // values of all curves at a column
    [[nodiscard]] std::size_t pointsDrawn() const; // in the present frame
    [[nodiscard]] MinMax verticalRange() const; // of the axis
    bool savePng(const QString& path);
    bool saveSvg(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
    QCustomPlot* m_plot; // child
    void refresh();
    void fitRange();
    void restyle();
    void styleSeries();
    void rangeMoved();
    void fitVertically(const MinMax& sight, bool log);
};

} // namespace stageloom
