// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/run_builder.h"

#include "core/base/units.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/train_request.h"
#include "engine/device/device.h"
#include <algorithm>

namespace stageloom::engine {

namespace {
constexpr std::int64_t kMaxActions = 50'000'000; // 16 bytes each

Status checkSupported(const Plan& plan)
{
    for (const PlanFinding& finding : validatePlan(plan)) {
        if (finding.severity == PlanFinding::Severity::Error)
            return fail(
                ErrorKind::Invalid, "The plan cannot run: {} ({})", finding.message, finding.path);
    }
    if (const Status trainable = checkTrainable(plan); !trainable)
        return trainable;
    for (const PlanStage& stage : plan.stages)
        for (const int index : stage.devices)
            if (const auto opened = openDevice(plan.topology.devices[std::size_t(index)]); !opened)
                return failure(opened);
    return {};
}

Status checkLength(const ScheduleRequest& request)
{
    const std::int64_t perStep = std::int64_t(request.depth) * (request.microbatches * 3 + 2);
    if (request.batches > kMaxActions / perStep)
        return fail(ErrorKind::Unsupported,
            "{} steps of this plan make a list of about {} actions; up to {} steps fit into one "
            "run.",
            groupDigits(request.batches), formatCount(double(request.batches) * double(perStep)),
            groupDigits(kMaxActions / perStep));
    return {};
}

RunShape shapeOf(const Plan& plan, const Model& model, std::int64_t steps)
{
    RunShape shape;
    shape.schedule = scheduleRequest(plan, model, static_cast<int>(steps));
    for (const PlanStage& stage : plan.stages)
        shape.layers.emplace_back(stage.firstLayer, stage.lastLayer);
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
    StageParts parts;
    parts.module = std::move(*module);
    parts.versions = std::make_unique<WeightVersions>(*parts.module, versions);
    initialize(*parts.module, parts.versions->flat(0), seed);
    parts.optimizer = makeOptimizer(shape.optimizer, *parts.module);
    return parts;
}
}

Result<ExecutorInput> buildRun(
    const RunShape& shape, const Model& model, const BuildOptions& options)
{
    if (Status fits = checkLength(shape.schedule); !fits)
        return failure(fits);
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
    if (Status supported = checkSupported(plan); !supported)
        return failure(supported);
    if (options.steps < 1 || options.steps > kMaxActions)
        return fail(ErrorKind::Invalid, "A run has 1 to {} steps, not {}.",
            groupDigits(kMaxActions), options.steps);
    return buildRun(shapeOf(plan, model, options.steps), model, options);
}

} // namespace stageloom::engine
