// SPDX-License-Identifier: Apache-2.0
// Every finding of a plan's structure, each at its place in the document.
#include "core/base/text.h"
#include "core/plan/cost_model.h"
#include "core/plan/finding_list.h"
#include "core/schedule/registry.h"

#include <map>

namespace stageloom {

namespace {

using Severity = PlanFinding::Severity;

void checkLayers(const Plan& plan, const Model& model, FindingList& findings)
{
    int next = 0;
    const int layers = int(model.layers.size());
    for (int s = 0; s < plan.depth(); ++s) {
        const PlanStage& stage = plan.stages[std::size_t(s)];
        const std::string path = fmt::format("/stages/{}", s);
        if (stage.firstLayer != next)
            findings.add(Severity::Error, path + "/first_layer",
                "stage {} starts at layer {}, and layer {} comes next: every layer belongs to "
                "exactly one stage, in order",
                s, stage.firstLayer, next);
        if (stage.lastLayer < stage.firstLayer)
            findings.add(Severity::Error, path + "/last_layer",
                "stage {} ends at layer {}, before its first layer {}: a stage holds at least one "
                "layer",
                s, stage.lastLayer, stage.firstLayer);
        if (stage.lastLayer >= layers || stage.lastLayer < 0)
            findings.add(Severity::Error, path + "/last_layer",
                "stage {} ends at layer {}, and {} has layers 0 to {}", s, stage.lastLayer,
                model.name, layers - 1);
        next = stage.lastLayer + 1;
    }
    if (plan.depth() > 0 && next < layers && next > 0)
        findings.add(Severity::Error, fmt::format("/stages/{}/last_layer", plan.depth() - 1),
            "layers {} to {} ({} … {}) belong to no stage: end the last stage at {}", next,
            layers - 1, model.layers[std::size_t(next)].name, model.layers.back().name, layers - 1);
}

void checkDevices(const Plan& plan, FindingList& findings)
{
    std::map<int, int> firstUse;
    const int count = int(plan.topology.devices.size());
    for (int s = 0; s < plan.depth(); ++s) {
        const auto& devices = plan.stages[std::size_t(s)].devices;
        const std::string path = fmt::format("/stages/{}/devices", s);
        if (devices.empty())
            findings.add(Severity::Error, path, "stage {} has no device: give it one", s);
        else if (int(devices.size()) != plan.width())
            findings.add(Severity::Error, path,
                "stage {} has {} devices and stage 0 has {}: all stages are equally wide", s,
                devices.size(), plan.width());
        for (std::size_t r = 0; r < devices.size(); ++r) {
            const int device = devices[r];
            const std::string place = fmt::format("{}/{}", path, r);
            if (device < 0 || device >= count)
                findings.add(Severity::Error, place,
                    "stage {} names device {}, and {} has devices 0 to {}", s, device,
                    plan.topology.title, count - 1);
            else if (const auto [at, fresh] = firstUse.emplace(device, s); !fresh)
                findings.add(Severity::Error, place,
                    "device {} is used by stage {} and again by stage {}: a device holds one stage",
                    device, at->second, s);
        }
    }
}

void checkSchedule(const Plan& plan, FindingList& findings)
{
    const auto info = availableSchedule(plan.schedule);
    if (!info)
        findings.add(Severity::Error, "/schedule", "{}", info.error().message);
    if (plan.microbatchSize < 1)
        findings.add(Severity::Error, "/microbatch_size",
            "a microbatch of {} samples trains nothing: give it at least 1", plan.microbatchSize);
    ScheduleRequest request;
    request.depth = plan.depth();
    request.microbatches = plan.microbatches;
    request.microbatchSize = plan.microbatchSize;
    request.width = plan.width();
    if (plan.microbatches < 1)
        findings.add(Severity::Error, "/microbatches",
            "a batch of {} microbatches trains nothing: give it at least 1", plan.microbatches);
    else if (!info)
        return;
    else if (const Status enough = checkMicrobatches(**info, request); !enough)
        findings.add(Severity::Error, "/microbatches", "{}", enough.error().message);
}

std::string nameOf(const Device& device)
{
    return device.name.empty() ? kindName(device.kind) : device.name;
}

void checkProfileDevice(const Plan& plan, FindingList& findings)
{
    if (!plan.profile)
        return;
    if (plan.profile->deviceKind.empty())
        return findings.add(Severity::Note, "/profile/device_kind",
            "the profile does not say what it was measured on, so its times count for every "
            "device; \"device_kind\": \"cpu-worker\" or \"gpu\" would say it");
    for (int s = 0; s < plan.depth(); ++s)
        for (const int device : plan.stages[std::size_t(s)].devices)
            if (device >= 0 && device < int(plan.topology.devices.size())
                && !profileFor(plan, device))
                return findings.add(Severity::Warning, "/profile/device_kind",
                    "the profile was measured on {}, and stage {} runs on a {}: its times are not "
                    "used there, but estimates; profile on such a device, or leave the profile out",
                    plan.profile->device.empty() ? "a " + plan.profile->deviceKind
                                                 : plan.profile->device,
                    s, nameOf(plan.topology.devices[std::size_t(device)]));
}

void checkOptimizer(const OptimizerSettings& o, FindingList& findings)
{
    const auto inside
        = [&](const char* key, double value, double low, double high, bool lowIncluded) {
              if (!((lowIncluded ? value >= low : value > low) && value < high))
                  findings.add(Severity::Error, std::string("/optimizer/") + key,
                      "{} is {}: it lies {} {} and below {}", key, value,
                      lowIncluded ? "between" : "above", low, high);
          };
    inside("learning_rate", o.learningRate, 0, 1e6, true);
    inside("momentum", o.momentum, 0, 1, true);
    inside("beta1", o.beta1, 0, 1, true);
    inside("beta2", o.beta2, 0, 1, true);
    inside("epsilon", o.epsilon, 0, 1, false);
    inside("weight_decay", o.weightDecay, 0, 1e6, true);
    inside("clip_norm", o.clipNorm, 0, 1e12, true);
    inside("final_fraction", o.finalFraction, 0, 1.000001, true);
    inside("warmup_steps", o.warmupSteps, 0, 2e9, true);
    inside("decay_steps", o.decaySteps, 0, 2.2e9, true);
    if (o.shape != RateShape::Constant && o.decaySteps > 0 && o.decaySteps <= o.warmupSteps)
        findings.add(Severity::Error, "/optimizer/decay_steps",
            "decay_steps {} counts from the run's first step and ends within the warm-up of {} "
            "steps, so that the rate would fall from its peak at once: give more than {}, or 0 for "
            "the run's own steps",
            o.decaySteps, o.warmupSteps, o.warmupSteps);
}

void addNotes(const Plan& plan, const Model& model, FindingList& findings)
{
    for (const std::string& note : model.notes)
        findings.add(Severity::Note, "/model/config", "{}", note);
    if (plan.compression != "none")
        findings.add(Severity::Error, "/compression",
            "compression '{}' is not in this version: write \"none\"", plan.compression);
    for (const std::string& pointer : plan.notes)
        findings.add(
            Severity::Note, pointer, "the key {} is not known here and does nothing", pointer);
}

} // namespace

std::vector<PlanFinding> validatePlan(const Plan& plan, const Model& model)
{
    FindingList findings;
    if (plan.stages.empty())
        findings.add(Severity::Error, "/stages", "the plan has no stage: give it at least one");
    checkLayers(plan, model, findings);
    if (plan.topology.devices.empty())
        findings.add(Severity::Error, "/topology", "the topology has no device");
    else
        checkDevices(plan, findings);
    checkSchedule(plan, findings);
    if (plan.profile && plan.profile->layers.size() != model.layers.size())
        findings.add(Severity::Error, "/profile/layers",
            "the profile has times for {} layers and {} has {}: profile this model, or leave it "
            "out",
            plan.profile->layers.size(), model.name, model.layers.size());
    checkProfileDevice(plan, findings);
    checkOptimizer(plan.optimizer, findings);
    addNotes(plan, model, findings);
    return findings.take();
}

std::vector<PlanFinding> validatePlan(const Plan& plan)
{
    if (const auto model = planModel(plan); model)
        return validatePlan(plan, *model);
    else
        return { { Severity::Error, "/model/config", model.error().message } };
}

} // namespace stageloom
