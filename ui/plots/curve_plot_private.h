// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/curve_plot.h"
#include <QtConcurrentMap>
#include <optional>
#include <qcustomplot.h>

namespace stageloom {

struct CurvePlot::Private {
    struct Series {
        Curve curve; // its values live in `raw`
        MinMaxPyramid raw, smooth;
        Smoother smoother; // at the curve's end, for append
        QCPGraph* rawGraph = nullptr; // owned by the plot
        QCPGraph* smoothGraph = nullptr;
        QCPGraph* markers = nullptr;
        [[nodiscard]] const std::vector<double>& values() const { return raw.values(); }
    };
    // What one series puts into the present range.
    struct Shown {
        std::vector<DrawnPoint> raw, line, rings;
    };
    std::vector<Series> series;
    CurveAxis axis = CurveAxis::Step;
    double weight = 0;
    bool fitted = true; // shows all, and goes on doing so as points come
    bool whole = false; // the vertical axis leaves no spike out
    std::optional<QCPRange> vertical; // chosen by hand
    bool pending = false; // a refresh is on its way
    std::size_t drawn = 0;

    std::optional<double> cursor; // of the keys, on the x axis
    QCPItemStraightLine* cursorLine = nullptr; // items are the plot's
    QCPItemText* cursorText = nullptr;
    QCPItemText* above = nullptr; // where the raw curve leaves the picture
    QCPItemText* below = nullptr;

    [[nodiscard]] const std::vector<double>& x(const Curve& curve) const
    {
        switch (axis) {
        case CurveAxis::Tokens:
            return curve.tokens;
        case CurveAxis::Seconds:
            return curve.seconds;
        case CurveAxis::Step:
            break;
        }
        return curve.steps;
    }
    [[nodiscard]] const std::vector<double>& markerX(const Curve& curve) const
    {
        switch (axis) {
        case CurveAxis::Tokens:
            return curve.markerTokens;
        case CurveAxis::Seconds:
            return curve.markerSeconds;
        case CurveAxis::Step:
            break;
        }
        return curve.markerSteps;
    }
    // Antialiased wide lines cost ten times a thin one, and faint raw curves of many runs are only
    // noise.
    [[nodiscard]] bool many() const { return series.size() > 20; }
    void smooth(Series& s) const
    {
        s.smoother = Smoother(weight);
        std::vector<double> line(weight > 0 ? s.values().size() : 0);
        for (std::size_t i = 0; i < line.size(); ++i)
            line[i] = s.smoother.next(s.values()[i]);
        s.smooth.assign(std::move(line));
    }
    // Curves are independent of each other: all processors take their share.
    template <typename Work> void forEach(Work work) { QtConcurrent::blockingMap(series, work); }
};

} // namespace stageloom
