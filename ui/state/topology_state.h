// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include "ui/state/latest_job.h"
#include "ui/state/topology_edits.h"
#include <QObject>
#include <QUndoStack>
#include <optional>

namespace stageloom {

// The chosen device or pair of devices; picture, matrix and details follow it.
struct MachineSelection {
    int a = -1, b = -1; // device indices; b: the other end of a pair (a < b); -1: none
    [[nodiscard]] bool isDevice() const { return a >= 0 && b < 0; }
    [[nodiscard]] bool isPair() const { return a >= 0 && b >= 0; }
    bool operator==(const MachineSelection&) const = default;
};

// The machine on the Topology page: the plan's, or one opened to look at. Edits of the plan's
// machine are asked of the plan; others change what is looked at.
class TopologyState : public QObject {
    Q_OBJECT
public:
    explicit TopologyState(QObject* parent = nullptr);
    void open(const QString& source); // a preset, "local" or a file
    void show(const Topology& topology); // to look at
    // The plan's machine. Another one that is looked at stays until the plan's is a new one.
    void followPlan(const Topology& topology);
    void showPlans(); // back from a look at another
    [[nodiscard]] bool hasPlans() const { return m_plans.has_value(); }

    [[nodiscard]] const std::optional<Topology>& topology() const { return m_topology; }
    [[nodiscard]] bool isPlans() const { return m_isPlans; }
    [[nodiscard]] bool isBusy() const { return m_job.running(); }
    void cancel() { m_job.drop(); } // what is being read; what is shown stays
    // Of edits of a machine that is only looked at; those of the plan's are the plan's.
    QUndoStack& undoStack() { return m_undo; }

    [[nodiscard]] const MachineSelection& selection() const { return m_selection; }
    void selectDevice(int index);
    void selectPair(int a, int b);
    void clearSelection();
    [[nodiscard]] const Link* selectedLink() const; // null: no pair, or no link between the two

    // Of the selection, or of a device named; nothing where they cannot be done.
    void unplug(int a, int b);
    void remove(int device);
    void addLike(int device);

signals:
    void busyChanged();
    void changed();
    void selectionChanged();
    void planEditAsked(const QString& what, const stageloom::MachineEdit& edit);
    void failed(const QString& sentence);

private:
    friend class LookedAtEdit;
    void take(const Topology& topology, bool plans);
    void set(const Topology& topology, bool plans);
    void apply(const QString& what, const MachineEdit& edit);
    void select(const MachineSelection& selection);

    LatestJob<Result<Topology>> m_job;
    std::optional<Topology> m_topology;
    std::optional<Topology> m_plans; // the plan's, also while another is looked at
    bool m_isPlans = false;
    QUndoStack m_undo;
    MachineSelection m_selection;
};

QString deviceLabel(const Device& device); // "GPU 0", "Worker 1"
// Of each stage's first device; "Stage 2" where the machine has no such device.
QStringList stageDeviceLabels(const std::vector<PlanStage>& stages, const Topology& machine);

} // namespace stageloom
