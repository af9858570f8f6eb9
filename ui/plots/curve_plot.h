// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/decimation.h"
#include <QColor>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QCustomPlot;
class QPainter;

namespace stageloom {

enum class CurveAxis { Step, Tokens, Seconds };

// One run's values of one metric. The x arrays are as long as `values`, or empty where not known.
struct Curve {
    QString name;
    QColor colour; // a colour of the theme follows it
    std::vector<double> steps, tokens, seconds, values;
    // Points drawn as rings (validation): their values, and x as above.
    std::vector<double> markerSteps, markerValues;
    Qt::PenStyle dash = Qt::SolidLine; // with the colour: which curve it is
    std::vector<double> markerTokens {}, markerSeconds {};
    std::optional<double> planned {}; // a dashed line over the whole width
    int mark = 0; // 0 circle, 1 square, 2 triangle, 3 diamond: with the colour which curve it is
};

// Curves of up to millions of points: each frame draws at most two points a pixel column and curve,
// its lowest and its highest. Smoothing runs over the full data, and the raw curve stays faint
// behind it. The vertical axis holds all that is drawn; where single spikes of a raw curve would
// press the rest into a line it holds the bulk, and a note at the edge says how far they go.
// Drag pans, wheel zooms, Shift and wheel zoom vertically, a double-click shows everything.
// `shortcuts()` says what the keys do.
class CurvePlot : public QWidget {
    Q_OBJECT
public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;

    void setCurves(std::vector<Curve> curves);
    // Live: a point more on a curve of setCurves.
    void append(std::size_t curve, double step, double tokens, double seconds, double value);
    void appendMarker(std::size_t curve, double step, double tokens, double seconds, double value);
    void setAxis(CurveAxis axis);
    void setSmoothing(double weight); // 0: none … 0.999, share kept from the mean so far
    void setLogarithmic(bool on);
    void setLegend(bool on);
    void setValueTitle(const QString& title); // of the vertical axis, with its unit
    void fit(); // all of x, and what is readable of y
    void fitAll(); // every spike too
    void zoom(double factor); // around the cursor, else the middle; < 1: in
    void zoomVertically(double factor, double anchor); // `anchor`: a value of the axis
    void setRange(double left, double right); // of the x axis in use
    void setFromZero(bool on); // the vertical axis begins at 0
    void setNamesAxis(bool on); // the horizontal one, under it
    void setReadsOut(bool on); // values beside the cursor; else only its line and marks
    void setCursor(std::optional<double> at); // on the x axis; says nothing
    [[nodiscard]] std::optional<double> cursor() const;
    // The curve's value nearest to a place on the x axis, smoothed as it is drawn; its newest
    // without a place.
    [[nodiscard]] std::optional<double> valueAt(
        std::size_t curve, const std::optional<double>& at) const;
    [[nodiscard]] QString placeAt(double at) const; // "step 800": the nearest of the first curve
    [[nodiscard]] bool isEmpty() const; // no curve has a point
    [[nodiscard]] QString readoutAt(double pixel) const; // values of all curves at a column
    [[nodiscard]] QString readoutOfCursor() const; // empty: none
    struct CurveLook {
        QString name;
        QColor colour;
        Qt::PenStyle dash;
    };
    [[nodiscard]] std::vector<CurveLook> curves() const;
    void paintOn(QPainter& painter, const QRect& place); // for a picture of several
    [[nodiscard]] QStringList edgeNotes() const; // "max 48.2 at step 71"
    [[nodiscard]] QString horizontalTitle() const;
    // Keys and what they do, for the help.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> shortcuts();
    [[nodiscard]] std::size_t pointsDrawn() const; // in the present frame
    [[nodiscard]] MinMax verticalRange() const; // of the axis

signals:
    void cursorMoved(const std::optional<double>& at); // by mouse or keys
    void rangeChosen(double left, double right); // of x, by a hand
    void fitChosen(bool whole);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
    QCustomPlot* m_plot; // child
    void buildItems();
    void refresh();
    void fitRange();
    void restyle();
    void styleSeries();
    void styleAxes();
    void rangeMoved();
    void drawSeries(std::vector<DrawnPoint>& faint, MinMax& firm);
    void showVertically(const MinMax& firm, const std::vector<DrawnPoint>& faint, bool log);
    void nameUnits();
    void nameValues();
    void moveCursor(int columns);
    void putCursor(std::optional<double> at);
    void showCursor();
    void showMarks();
    void showPlanned();
    bool wheel(const QWheelEvent& event);
    [[nodiscard]] std::optional<std::size_t> nearest(
        const Curve& curve, std::size_t size, double at) const;
    [[nodiscard]] QString readout(double at, bool place) const;
};

} // namespace stageloom
