// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/metric_store.h"
#include "ui/widgets/panel.h"

namespace stageloom {

class PlotSheet;

// The curves of a run that goes on, each with its newest value, under one cursor: loss (validation
// as rings), tokens per second, gradient norm.
class LiveCurves : public Panel {
    Q_OBJECT
public:
    explicit LiveCurves(QWidget* parent = nullptr);
    void clear();
    void show(const std::vector<MetricPoint>& points); // appends what is new since the last call

private:
    void addPoint(const MetricPoint& point);
    void showValues(const MetricPoint& last);
    PlotSheet* m_sheet;
    std::size_t m_shown = 0; // points
    double m_validation = 0; // the newest; 0: none
};

} // namespace stageloom
