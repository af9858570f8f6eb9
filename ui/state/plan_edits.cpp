// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_edits.h"

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

Plan withDevicesSwapped(const Plan& plan, int stage, int other)
{
    Plan next = plan;
    if (hasStage(plan, stage) && hasStage(plan, other))
        std::swap(stageOf(next, stage).devices, stageOf(next, other).devices);
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
