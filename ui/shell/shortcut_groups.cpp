// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcut_groups.h"

#include "ui/model/layer_strip.h"
#include "ui/plan/stage_strip.h"
#include "ui/plots/curve_plot.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/topology_view.h"
#include <QCoreApplication>
#include <QMenuBar>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(stageloom::Shortcuts)
};

} // namespace

std::vector<ShortcutGroup> allShortcuts(const QMenuBar& menus)
{
    return {
        { Words::tr("Window"), shortcutsOf(menus) },
        { Words::tr("Every page"),
            { { Words::tr("Tab · Shift+Tab"), Words::tr("from control to control") },
                { Words::tr("Ctrl+F"), Words::tr("find on this page: layers, operations, runs") },
                { Words::tr("Ctrl+Return"), Words::tr("start the run, on the Train page") } } },
        { Words::tr("Model: blocks"), LayerStrip::shortcuts() },
        { Words::tr("Topology: devices and links"), TopologyView::shortcuts() },
        { Words::tr("Plan: stages"), StageStrip::shortcuts() },
        { Words::tr("Plan: memory"),
            { { Words::tr("Up · Down · Enter · Space"),
                Words::tr("what fills the device, in words") } } },
        { Words::tr("Timeline"), TimelineView::shortcuts() },
        { Words::tr("Train and Runs: curves"), CurvePlot::shortcuts() },
        { Words::tr("Runs: table"),
            { { Words::tr("Space · Ctrl+click"), Words::tr("tick the row: its curves are shown") },
                { Words::tr("Escape"), Words::tr("leave only the current row ticked") },
                { Words::tr("B"), Words::tr("pin the row as the baseline, or unpin it") },
                { Words::tr("Ctrl+C"), Words::tr("copy the ticked rows") },
                { Words::tr("F2"), Words::tr("edit the name, tags or notes") },
                { Words::tr("Delete"), Words::tr("delete") },
                { Words::tr("B"), Words::tr("compare the others with this run") },
                { Words::tr("Ctrl+A"), Words::tr("choose all that are shown") } } },
        { Words::tr("Tables"),
            { { Words::tr("Ctrl+C"), Words::tr("copy the chosen rows") },
                { Words::tr("Delete"), Words::tr("unplug the link, in the link matrix") } } },
        { Words::tr("Curves"), CurvePlot::shortcuts() },
        { Words::tr("Runs: parallel coordinates"),
            { { Words::tr("Left · Right"), Words::tr("from axis to axis") },
                { Words::tr("Enter · Space"), Words::tr("brush this axis") },
                { Words::tr("Up · Down"), Words::tr("move the brush; with Shift, its length") },
                { Words::tr("Delete · Backspace"), Words::tr("drop this axis's brush") },
                { Words::tr("Escape"), Words::tr("drop every brush") } } },
    };
}

} // namespace stageloom
