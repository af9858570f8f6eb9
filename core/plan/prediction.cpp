// SPDX-License-Identifier: Apache-2.0
#include "core/plan/prediction.h"
#include "core/plan/advice.h"
#include "core/plan/cost_model.h"
#include "core/plan/plan_schedule.h"

#include <algorithm>

namespace stageloom {

namespace {

using Severity = PlanFinding::Severity;

bool measuredBy(const Plan& plan, const Model& model)
{
    return plan.profile && plan.profile->layers.size() == model.layers.size()
        && std::all_of(plan.stages.begin(), plan.stages.end(), [&](const PlanStage& stage) {
               return std::all_of(stage.devices.begin(), stage.devices.end(),
                   [&](int device) { return profileFor(plan, device) != nullptr; });
           });
}

// Layer ranges that index outside the model leave nothing to compute with.
bool rangesUsable(const Plan& plan, const Model& model)
{
    return std::all_of(plan.stages.begin(), plan.stages.end(), [&](const PlanStage& s) {
        return s.firstLayer >= 0 && s.firstLayer <= s.lastLayer
            && s.lastLayer < int(model.layers.size()) && !s.devices.empty();
    });
}

double processMemory(const Plan& plan, const std::vector<StagePrediction>& stages)
{
    double bytes = kProgramBytes;
    for (std::size_t s = 0; s < stages.size(); ++s)
        for (const int device : plan.stages[s].devices) {
            if (device < 0 || device >= int(plan.topology.devices.size())
                || plan.topology.devices[std::size_t(device)].kind != DeviceKind::CpuWorker)
                return 0;
            bytes += stages[s].memory.total();
        }
    return bytes;
}

void predictStages(
    const Plan& plan, const Model& model, const ListDemand& list, Prediction& prediction)
{
    const ParameterBytes bytes = parameterBytes(plan);
    for (int s = 0; s < plan.depth(); ++s) {
        const PlanStage& stage = plan.stages[std::size_t(s)];
        const StageLoad load = stageLoad(model, stage.firstLayer, stage.lastLayer);
        StagePrediction p;
        p.times = stageTimes(plan, model, stage, list.reduces);
        const StageDemand demand = stageDemand(list, s);
        p.memory = memoryOf(load, bytes, demand, plan.microbatchSize, stage.recompute);
        p.capacityBytes = smallestRoom(plan.topology, stage.devices);
        p.versions = demand.versions;
        p.peakStash = demand.inFlight;
        prediction.peakMemory = std::max(prediction.peakMemory, p.memory.total());
        prediction.simulation.stages.push_back(p.times);
        const double kept = stage.recompute ? load.input : load.stash;
        prediction.simulation.stashBytes.push_back(kept * plan.microbatchSize);
        prediction.simulation.fixedBytes.push_back(
            p.memory.total() - kept * plan.microbatchSize * p.peakStash);
        prediction.stages.push_back(p);
    }
    prediction.simulation.hops = hopTimes(plan, model);
    prediction.processMemory = processMemory(plan, prediction.stages);
}

void summarize(const Plan& plan, Prediction& p, int batches)
{
    p.stepTime
        = p.metrics.periodPerBatch > 0 ? p.metrics.periodPerBatch : p.metrics.makespan / batches;
    if (p.stepTime > 0) {
        p.samplesPerSecond = double(plan.batchSize()) / p.stepTime;
        p.tokensPerSecond = p.samplesPerSecond * double(p.model.seq);
    }
}

// Layers are measured on CPU workers: of a GPU's times there is no other source than a file.
std::string estimateNote(const Plan& plan)
{
    const auto& devices = plan.topology.devices;
    if (devices.empty() || devices.front().kind == DeviceKind::CpuWorker)
        return "times are estimated from FLOPs and bytes; 'stageloom profile', or Profile on the "
               "Model page, measures them";
    const std::string name = devices.front().name.empty() ? "this GPU" : devices.front().name;
    return fmt::format("times are estimated from FLOPs and bytes: {} was not profiled", name);
}

void addFindings(const Plan& plan, Prediction& p)
{
    adviseOnMemory(plan, p, p.findings);
    adviseOnBalance(plan, p, p.findings);
    for (const ScheduleFinding& finding : p.proof.findings)
        p.findings.push_back({ Severity::Error, "/schedule", finding.message });
    if (!p.measuredTimes)
        p.findings.push_back({ Severity::Note, "/profile", estimateNote(plan) });
}

} // namespace

StageTimes stageTimes(const Plan& plan, const Model& model, const PlanStage& stage, bool reduces)
{
    const double parameters = stageLoad(model, stage.firstLayer, stage.lastLayer).parameters;
    StageTimes slowest { 0, 0 };
    double update = 0;
    for (const int device : stage.devices) { // replicas go at the pace of the slowest
        StageTimes times { 0, 0 };
        const auto layers = layerTimes(plan, model, device);
        for (int i = stage.firstLayer; i <= stage.lastLayer; ++i) {
            const LayerTime& t = layers[std::size_t(i)];
            times.forward += t.forward;
            times.backward += t.backward;
            times.recompute += stage.recompute ? t.recompute : 0;
        }
        if (times.forward + times.backward >= slowest.forward + slowest.backward) {
            slowest = times;
            update = updateTime(plan, parameters, device);
        }
    }
    return withUpdate(
        plan, slowest, update, allReduceTime(plan, parameters, stage.devices), reduces);
}

bool Prediction::feasible() const
{
    return std::none_of(findings.begin(), findings.end(),
        [](const PlanFinding& f) { return f.severity == Severity::Error; });
}

Result<Prediction> predict(const Plan& plan, const Model& model, int batches)
{
    Prediction prediction;
    prediction.findings = validatePlan(plan, model);
    const auto error = std::find_if(prediction.findings.begin(), prediction.findings.end(),
        [](const PlanFinding& f) { return f.severity == Severity::Error; });
    if (plan.stages.empty() || plan.microbatchSize < 1 || !rangesUsable(plan, model))
        return fail(ErrorKind::Invalid, "{}: {}",
            error == prediction.findings.end() ? "/stages" : error->path,
            error == prediction.findings.end() ? "the layer ranges are outside the model"
                                               : error->message);
    prediction.model = model;
    prediction.measuredTimes = measuredBy(plan, model);
    const ScheduleRequest request = scheduleRequest(plan, model, batches);
    auto schedule = makeSchedule(request);
    if (!schedule)
        return failure(schedule);
    const auto demand = steadyDemand(request);
    if (!demand)
        return failure(demand);
    predictStages(plan, model, *demand, prediction);
    prediction.schedule = std::move(*schedule);
    prediction.proof = verifySchedule(prediction.schedule);
    auto trace = simulate(prediction.schedule, prediction.simulation);
    if (!trace)
        return failure(trace);
    prediction.trace = std::move(*trace);
    prediction.trace.timeUnit = "s";
    for (const PlanStage& stage : plan.stages)
        prediction.trace.planDevices.push_back(stage.devices.front());
    prediction.metrics = measure(prediction.trace);
    summarize(plan, prediction, batches);
    addFindings(plan, prediction);
    return prediction;
}

Result<Prediction> predict(const Plan& plan, int batches)
{
    const auto model = planModel(plan);
    if (!model)
        return failure(model);
    return predict(plan, *model, batches);
}

} // namespace stageloom
