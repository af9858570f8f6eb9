// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/last_batches.h"
#include "ui/state/live_run.h"
#include "ui/widgets/panel.h"

namespace stageloom {

class FactRows;
class IdleBars;

// What the run was started with, or what the open plan would start.
class RunFactsPanel : public Panel {
    Q_OBJECT
public:
    explicit RunFactsPanel(QWidget* parent = nullptr);
    void show(const LiveRun& run, const Plan& plan);

private:
    FactRows* m_facts;
    QList<std::pair<QString, QString>> m_shown;
};

// What idle device time goes to, and a line a device: how long it waits in a batch, and for whose
// result. One computation with the bubble (LastBatches).
class WaitsPanel : public Panel {
    Q_OBJECT
public:
    explicit WaitsPanel(QWidget* parent = nullptr);
    // `names`: of the devices as the timeline's lanes have them.
    void show(const LastBatches& batches, const QStringList& names);

private:
    IdleBars* m_idle;
    QLabel* m_waits;
};

} // namespace stageloom
