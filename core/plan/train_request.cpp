// SPDX-License-Identifier: Apache-2.0
#include "core/plan/train_request.h"

#include "core/plan/plan_fields.h"

namespace stageloom {

Status checkTrainable(const Plan& plan)
{
    if (plan.width() > 1)
        return fail(ErrorKind::Unsupported,
            "the plan has width {}: {} replicas of each stage, and the engine trains one pipeline; "
            "plan again with --width 1, or leave each stage one device",
            plan.width(), plan.width());
    if (plan.dtype != Dtype::Fp32)
        return fail(ErrorKind::Unsupported,
            "the plan trains in {}, and the engine in fp32; plan again with --dtype fp32",
            toString(plan.dtype));
    if (plan.compression != "none")
        return fail(ErrorKind::Unsupported,
            "the plan compresses gradients ({}), and the engine sends them as they are; set "
            "'compression' to none",
            plan.compression);
    return {};
}

Json toJson(const TrainRequest& r)
{
    return Json { { "name", r.name }, { "data", r.dataPath }, { "steps", r.steps },
        { "seed", r.seed }, { "validation_fraction", r.validationFraction },
        { "eval_interval", r.evalInterval }, { "eval_batches", r.evalBatches },
        { "record_spans", r.recordSpans }, { "threads_per_stage", r.threadsPerStage },
        { "plan", toJson(r.plan) } };
}

Result<TrainRequest> trainRequestFromJson(const Json& document, const std::string& where)
{
    TrainRequest r;
    PlanFields fields(document, where, "");
    fields.text("name", r.name);
    fields.text("data", r.dataPath, true);
    fields.integer("steps", r.steps);
    if (const Json* seed = fields.child("seed")) {
        if (seed->is_number_integer())
            r.seed = seed->get<std::uint64_t>();
        else
            fields.refuse("seed", "write a whole number");
    }
    fields.number("validation_fraction", r.validationFraction);
    fields.integer("eval_interval", r.evalInterval);
    fields.integer("eval_batches", r.evalBatches);
    fields.flag("record_spans", r.recordSpans);
    fields.integer("threads_per_stage", r.threadsPerStage);
    if (r.steps < 1)
        fields.refuse("steps", "a run has at least one step");
    if (!(r.validationFraction >= 0 && r.validationFraction < 1))
        fields.refuse("validation_fraction", "write a share from 0 to below 1");
    if (r.threadsPerStage < 1)
        fields.refuse("threads_per_stage", "a stage has at least one thread");
    const Json* plan = fields.child("plan", true);
    if (!fields.status())
        return failure(fields.status());
    auto read = planFromJson(*plan, where + ": /plan");
    if (!read)
        return failure(read);
    r.plan = std::move(*read);
    return r;
}

} // namespace stageloom
