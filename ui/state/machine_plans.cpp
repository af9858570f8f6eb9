// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a plan whose machine changes.
#include "ui/state/topology_edits.h"

#include <algorithm>
#include <set>

namespace stageloom {

namespace {

// Devices no stage uses, lowest first.
class FreeDevices {
public:
    FreeDevices(const Plan& plan, std::size_t count)
    {
        for (int i = 0; i < static_cast<int>(count); ++i)
            m_free.insert(i);
        for (const PlanStage& stage : plan.stages)
            for (const int device : stage.devices)
                m_free.erase(device);
    }
    int take() // -1: none left
    {
        if (m_free.empty())
            return -1;
        const int device = *m_free.begin();
        m_free.erase(m_free.begin());
        return device;
    }

private:
    std::set<int> m_free;
};

bool lacksDevice(const PlanStage& stage)
{
    return std::find(stage.devices.begin(), stage.devices.end(), -1) != stage.devices.end();
}

// One replica fewer in every stage: the lost one where there is one, else the last.
void dropReplica(Plan& plan)
{
    for (PlanStage& stage : plan.stages) {
        const auto lost = std::find(stage.devices.begin(), stage.devices.end(), -1);
        stage.devices.erase(lost != stage.devices.end() ? lost : stage.devices.end() - 1);
    }
}

// The stage's layers go to the one before it, or after it for the first.
void joinNeighbour(Plan& plan, std::size_t stage)
{
    if (stage > 0)
        plan.stages[stage - 1].lastLayer = plan.stages[stage].lastLayer;
    else
        plan.stages[1].firstLayer = plan.stages[0].firstLayer;
    plan.stages.erase(plan.stages.begin() + static_cast<std::ptrdiff_t>(stage));
}

} // namespace

Plan withMachine(const Plan& plan, const MachineEdit& edit)
{
    Plan next = plan;
    next.topology = edit.topology;
    for (PlanStage& stage : next.stages)
        for (int& device : stage.devices)
            if (device >= 0 && device < static_cast<int>(edit.place.size()))
                device = edit.place[static_cast<std::size_t>(device)];
    FreeDevices free(next, edit.topology.devices.size());
    for (PlanStage& stage : next.stages)
        for (int& device : stage.devices)
            if (device < 0)
                device = free.take();
    const auto lacking
        = [&] { return std::find_if(next.stages.begin(), next.stages.end(), lacksDevice); };
    while (lacking() != next.stages.end() && next.width() > 1)
        dropReplica(next);
    for (auto stage = lacking(); stage != next.stages.end() && next.depth() > 1; stage = lacking())
        joinNeighbour(next, static_cast<std::size_t>(stage - next.stages.begin()));
    return next;
}

Plan withOtherMachine(const Plan& plan, const Topology& machine)
{
    MachineEdit edit { machine, std::vector<int>(plan.topology.devices.size(), -1) };
    Plan next = withMachine(plan, edit);
    next.topologySource = machine.name;
    // A name that says the machine, as the planner gives it, says the new one.
    const auto titleOf = [](const Topology& of) { return of.title.empty() ? of.name : of.title; };
    if (const std::string old = " on " + titleOf(plan.topology); next.name.ends_with(old))
        next.name.replace(next.name.size() - old.size(), old.size(), " on " + titleOf(machine));
    // Times measured on one kind of device say nothing about another.
    if (plan.topology.devices.empty() || machine.devices.empty()
        || plan.topology.devices.front().kind != machine.devices.front().kind)
        next.profile.reset();
    return next;
}

} // namespace stageloom
