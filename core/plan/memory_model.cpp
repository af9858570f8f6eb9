// SPDX-License-Identifier: Apache-2.0
// Memory of one device, by category (2bw.md §4). Decimal units; allocator rounding is not modelled.
//
//                     weights          gradients       optimizer
//   fp32, flush       4                4               Adam 8, SGD with momentum 4
//   fp32, 2bw         4 + 4            4               the same: one state, whatever the versions
//   mixed, flush      2 + 4 (master)   2 + 4 (master)  8                       = 20 with Adam
//   mixed, 2bw        2 + 2 + 4        2 + 4           8                       = 22 with Adam
//
// Where updates wait for other stages (clip norm, tied weights), 2bw fills the next batch's
// accumulator meanwhile: 4 bytes more a parameter (2bw.md §1.4 "slack").
#include "core/plan/memory_model.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr double kTokenIdBytes = 8; // int64
constexpr double kLogitGradientBytes = 4; // the loss is computed in fp32 whatever the dtype

const Layer* layerNamed(const Model& model, const std::string& name)
{
    for (const Layer& layer : model.layers)
        if (layer.name == name)
            return &layer;
    return nullptr;
}

} // namespace

const char* StageMemory::largestCategory() const
{
    const std::pair<double, const char*> parts[] { { weights, "weights" },
        { gradients, "gradients" }, { optimizer, "optimizer state" },
        { activations, "activations" }, { buffers, "buffers" } };
    return std::max_element(std::begin(parts), std::end(parts), [](const auto& a, const auto& b) {
        return a.first < b.first;
    })->second;
}

int MemoryRule::inFlight(int stage) const
{
    switch (flight) {
    case Flight::Stream:
        return depth - stage;
    case Flight::Flush:
        return std::min(depth - stage, microbatches);
    case Flight::All:
        return microbatches;
    }
    return microbatches;
}

MemoryRule memoryRule(const Plan& plan, bool crossStage)
{
    MemoryRule rule { plan.depth(), plan.microbatches, plan.microbatchSize };
    const bool twoBw = plan.schedule == "2bw";
    const bool mixed = plan.dtype != Dtype::Fp32;
    if (plan.schedule == "gpipe")
        rule.flight = MemoryRule::Flight::All;
    else if (!twoBw && plan.schedule != "pipedream")
        rule.flight = MemoryRule::Flight::Flush;
    rule.versionPerStash = plan.schedule == "pipedream";
    rule.versions = twoBw ? 2 : 1;
    rule.lastHoldsOne = twoBw && crossStage && rule.depth > 1;
    rule.weightBytes = mixed ? 6 : 4;
    rule.extraVersionBytes = mixed ? 2 : 4;
    rule.gradientBytes = (mixed ? 6 : 4) + (twoBw && crossStage ? 4 : 0);
    if (plan.optimizer.kind != OptimizerKind::Sgd)
        rule.optimizerBytes = 8;
    else
        rule.optimizerBytes = plan.optimizer.momentum > 0 ? 4 : 0;
    return rule;
}

bool tiedAcross(const Model& model, int firstLayer, int lastLayer)
{
    for (int i = firstLayer; i <= lastLayer; ++i) {
        const std::string& owner = model.layers[std::size_t(i)].tiedTo;
        if (owner.empty())
            continue;
        const Layer* layer = layerNamed(model, owner);
        const auto at = layer ? layer - model.layers.data() : 0;
        if (layer && (at < firstLayer || at > lastLayer))
            return true;
    }
    return false;
}

StageLoad stageLoad(const Model& model, int firstLayer, int lastLayer)
{
    StageLoad load;
    load.first = firstLayer == 0;
    load.last = lastLayer + 1 == int(model.layers.size());
    load.input = load.first ? kTokenIdBytes * double(model.seq)
                            : model.layers[std::size_t(firstLayer) - 1].outputBytes;
    load.output = load.last ? 0 : model.layers[std::size_t(lastLayer)].outputBytes;
    for (int i = firstLayer; i <= lastLayer; ++i) {
        const Layer& layer = model.layers[std::size_t(i)];
        load.parameters += double(layer.parameters);
        if (!layer.tiedTo.empty() && tiedAcross(model, firstLayer, lastLayer))
            load.parameters += double(layer.tiedParameters);
        load.stash += layer.stashBytes;
        load.largestStash = std::max(load.largestStash, layer.stashBytes);
        if (layer.kind == LayerKind::Head)
            load.logits += layer.outputBytes / bytesOf(model.dtype);
    }
    return load;
}

StageMemory memoryOf(const StageLoad& load, const MemoryRule& rule, int stage, bool recompute)
{
    const double b = rule.microbatchSize;
    const double n = rule.inFlight(stage);
    StageMemory memory;
    memory.weights = load.parameters
        * (rule.weightBytes + rule.extraVersionBytes * (rule.versionsAt(stage) - 1));
    memory.gradients = load.parameters * rule.gradientBytes;
    memory.optimizer = load.parameters * rule.optimizerBytes;
    // Recompute keeps each microbatch's input, and the whole stash of the one being recomputed.
    memory.activations = recompute ? (n * load.input + load.stash) * b : n * load.stash * b;
    // One layer's gradients, the logits' gradient, and a border's activation and gradient on their
    // way.
    memory.buffers = load.largestStash * b + load.logits * kLogitGradientBytes * b
        + (load.output + (load.first ? 0 : load.input)) * b;
    return memory;
}

double deviceCapacity(const Topology& topology, int device)
{
    if (device < 0 || device >= int(topology.devices.size()))
        return 0;
    const Device& d = topology.devices[std::size_t(device)];
    if (d.memoryBytes)
        return *d.memoryBytes;
    if (d.kind == DeviceKind::CpuWorker && topology.hostMemoryBytes)
        return *topology.hostMemoryBytes / double(topology.devices.size());
    return 0;
}

bool crossStageUpdate(const Plan& plan, const Model& model)
{
    if (plan.depth() < 2)
        return false;
    if (plan.optimizer.clipNorm > 0)
        return true;
    return std::any_of(plan.stages.begin(), plan.stages.end(),
        [&](const PlanStage& s) { return tiedAcross(model, s.firstLayer, s.lastLayer); });
}

StageMemory stageMemory(const Plan& plan, const Model& model, int stage)
{
    const PlanStage& s = plan.stages[std::size_t(stage)];
    return memoryOf(stageLoad(model, s.firstLayer, s.lastLayer),
        memoryRule(plan, crossStageUpdate(plan, model)), stage, s.recompute);
}

} // namespace stageloom
