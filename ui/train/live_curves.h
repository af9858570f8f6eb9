// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/metric_store.h"
#include <QWidget>

class QLabel;

namespace stageloom {

class CurvePlot;

// The four curves of a run that goes on, each with its newest value: loss (validation as rings),
// tokens per second, gradient norm, memory.
class LiveCurves : public QWidget {
    Q_OBJECT
public:
    explicit LiveCurves(QWidget* parent = nullptr);
    void clear();
    void show(const std::vector<MetricPoint>& points); // appends what is new since the last call

private:
    struct Column {
        double MetricPoint::*field;
        CurvePlot* plot;
        QLabel* value;
    };
    void reset(const std::vector<MetricPoint>& points);
    void showValues(const MetricPoint& last);
    std::vector<Column> m_columns;
    std::size_t m_shown = 0; // points
};

} // namespace stageloom
