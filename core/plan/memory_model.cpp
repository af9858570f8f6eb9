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
// accumulator meanwhile: 4 bytes more a parameter (2bw.md §1.4 "slack"), and its last stage, whose
// update then comes when nothing of the old version is in flight, holds one version. How many of
// each there are is counted from the list (schedule/demand.h), not known here.
#include "core/plan/memory_model.h"

#include "core/plan/plan_schedule.h"

#include <algorithm>

namespace stageloom {

namespace {

// What a plan may not fill. GPU: a process's CUDA context with its kernels takes 0.5 to 0.8 GiB on
// A100 and H100, and PyTorch's caching allocator leaves about a twentieth in pieces too small to
// use. CPU: the engine's own memory (kProgramBytes), shared by the workers of the one process.
constexpr double kGpuContextBytes = 0.6 * 1024 * 1024 * 1024, kGpuFragmentation = 0.05;
constexpr double kTokenIdBytes = 8; // int64
constexpr double kLogitGradientBytes = 4; // the loss is computed in fp32 whatever the dtype

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

ParameterBytes parameterBytes(const Plan& plan)
{
    const bool mixed = plan.dtype != Dtype::Fp32;
    ParameterBytes bytes;
    bytes.weights = mixed ? 6 : 4;
    bytes.furtherVersion = mixed ? 2 : 4;
    bytes.gradients = mixed ? 6 : 4;
    bytes.furtherAccumulator = 4;
    if (plan.optimizer.kind != OptimizerKind::Sgd)
        bytes.optimizer = 8;
    else
        bytes.optimizer = plan.optimizer.momentum > 0 ? 4 : 0;
    return bytes;
}

StageDemand stageDemand(const ListDemand& demand, int stage)
{
    const auto s = std::size_t(stage);
    return { demand.peakStash[s], std::max(1, demand.peakVersions[s]), demand.accumulators[s] };
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

StageMemory memoryOf(const StageLoad& load, const ParameterBytes& bytes, const StageDemand& demand,
    int microbatchSize, bool recompute)
{
    const double b = microbatchSize, n = demand.inFlight;
    StageMemory memory;
    memory.weights
        = load.parameters * (bytes.weights + bytes.furtherVersion * (demand.versions - 1));
    memory.gradients = load.parameters
        * (bytes.gradients + bytes.furtherAccumulator * (demand.accumulators - 1));
    memory.optimizer = load.parameters * bytes.optimizer;
    // Recompute keeps each microbatch's input, and the whole stash of the one being recomputed.
    memory.activations = recompute ? (n * load.input + load.stash) * b : n * load.stash * b;
    // One layer's gradients, the logits' gradient, and a border's activation and gradient on their
    // way.
    memory.buffers = load.largestStash * b + load.logits * kLogitGradientBytes * b
        + (load.output + (load.first ? 0 : load.input)) * b;
    return memory;
}

double programBytes(const Topology& topology, int device)
{
    const Device& d = topology.devices[std::size_t(device)];
    return d.kind == DeviceKind::Gpu
        ? d.memoryBytes.value_or(0) * kGpuFragmentation + kGpuContextBytes
        : kProgramBytes / double(topology.devices.size());
}

double deviceRoom(const Topology& topology, int device)
{
    if (device < 0 || device >= int(topology.devices.size()))
        return 0;
    const Device& d = topology.devices[std::size_t(device)];
    const double taken = programBytes(topology, device);
    if (d.kind == DeviceKind::Gpu)
        return d.memoryBytes ? std::max(1.0, *d.memoryBytes - taken) : 0;
    const double workers = double(topology.devices.size());
    const std::optional<double> own = d.memoryBytes ? d.memoryBytes
        : topology.hostMemoryBytes ? std::optional(*topology.hostMemoryBytes / workers)
                                   : std::nullopt;
    return own ? std::max(1.0, *own - taken) : 0;
}

double smallestRoom(const Topology& topology, const std::vector<int>& devices)
{
    double smallest = 0;
    for (const int device : devices) {
        const double bytes = deviceRoom(topology, device);
        if (bytes > 0 && (smallest == 0 || bytes < smallest))
            smallest = bytes;
    }
    return smallest;
}

Result<StageMemory> stageMemory(const Plan& plan, const Model& model, int stage)
{
    const auto demand = steadyDemand(scheduleRequest(plan, model, 1));
    if (!demand)
        return failure(demand);
    const PlanStage& s = plan.stages[std::size_t(stage)];
    return memoryOf(stageLoad(model, s.firstLayer, s.lastLayer), parameterBytes(plan),
        stageDemand(*demand, stage), plan.microbatchSize, s.recompute);
}

} // namespace stageloom
