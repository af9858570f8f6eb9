// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_schedule.h"

#include <algorithm>

namespace stageloom {

ScheduleRequest scheduleRequest(const Plan& plan, const Model& model, int batches)
{
    ScheduleRequest request;
    request.name = plan.schedule;
    request.depth = plan.depth();
    request.microbatches = plan.microbatches;
    request.batches = batches;
    request.microbatchSize = plan.microbatchSize;
    request.width = plan.width();
    for (const PlanStage& stage : plan.stages)
        request.recompute.push_back(stage.recompute);
    request.crossStageUpdate = crossStageUpdate(plan, model);
    return request;
}

bool reducesUpdates(const ScheduleInfo& info, int depth, bool coupled)
{
    return depth > 1 && (coupled || info.versionRule != VersionRule::Stash);
}

bool crossStageUpdate(const Plan& plan, const Model& model)
{
    const bool coupled = plan.optimizer.clipNorm > 0
        || std::any_of(plan.stages.begin(), plan.stages.end(),
            [&](const PlanStage& s) { return tiedAcross(model, s.firstLayer, s.lastLayer); });
    const ScheduleInfo* info = findSchedule(plan.schedule);
    return info && reducesUpdates(*info, plan.depth(), coupled);
}

bool tiedAcross(const Model& model, int firstLayer, int lastLayer)
{
    for (int i = firstLayer; i <= lastLayer; ++i) {
        const std::string& owner = model.layers[std::size_t(i)].tiedTo;
        const auto found = std::find_if(model.layers.begin(), model.layers.end(),
            [&](const Layer& layer) { return layer.name == owner; });
        const auto at = found - model.layers.begin();
        if (!owner.empty() && found != model.layers.end() && (at < firstLayer || at > lastLayer))
            return true;
    }
    return false;
}

} // namespace stageloom
