// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcut_groups.h"

#include "ui/pages/layer_strip.h"
#include "ui/pages/stage_strip.h"
#include "ui/pages/topology_view.h"
#include "ui/timeline/timeline_view.h"
#include <QCoreApplication>
#include <QMenuBar>

namespace stageloom {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("stageloom::Shortcuts", text);
}

} // namespace

std::vector<ShortcutGroup> allShortcuts(const QMenuBar& menus)
{
    return {
        { tr("Window"), shortcutsOf(menus) },
        { tr("Every page"),
            { { tr("Tab · Shift+Tab"), tr("from control to control") },
                { tr("Ctrl+F"), tr("find on this page: layers, operations, runs") },
                { tr("Ctrl+Return"), tr("start the run, on the Train page") } } },
        { tr("Model: blocks"), LayerStrip::shortcuts() },
        { tr("Topology: devices and links"), TopologyView::shortcuts() },
        { tr("Plan: stages"), StageStrip::shortcuts() },
        { tr("Plan: memory"), { { tr("Up · Down"), tr("what fills the device, in words") } } },
        { tr("Timeline"), TimelineView::shortcuts() },
        { tr("Runs: table"),
            { { tr("F2"), tr("edit the name, tags or notes") }, { tr("Delete"), tr("delete") },
                { tr("Ctrl+A"), tr("choose all that are shown") } } },
        { tr("Runs: parallel coordinates"),
            { { tr("Left · Right"), tr("from axis to axis") },
                { tr("Enter · Space"), tr("brush this axis") },
                { tr("Up · Down"), tr("move the brush; with Shift, its length") },
                { tr("Delete · Backspace"), tr("drop this axis's brush") },
                { tr("Escape"), tr("drop every brush") } } },
    };
}

} // namespace stageloom
