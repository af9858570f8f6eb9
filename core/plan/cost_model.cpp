// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cost_model.h"

#include <algorithm>

namespace stageloom {

namespace {

// Share of the peak that transformer layers reach in practice (dense matrix products reach more,
// norms and look-ups less). Only estimates use it; a profile replaces them.
constexpr double kEfficiency = 0.45;
constexpr double kCpuFlops = 60e9; // fp32 FLOP/s one core of a current server reaches in a product
constexpr double kGpuFlops = 10e12; // where the source names a GPU without its peak
constexpr double kCpuBandwidth = 10e9; // bytes/s, one core's share
constexpr double kGpuBandwidth = 500e9;
constexpr double kSharedMemory = 8e9; // between workers of one process
constexpr double kPcie = 12e9; // PCIe 3.0 ×16, measured values lie about here
constexpr double kNetwork = 1.25e9; // 10 Gbit/s between servers
constexpr double kLatency = 10e-6; // seconds a transfer
constexpr double kBackwardShare = 2; // backward / forward: two products where forward has one

const Device& deviceAt(const Topology& topology, int index)
{
    static const Device kNone;
    const bool known = index >= 0 && index < int(topology.devices.size());
    return known ? topology.devices[std::size_t(index)] : kNone;
}

} // namespace

double Speeds::compute(const Device& device, Dtype dtype)
{
    const auto& peak
        = dtype == Dtype::Fp32 || !device.flopsFp16 ? device.flopsFp32 : device.flopsFp16;
    if (peak && *peak > 0)
        return *peak * kEfficiency;
    return device.kind == DeviceKind::CpuWorker ? kCpuFlops : kGpuFlops * kEfficiency;
}

double Speeds::memory(const Device& device)
{
    if (device.memoryBandwidth && *device.memoryBandwidth > 0)
        return *device.memoryBandwidth;
    return device.kind == DeviceKind::CpuWorker ? kCpuBandwidth : kGpuBandwidth;
}

double Speeds::link(const Topology& topology, int a, int b)
{
    if (const Link* link = topology.linkBetween(a, b); link) {
        if (link->measuredBandwidth && *link->measuredBandwidth > 0)
            return *link->measuredBandwidth;
        if (link->bandwidth && *link->bandwidth > 0)
            return *link->bandwidth;
    }
    const Device &from = deviceAt(topology, a), &to = deviceAt(topology, b);
    if (from.server != to.server)
        return kNetwork;
    return from.kind == DeviceKind::CpuWorker ? kSharedMemory : kPcie;
}

double Speeds::latency(const Topology& topology, int a, int b)
{
    const Link* link = topology.linkBetween(a, b);
    return link && link->latency ? *link->latency : kLatency;
}

const Profile* profileFor(const Plan& plan, int device)
{
    if (!plan.profile)
        return nullptr;
    const Profile& profile = *plan.profile;
    const Device& at = deviceAt(plan.topology, device);
    const bool kind = profile.deviceKind.empty() || profile.deviceKind == kindName(at.kind);
    const bool name
        = profile.deviceName.empty() || at.name.empty() || profile.deviceName == at.name;
    return kind && name ? &profile : nullptr;
}

double transferTime(const Plan& plan, int a, int b, double bytes)
{
    if (const Profile* p = profileFor(plan, a); p && p->hop > 0 && profileFor(plan, b))
        return p->hop;
    if (a == b)
        return 0;
    return bytes / Speeds::link(plan.topology, a, b) + Speeds::latency(plan.topology, a, b);
}

double updateTime(const Plan& plan, double parameters, int device)
{
    if (const Profile* p = profileFor(plan, device); p && p->updatePerParameter > 0)
        return parameters * p->updatePerParameter;
    // Reads weight, gradient and moments, writes weight and moments; all fp32.
    const double moved = plan.optimizer.kind == OptimizerKind::Sgd ? 20 : 28;
    return parameters * moved / Speeds::memory(deviceAt(plan.topology, device));
}

double allReduceBytes(double parameters, std::size_t replicas)
{
    const double w = double(replicas);
    return replicas < 2 ? 0 : 2 * (w - 1) / w * parameters * 4;
}

double allReduceTime(const Plan& plan, double parameters, const std::vector<int>& devices)
{
    if (devices.size() < 2)
        return 0;
    double slowest = Speeds::link(plan.topology, devices.back(), devices.front());
    for (std::size_t i = 0; i + 1 < devices.size(); ++i)
        slowest = std::min(slowest, Speeds::link(plan.topology, devices[i], devices[i + 1]));
    return allReduceBytes(parameters, devices.size()) / slowest;
}

StageTimes withUpdate(
    const Plan& plan, StageTimes times, double update, double allReduce, bool reduces)
{
    times.update = update;
    times.reduction = allReduce;
    if (reduces)
        return times;
    const ScheduleInfo* info = findSchedule(plan.schedule);
    const double compute = plan.microbatches * (times.forward + times.backward + times.recompute);
    if (info && info->delayBatches > 0)
        times.reduction = std::max(0.0, allReduce - compute);
    return times;
}

std::vector<LayerTime> layerTimes(const Plan& plan, const Model& model, int device)
{
    if (const Profile* measured = profileFor(plan, device);
        measured && measured->layers.size() == model.layers.size()) {
        std::vector<LayerTime> times = measured->layers;
        // Measured at another microbatch or length: scaled with the samples and the tokens.
        const auto& p = *measured;
        double scale = p.microbatchSize > 0 ? plan.microbatchSize / double(p.microbatchSize) : 1;
        if (p.seq > 0 && model.seq > 0)
            scale *= double(model.seq) / double(p.seq);
        for (LayerTime& t : times) {
            t.forward *= scale;
            t.recompute *= scale;
            t.backward *= scale;
        }
        return times;
    }
    const Device& at = deviceAt(plan.topology, device);
    const double rate = Speeds::compute(at, model.dtype), bandwidth = Speeds::memory(at);
    std::vector<LayerTime> times;
    times.reserve(model.layers.size());
    for (const Layer& layer : model.layers) {
        // An embedding reads the rows it looks up, not the table: only what it writes is moved.
        const double weights = layer.kind == LayerKind::Embedding
            ? 0
            : double(layer.parameters + layer.tiedParameters);
        const double moved = weights * bytesOf(model.dtype)
            + (layer.stashBytes + layer.outputBytes) * plan.microbatchSize;
        const double forward
            = std::max(layer.forwardFlops * plan.microbatchSize / rate, moved / bandwidth);
        times.push_back({ layer.name, forward, forward, kBackwardShare * forward });
    }
    return times;
}

double borderBytes(const Plan& plan, const Model& model, int border)
{
    const PlanStage& from = plan.stages[std::size_t(border)];
    return model.layers[std::size_t(from.lastLayer)].outputBytes * plan.microbatchSize;
}

std::vector<double> hopTimes(const Plan& plan, const Model& model)
{
    std::vector<double> hops;
    for (int s = 0; s + 1 < plan.depth(); ++s) {
        const PlanStage &from = plan.stages[std::size_t(s)], &to = plan.stages[std::size_t(s) + 1];
        const double bytes = borderBytes(plan, model, s);
        double slowest = 0;
        for (std::size_t r = 0; r < std::min(from.devices.size(), to.devices.size()); ++r)
            slowest = std::max(slowest, transferTime(plan, from.devices[r], to.devices[r], bytes));
        hops.push_back(slowest);
    }
    return hops;
}

} // namespace stageloom
