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
class QTableWidget;
class QToolButton;

namespace stageloom {

class PlotSheet;

// The metrics of the chosen runs as small plots with one cursor; the table of the values there is
// their legend.
class RunsCurvesPanel : public Panel {
    Q_OBJECT
public:
    explicit RunsCurvesPanel(RunComparison& comparison, QWidget* parent = nullptr);
    // Other runs than before: reads them. `base` is named as such; `chosen` of them a person chose.
    void showRuns(const std::vector<RunId>& ids, RunId base, RunId current, std::size_t chosen);
    void reload(); // the same runs have gone on
    // Their slots in the palette of runs.
    void setSlots(std::function<int(RunId)> slotOf) { m_slotOf = std::move(slotOf); }
    [[nodiscard]] PlotSheet& sheet() { return *m_sheet; }

private:
    void buildControls();
    void buildTable();
    void showCurves();
    bool appendTo(const std::vector<RunPoints>& runs);
    void showSmoothing();
    void showTable(); // runs and columns
    void showValues(); // at the cursor
    [[nodiscard]] int slotOf(RunId id) const;

    struct Shown {
        RunId id;
        std::size_t points = 0;
        bool evaluated = false; // at the last of them
        bool operator==(const Shown&) const = default;
    };
    RunComparison& m_comparison;
    std::function<int(RunId)> m_slotOf;
    std::vector<RunId> m_ids;
    RunId m_base, m_current;
    std::size_t m_chosen = 0;
    std::vector<Shown> m_shown;
    QStackedLayout* m_stack;
    PlotSheet* m_sheet;
    QTableWidget* m_table;
    QComboBox* m_axis;
    QCheckBox* m_log;
    QSlider* m_smoothing;
    QToolButton* m_fit;
    QTimer m_smoothDelay; // a slider that is dragged smooths once
};

} // namespace stageloom
