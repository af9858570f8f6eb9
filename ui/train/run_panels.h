// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/last_batches.h"
#include "ui/state/live_run.h"
#include "ui/widgets/panel.h"

namespace stageloom {

// What the run was started with, or what the open plan would start.
class RunFactsPanel : public Panel {
    Q_OBJECT
public:
    explicit RunFactsPanel(QWidget* parent = nullptr);
    void show(const LiveRun& run, const Plan& plan);

private:
    QLabel* m_facts;
};

// A line a device: how long it waits in a batch, and for whose result.
class WaitsPanel : public Panel {
    Q_OBJECT
public:
    explicit WaitsPanel(QWidget* parent = nullptr);
    // `names`: of the devices as the timeline's lanes have them.
    void show(const LastBatches& batches, const QStringList& names);

private:
    QLabel* m_waits;
};

} // namespace stageloom
