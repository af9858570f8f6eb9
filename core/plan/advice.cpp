// SPDX-License-Identifier: Apache-2.0
#include "core/plan/advice.h"

#include "core/base/units.h"
#include "core/plan/cost_model.h"

#include <algorithm>
#include <cstring>

namespace stageloom {

namespace {

constexpr double kOverMean = 0.05; // a stage this much over the mean is worth a word
constexpr double kWorthMoving = 0.002; // and a move that gains less than this is not

double largestBytes(const StageMemory& m)
{
    return std::max({ m.weights, m.gradients, m.optimizer, m.activations, m.buffers });
}

std::string memoryRemedy(const Plan& plan, int stage, const StageMemory& memory)
{
    const bool recompute = plan.stages[std::size_t(stage)].recompute;
    if (std::strcmp(memory.largestCategory(), "activations") == 0) {
        if (!recompute)
            return fmt::format("recompute stage {} or lower the microbatch size", stage);
        return plan.microbatchSize > 1 ? "lower the microbatch size" : "shorten the sequences";
    }
    return fmt::format("move layers from stage {} to another stage, or take more devices", stage);
}

double stageSum(const std::vector<LayerTime>& times, int first, int last, bool recompute)
{
    double sum = 0;
    for (int i = first; i <= last; ++i) {
        const LayerTime& t = times[std::size_t(i)];
        sum += t.forward + t.backward + (recompute ? t.recompute : 0);
    }
    return sum;
}

struct Move {
    int layer = -1, to = -1;
    double slowest = 0; // the slowest stage afterwards, seconds
};

} // namespace

std::string memoryRefusal(
    const Topology& topology, int stage, int device, const StageMemory& memory, double capacity)
{
    const bool known = device >= 0 && device < int(topology.devices.size());
    const bool gpu = known && topology.devices[std::size_t(device)].kind == DeviceKind::Gpu;
    return fmt::format("stage {} needs {} of {} on {} {}: {} too much, most of it {} ({})", stage,
        formatBytes(memory.total()), formatBytes(capacity), gpu ? "GPU" : "CPU worker", device,
        formatBytes(memory.total() - capacity), memory.largestCategory(),
        formatBytes(largestBytes(memory)));
}

void adviseOnMemory(const Plan& plan, const Prediction& prediction, std::vector<PlanFinding>& out)
{
    for (int s = 0; s < plan.depth(); ++s) {
        const StagePrediction& stage = prediction.stages[std::size_t(s)];
        if (stage.capacityBytes <= 0 || stage.memory.total() <= stage.capacityBytes)
            continue;
        const auto& devices = plan.stages[std::size_t(s)].devices;
        out.push_back({ PlanFinding::Severity::Error, fmt::format("/stages/{}", s),
            fmt::format("{}: {}",
                memoryRefusal(plan.topology, s, devices.empty() ? 0 : devices[0], stage.memory,
                    stage.capacityBytes),
                memoryRemedy(plan, s, stage.memory)) });
    }
}

void adviseOnBalance(const Plan& plan, const Model& model, std::vector<PlanFinding>& out)
{
    const int d = plan.depth();
    if (d < 2)
        return;
    std::vector<std::vector<LayerTime>> times;
    std::vector<double> now;
    double sum = 0;
    for (int s = 0; s < d; ++s) {
        const PlanStage& stage = plan.stages[std::size_t(s)];
        times.push_back(layerTimes(plan, model, stage.devices.empty() ? 0 : stage.devices[0]));
        now.push_back(stageSum(times.back(), stage.firstLayer, stage.lastLayer, stage.recompute));
        sum += now.back();
    }
    const auto slow = int(std::max_element(now.begin(), now.end()) - now.begin());
    const double worst = now[std::size_t(slow)], mean = sum / d;
    if (mean <= 0 || worst < mean * (1 + kOverMean))
        return;
    const PlanStage& from = plan.stages[std::size_t(slow)];
    Move best { -1, -1, worst };
    for (const int to : { slow - 1, slow + 1 }) {
        if (to < 0 || to >= d || from.firstLayer == from.lastLayer)
            continue;
        const int layer = to < slow ? from.firstLayer : from.lastLayer;
        const bool again = plan.stages[std::size_t(to)].recompute;
        std::vector<double> then = now;
        then[std::size_t(slow)] -= stageSum(times[std::size_t(slow)], layer, layer, from.recompute);
        then[std::size_t(to)] += stageSum(times[std::size_t(to)], layer, layer, again);
        const double slowest = *std::max_element(then.begin(), then.end());
        if (slowest < best.slowest)
            best = { layer, to, slowest };
    }
    std::string help = "no single layer moved to a neighbour makes it better";
    if (best.layer >= 0 && best.slowest < worst * (1 - kWorthMoving))
        help = fmt::format("move {} to stage {} (−{} a microbatch)",
            model.layers[std::size_t(best.layer)].name, best.to,
            formatPercent(1 - best.slowest / worst));
    out.push_back({ PlanFinding::Severity::Warning, fmt::format("/stages/{}", slow),
        fmt::format("stage {} is {} over the mean ({} against {}): {}", slow,
            formatPercent(worst / mean - 1), formatSeconds(worst), formatSeconds(mean), help) });
}

} // namespace stageloom
