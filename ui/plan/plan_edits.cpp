// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_edits.h"

#include <algorithm>

namespace stageloom {

namespace {

bool hasStage(const Plan& plan, int stage)
{
    return stage >= 0 && stage < plan.depth();
}

PlanStage& stageOf(Plan& plan, int stage)
{
    return plan.stages[static_cast<std::size_t>(stage)];
}

} // namespace

Plan withBorder(const Plan& plan, int border, int firstLayer)
{
    Plan next = plan;
    if (!hasStage(plan, border) || !hasStage(plan, border + 1))
        return next;
    PlanStage& left = stageOf(next, border);
    PlanStage& right = stageOf(next, border + 1);
    const int place = std::clamp(firstLayer, left.firstLayer + 1, right.lastLayer);
    left.lastLayer = place - 1;
    right.firstLayer = place;
    return next;
}

Plan withRecomputeToggled(const Plan& plan, int stage)
{
    Plan next = plan;
    if (hasStage(plan, stage))
        stageOf(next, stage).recompute = !stageOf(next, stage).recompute;
    return next;
}

Plan withStageOnDevice(const Plan& plan, int stage, int device)
{
    Plan next = plan;
    if (!hasStage(plan, stage) || stageOf(next, stage).devices.empty())
        return next;
    const auto& devices = plan.topology.devices;
    if (std::none_of(devices.begin(), devices.end(),
            [device](const Device& d) { return d.index == device; }))
        return next;
    int& place = stageOf(next, stage).devices.front();
    for (PlanStage& other : next.stages)
        for (int& taken : other.devices)
            if (taken == device && &taken != &place) {
                taken = place;
            }
    place = device;
    return next;
}

std::vector<int> freeDevices(const Plan& plan)
{
    std::vector<int> free;
    for (const Device& device : plan.topology.devices)
        if (std::none_of(plan.stages.begin(), plan.stages.end(), [&device](const PlanStage& s) {
                return std::count(s.devices.begin(), s.devices.end(), device.index) > 0;
            }))
            free.push_back(device.index);
    return free;
}

Plan withSplit(const Plan& plan, int firstLayer)
{
    Plan next = plan;
    std::vector<int> free = freeDevices(plan);
    const auto width = static_cast<std::size_t>(plan.width());
    for (std::size_t s = 0; s < next.stages.size(); ++s) {
        PlanStage& left = next.stages[s];
        if (firstLayer <= left.firstLayer || firstLayer > left.lastLayer || free.size() < width)
            continue;
        PlanStage right = left;
        right.firstLayer = firstLayer;
        right.devices.assign(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(width));
        left.lastLayer = firstLayer - 1;
        next.stages.insert(next.stages.begin() + static_cast<std::ptrdiff_t>(s) + 1, right);
        break;
    }
    return next;
}

Plan withMerged(const Plan& plan, int border)
{
    Plan next = plan;
    if (!hasStage(plan, border) || !hasStage(plan, border + 1))
        return next;
    stageOf(next, border).lastLayer = stageOf(next, border + 1).lastLayer;
    next.stages.erase(next.stages.begin() + border + 1);
    return next;
}

Plan withMicrobatches(const Plan& plan, int microbatches)
{
    Plan next = plan;
    next.microbatches = std::max(1, microbatches);
    return next;
}

Plan withMicrobatchSize(const Plan& plan, int samples)
{
    Plan next = plan;
    next.microbatchSize = std::max(1, samples);
    // Times measured for another size would be taken for this one's.
    if (next.microbatchSize != plan.microbatchSize)
        next.profile.reset();
    return next;
}

Plan withSchedule(const Plan& plan, const std::string& name)
{
    Plan next = plan;
    next.schedule = name;
    return next;
}

} // namespace stageloom
