// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/topology_state.h"

namespace stageloom {

QString deviceLabel(const Device& device)
{
    return device.kind == DeviceKind::Gpu ? TopologyState::tr("GPU %1").arg(device.index)
                                          : TopologyState::tr("Worker %1").arg(device.index);
}

// Swaps the machine looked at; undone it swaps back.
class LookedAtEdit : public QUndoCommand {
public:
    LookedAtEdit(TopologyState& state, const QString& what, Topology after)
        : QUndoCommand(what)
        , m_state(state)
        , m_before(*state.topology())
        , m_after(std::move(after))
    {
    }
    void undo() override { m_state.set(m_before, false); }
    void redo() override { m_state.set(m_after, false); }

private:
    TopologyState& m_state;
    Topology m_before, m_after;
};

QStringList stageDeviceLabels(const std::vector<PlanStage>& stages, const Topology& machine)
{
    QStringList names;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        names << TopologyState::tr("Stage %1").arg(s);
        for (const Device& device : machine.devices)
            if (!stages[s].devices.empty() && device.index == stages[s].devices.front())
                names.back() = deviceLabel(device);
    }
    return names;
}

TopologyState::TopologyState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
    m_job.runningChanged = [this] { emit busyChanged(); };
}

void TopologyState::open(const QString& source)
{
    m_job.start([name = source.toStdString()] { return readTopology(name); },
        [this](Result<Topology> topology) {
            if (topology)
                show(*topology);
            else
                emit failed(QString::fromStdString(topology.error().message));
        });
}

void TopologyState::show(const Topology& topology)
{
    m_job.drop();
    take(topology, false);
}

void TopologyState::followPlan(const Topology& topology)
{
    // Every edit of the plan comes by here, most of them of something else.
    const bool looksAtAnother = m_topology && !m_isPlans && !sameMachine(*m_topology, topology);
    if (m_plans && sameMachine(*m_plans, topology) && (m_isPlans || looksAtAnother))
        return;
    m_plans = topology;
    m_job.drop();
    take(topology, true);
}

void TopologyState::showPlans()
{
    if (m_plans)
        take(*m_plans, true);
}

void TopologyState::take(const Topology& topology, bool plans)
{
    m_undo.clear();
    set(topology, plans);
}

void TopologyState::set(const Topology& topology, bool plans)
{
    m_topology = topology;
    m_isPlans = plans;
    const int count = static_cast<int>(topology.devices.size());
    if (m_selection.a >= count || m_selection.b >= count)
        m_selection = {};
    emit changed();
    emit selectionChanged(); // what is said of it may be another
}

void TopologyState::select(const MachineSelection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    emit selectionChanged();
}

void TopologyState::selectDevice(int index)
{
    select({ index, -1 });
}

void TopologyState::selectPair(int a, int b)
{
    if (a == b)
        selectDevice(a);
    else
        select({ std::min(a, b), std::max(a, b) });
}

void TopologyState::clearSelection()
{
    select({});
}

const Link* TopologyState::selectedLink() const
{
    return m_topology && m_selection.isPair()
        ? m_topology->linkBetween(m_selection.a, m_selection.b)
        : nullptr;
}

void TopologyState::unplug(int a, int b)
{
    if (!m_topology || m_topology->linkBetween(a, b) == nullptr)
        return;
    const auto& devices = m_topology->devices;
    apply(tr("Unplug %1 from %2")
              .arg(deviceLabel(devices[static_cast<std::size_t>(a)]),
                  deviceLabel(devices[static_cast<std::size_t>(b)])),
        withLinkUnplugged(*m_topology, a, b));
}

void TopologyState::remove(int device)
{
    if (!m_topology || device < 0 || device >= static_cast<int>(m_topology->devices.size()))
        return;
    if (m_topology->devices.size() == 1) {
        emit failed(tr("A machine keeps at least one device; add another one first."));
        return;
    }
    const QString what
        = tr("Remove %1").arg(deviceLabel(m_topology->devices[static_cast<std::size_t>(device)]));
    clearSelection();
    apply(what, withoutDevice(*m_topology, device));
}

void TopologyState::addLike(int device)
{
    if (!m_topology || device < 0 || device >= static_cast<int>(m_topology->devices.size()))
        return;
    apply(tr("Add a device like %1")
              .arg(deviceLabel(m_topology->devices[static_cast<std::size_t>(device)])),
        withDeviceLike(*m_topology, device));
}

void TopologyState::apply(const QString& what, const MachineEdit& edit)
{
    if (m_isPlans)
        emit planEditAsked(what, edit);
    else
        m_undo.push(new LookedAtEdit(*this, what, edit.topology));
}

} // namespace stageloom
