// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/run_builder.h"

#include "core/plan/plan_schedule.h"
#include "engine/device/device.h"
#include "engine/nn/build_stage.h"

namespace stageloom::engine {

namespace {
RunShape shapeOf(const Plan& plan, const Model& model, std::int64_t steps)
{
    RunShape shape;
    shape.schedule = scheduleRequest(plan, model, static_cast<int>(steps));
    for (const PlanStage& stage : plan.stages) {
        shape.layers.emplace_back(stage.firstLayer, stage.lastLayer);
        shape.devices.push_back(
            plan.topology.devices[static_cast<std::size_t>(stage.devices.front())]);
    }
    shape.optimizer = plan.optimizer;
    return shape;
}

Status addSchedule(ExecutorInput& input, const ScheduleRequest& request)
{
    auto schedule = makeSchedule(request);
    if (!schedule)
        return failure(schedule);
    input.schedule = std::move(*schedule);
    input.proof = verifySchedule(input.schedule);
    if (!input.proof.ok())
        return fail(ErrorKind::Invalid, "The schedule is not sound: {}",
            input.proof.findings.front().message);
    return {};
}

Result<StageParts> buildParts(
    const RunShape& shape, const Model& model, std::size_t stage, int versions, std::uint64_t seed)
{
    auto module = buildStage(model, shape.layers[stage].first, shape.layers[stage].second);
    if (!module)
        return failure(module);
    const auto device = openDevice(shape.devices[stage]);
    if (!device)
        return failure(device);
    const auto options = at::device(*device).dtype(at::kFloat);
    StageParts parts;
    parts.device = *device;
    parts.module = std::move(*module);
    parts.versions = std::make_unique<WeightVersions>(*parts.module, versions, options);
    initialize(*parts.module, parts.versions->flat(0), seed);
    parts.optimizer = makeOptimizer(shape.optimizer, *parts.module, options);
    return parts;
}
}

Result<ExecutorInput> buildRun(
    const RunShape& shape, const Model& model, const BuildOptions& options)
{
    ExecutorInput input;
    if (Status added = addSchedule(input, shape.schedule); !added)
        return failure(added);
    input.optimizer = shape.optimizer;
    input.plannedSteps = shape.schedule.batches;
    input.threadsPerStage = options.threadsPerStage;
    for (std::size_t s = 0; s < shape.layers.size(); ++s) {
        auto parts = buildParts(shape, model, s, input.proof.peakVersions[s], options.seed);
        if (!parts)
            return failure(parts);
        input.stages.push_back(std::move(*parts));
    }
    return input;
}

Result<ExecutorInput> buildRun(const Plan& plan, const Model& model, const BuildOptions& options)
{
    return buildRun(shapeOf(plan, model, options.steps), model, options);
}

} // namespace stageloom::engine
