// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as it stands, or with another schedule, batch or hop.
#include "app/commands/simulate_input.h"
#include "core/plan/prediction.h"

namespace stageloom::simulation {

Result<Simulated> fromPlan(const SimulateOptions& options)
{
    Result<Plan> plan = readPlan(options.plan);
    if (!plan)
        return failure(plan);
    if (!options.schedule.empty())
        plan->schedule = options.schedule;
    if (options.microbatches > 0)
        plan->microbatches = options.microbatches;
    for (const PlanFinding& finding : validatePlan(*plan))
        if (finding.severity == PlanFinding::Severity::Error)
            return fail(
                ErrorKind::Infeasible, "{}: {}: {}", options.plan, finding.path, finding.message);
    if (const Status size = checkSize(plan->depth(), plan->microbatches, options.batches); !size)
        return failure(size);
    Result<Prediction> prediction = predict(*plan, options.batches);
    if (!prediction)
        return failure(prediction);
    Simulated simulated { std::move(prediction->schedule), std::move(prediction->trace),
        plan->name };
    if (options.hop || options.blockingHops) {
        SimulationInput input = prediction->simulation;
        if (options.hop)
            input.hops.assign(input.stages.size(), *options.hop);
        input.blockingHops = options.blockingHops;
        Result<Trace> trace = simulate(simulated.schedule, input);
        if (!trace)
            return failure(trace);
        trace->planDevices = simulated.trace.planDevices;
        simulated.trace = std::move(*trace);
    }
    simulated.trace.timeUnit = "s";
    return simulated;
}

} // namespace stageloom::simulation
