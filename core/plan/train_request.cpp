// SPDX-License-Identifier: Apache-2.0
#include "core/plan/train_request.h"

#include "core/base/json_fields.h"
#include "core/base/units.h"
#include "core/plan/plan_schedule.h"

namespace stageloom {

namespace {

Status firstError(const std::vector<PlanFinding>& findings, ErrorKind kind, const char* before)
{
    for (const PlanFinding& finding : findings)
        if (finding.severity == PlanFinding::Severity::Error)
            return fail(kind, "{}{} ({})", before, finding.message, finding.path);
    return {};
}

} // namespace

Status checkRequest(
    const TrainRequest& request, const Model& model, const EngineCapabilities& engine, int cores)
{
    const Plan& plan = request.plan;
    const auto unsound = validatePlan(plan, model);
    if (const Status s = firstError(unsound, ErrorKind::Invalid, "the plan cannot run: "); !s)
        return s;
    const auto beyond = trainable(plan, model, engine);
    if (const Status s = firstError(beyond, ErrorKind::Unsupported, ""); !s)
        return s;
    if (request.threadsPerStage < 1 || request.threadsPerStage > cores)
        return fail(ErrorKind::Invalid,
            "{} threads a stage are asked for, and this machine has {} cores: name 1 to {}",
            request.threadsPerStage, cores, cores);
    const std::int64_t perStep = actionsABatch(scheduleRequest(plan, model, 1));
    if (request.steps > engine.maxActions / perStep)
        return fail(ErrorKind::Unsupported,
            "{} steps of this plan make a list of about {} actions; up to {} steps fit into one "
            "run",
            groupDigits(request.steps), formatCount(double(request.steps) * double(perStep)),
            groupDigits(engine.maxActions / perStep));
    return {};
}

Json toJson(const TrainRequest& r)
{
    return Json { { "name", r.name }, { "data", r.dataPath }, { "steps", r.steps },
        { "seed", r.seed }, { "validation_fraction", r.validationFraction },
        { "eval_interval", r.evalInterval }, { "eval_samples", r.evalSamples },
        { "record_spans", r.recordSpans }, { "threads_per_stage", r.threadsPerStage },
        { "plan", toJson(r.plan) } };
}

Result<TrainRequest> trainRequestFromJson(const Json& document, const std::string& where)
{
    TrainRequest r;
    JsonFields fields(document, where, "");
    fields.text("name", r.name);
    fields.text("data", r.dataPath, Need::Required);
    fields.integer("steps", r.steps);
    fields.integer("seed", r.seed);
    fields.number("validation_fraction", r.validationFraction);
    fields.integer("eval_interval", r.evalInterval);
    fields.integer("eval_samples", r.evalSamples);
    int evalBatches = 0; // requests of older versions count microbatches
    fields.integer("eval_batches", evalBatches);
    fields.flag("record_spans", r.recordSpans);
    fields.integer("threads_per_stage", r.threadsPerStage);
    if (r.steps < 1)
        fields.refuse("steps", "a run has at least one step");
    if (!(r.validationFraction >= 0 && r.validationFraction < 1))
        fields.refuse("validation_fraction", "write a share from 0 to below 1");
    if (r.threadsPerStage < 1)
        fields.refuse("threads_per_stage", "a stage has at least one thread");
    const Json* plan = fields.child("plan", Need::Required);
    if (!fields.status())
        return failure(fields.status());
    auto read = planFromJson(*plan, where + ": /plan");
    if (!read)
        return failure(read);
    r.plan = std::move(*read);
    if (evalBatches > 0)
        r.evalSamples = evalBatches * r.plan.microbatchSize;
    return r;
}

} // namespace stageloom
