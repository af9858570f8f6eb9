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
        std::size_t settled = 0; // smooth values that later points do not move
        QCPGraph* rawGraph = nullptr; // owned by the plot
        QCPGraph* smoothGraph = nullptr;
        QCPGraph* markers = nullptr;
        QCPGraph* point = nullptr; // of the cursor
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

    std::optional<double> cursor; // of mouse or keys, on the x axis
    bool readsOut = true; // beside the cursor; else somebody else shows the values
    bool fromZero = false;
    bool namesAxis = true; // under it; else somebody else says what runs along it
    QString axisTitle;
    QCPItemStraightLine* cursorLine = nullptr; // items are the plot's
    QCPItemText* cursorText = nullptr;
    QCPItemText* nothing = nullptr; // instead of axes without a point
    std::vector<QCPItemStraightLine*> planned; // a curve, where it has a plan
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
        s.smooth.assign(weight > 0 ? smoothed(s.values(), weight) : std::vector<double>());
        s.settled = s.smooth.size() - std::min(s.smooth.size(), smoothingReach(weight));
    }
    // After points were appended: only as far back as they reach, however long the curve is.
    void smoothEnd(Series& s) const
    {
        const std::vector<double>& all = s.values();
        if (weight <= 0 || s.smooth.size() == all.size())
            return;
        const std::size_t reach = smoothingReach(weight);
        const std::size_t begin = s.settled - std::min(s.settled, reach);
        const std::vector<double> end
            = smoothed({ all.begin() + static_cast<std::ptrdiff_t>(begin), all.end() }, weight);
        s.smooth.truncate(s.settled);
        for (std::size_t i = s.settled; i < all.size(); ++i)
            s.smooth.append(end[i - begin]);
        s.settled = all.size() - std::min(all.size(), reach);
    }
    // Curves are independent of each other: all processors take their share.
    template <typename Work> void forEach(Work work) { QtConcurrent::blockingMap(series, work); }
};

} // namespace stageloom
