// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_comparison.h"
#include "ui/widgets/panel.h"
#include <QTimer>
#include <functional>

class QCheckBox;
class QComboBox;
class QSlider;
class QStackedLayout;
class QToolButton;

namespace stageloom {

class CurvePlot;

// One metric of the chosen runs, on one another.
class RunsCurvesPanel : public Panel {
    Q_OBJECT
public:
    explicit RunsCurvesPanel(RunComparison& comparison, QWidget* parent = nullptr);
    // Other runs than before: reads them. `base` is named as such; `chosen` of them a person chose.
    void showRuns(const std::vector<RunId>& ids, RunId base, std::size_t chosen);
    void reload(); // the same runs have gone on
    // Their slots in the palette of runs.
    void setSlots(std::function<int(RunId)> slotOf) { m_slotOf = std::move(slotOf); }
    [[nodiscard]] CurvePlot& plot() { return *m_plot; }

private:
    void buildControls();
    void takeCurves();
    bool appendTo(const std::vector<RunCurve>& curves);
    void showSmoothing();

    struct Shown {
        RunId id;
        std::size_t points = 0, markers = 0;
    };
    RunComparison& m_comparison;
    std::function<int(RunId)> m_slotOf;
    std::vector<RunId> m_ids;
    RunId m_base;
    std::size_t m_chosen = 0;
    std::vector<Shown> m_shown;
    RunMetric m_shownMetric = RunMetric::Loss;
    QStackedLayout* m_stack;
    CurvePlot* m_plot;
    QComboBox *m_metric, *m_axis;
    QCheckBox* m_log;
    QSlider* m_smoothing;
    QToolButton* m_fit;
    QTimer m_smoothDelay; // a slider that is dragged smooths once
};

} // namespace stageloom
