// SPDX-License-Identifier: Apache-2.0
#include "core/plan/advice.h"

#include "core/base/text.h"
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

// Without activations and buffers it would fit: only then do smaller microbatches or shorter
// sequences help.
bool activationsAreTheCause(const StageMemory& memory, double room)
{
    return memory.total() - memory.activations - memory.buffers <= room;
}

// What shrinks weights, gradients and optimizer state, for the settings that the plan has.
std::vector<std::string> waysToLessState(const Plan& plan)
{
    std::vector<std::string> ways;
    if (plan.optimizer.kind != OptimizerKind::Sgd)
        ways.emplace_back("the optimizer sgd");
    const ScheduleInfo* info = findSchedule(plan.schedule);
    if (info && info->versionRule != VersionRule::Flush)
        ways.push_back(fmt::format("the schedule {} with its one weight version", kFlushSchedule));
    return ways;
}

std::string memoryRemedy(const Plan& plan, int stage, const StageMemory& memory, double room)
{
    if (!activationsAreTheCause(memory, room)) {
        std::vector<std::string> ways = waysToLessState(plan);
        ways.insert(ways.begin(), "take more or larger devices");
        return fmt::format(
            "move layers from stage {} to another stage, or {}", stage, joined(ways, ", "));
    }
    if (!plan.stages[std::size_t(stage)].recompute)
        return fmt::format("recompute stage {} or lower the microbatch size", stage);
    return plan.microbatchSize > 1 ? "lower the microbatch size" : "shorten the sequences";
}

struct Move {
    int layer = -1, to = -1;
    double period = 0; // seconds a batch afterwards
};

// Seconds a microbatch of the stage that works the longest.
double mostWork(const std::vector<StageTimes>& stages)
{
    double most = 0;
    for (const StageTimes& t : stages)
        most = std::max(most, t.forward + t.backward + t.recompute);
    return most;
}

bool fits(const Plan& plan, const Model& model, int stage)
{
    const auto memory = stageMemory(plan, model, stage);
    const auto& devices = plan.stages[std::size_t(stage)].devices;
    return memory && std::all_of(devices.begin(), devices.end(), [&](int device) {
        const double room = deviceRoom(plan.topology, device);
        return room <= 0 || memory->total() <= room;
    });
}

// The single layer whose move over a border makes a batch the fastest, by simulation of the list
// that runs; none where no move that fits in memory gains enough to be worth a word.
Move bestMove(const Plan& plan, const Prediction& prediction)
{
    Move best { -1, -1, steadyPeriod(prediction.trace) * (1 - kWorthMoving) };
    const bool reduces = demandOf(prediction.schedule).reduces;
    Plan moved = plan;
    for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s)
        for (const bool down : { false, true }) { // which way over the border after stage s
            PlanStage &before = moved.stages[s], &after = moved.stages[s + 1];
            const PlanStage& giver = down ? before : after;
            if (giver.firstLayer == giver.lastLayer)
                continue;
            const int layer = down ? before.lastLayer : after.firstLayer;
            before.lastLayer += down ? -1 : 1;
            after.firstLayer += down ? -1 : 1;
            const int to = int(s) + (down ? 1 : 0);
            SimulationInput input = prediction.simulation;
            for (const std::size_t at : { s, s + 1 })
                input.stages[at] = stageTimes(moved, prediction.model, moved.stages[at], reduces);
            input.hops = hopTimes(moved, prediction.model);
            // A batch takes at least what its busiest stage works: most moves need no simulation.
            const double busiest = plan.microbatches * mostWork(input.stages);
            if (busiest < best.period && fits(moved, prediction.model, to))
                if (const auto trace = simulate(prediction.schedule, input))
                    if (const double period = steadyPeriod(*trace); period < best.period)
                        best = { layer, to, period };
            before = plan.stages[s];
            after = plan.stages[s + 1];
        }
    return best;
}

} // namespace

std::string memoryRefusal(
    const Topology& topology, int stage, int device, const StageMemory& memory)
{
    const Device& at = topology.devices[std::size_t(device)];
    const double room = deviceRoom(topology, device);
    const bool gpu = at.kind == DeviceKind::Gpu;
    const double taken = programBytes(topology, device);
    if (at.memoryBytes && *at.memoryBytes <= taken)
        return fmt::format(
            "stage {} needs {}, and {} {} has none of its {} for it, as {} {}: {} too "
            "much, most of the stage's is {} ({})",
            stage, formatBytes(memory.total()), gpu ? "GPU" : "CPU worker", device,
            formatBytes(*at.memoryBytes),
            gpu ? "its context and fragments take" : "the program's share is", formatBytes(taken),
            formatBytes(memory.total() + taken - *at.memoryBytes), memory.largestCategory(),
            formatBytes(largestBytes(memory)));
    const std::string whole = at.memoryBytes ? " of its " + formatBytes(*at.memoryBytes) : "";
    return fmt::format(
        "stage {} needs {}, and {} {} has {}{} for it: {} too much, most of it {} ({})", stage,
        formatBytes(memory.total()), gpu ? "GPU" : "CPU worker", device, formatBytes(room), whole,
        formatBytes(memory.total() - room), memory.largestCategory(),
        formatBytes(largestBytes(memory)));
}

std::string smallestPlanHelp(const Plan& plan, const StageMemory& memory, double room)
{
    std::vector<std::string> ways;
    if (activationsAreTheCause(memory, room)) {
        if (plan.microbatchSize > 1)
            ways.emplace_back("a smaller microbatch size");
        ways.emplace_back("shorter sequences");
        if (plan.dtype == Dtype::Fp32)
            ways.emplace_back("bf16");
        ways.emplace_back("more or larger devices");
    } else {
        ways = waysToLessState(plan);
        ways.insert(ways.begin(), "more stages or larger devices");
    }
    return joined(ways, ", ") + (ways.size() == 1 ? " would help" : " may help");
}

void adviseOnMemory(const Plan& plan, const Prediction& prediction, std::vector<PlanFinding>& out)
{
    for (int s = 0; s < plan.depth(); ++s) {
        const StagePrediction& stage = prediction.stages[std::size_t(s)];
        if (stage.capacityBytes <= 0 || stage.memory.total() <= stage.capacityBytes)
            continue;
        // The device with the least room decides.
        const auto& devices = plan.stages[std::size_t(s)].devices;
        const int device = *std::find_if(devices.begin(), devices.end(),
            [&](int d) { return deviceRoom(plan.topology, d) == stage.capacityBytes; });
        out.push_back({ PlanFinding::Severity::Error, fmt::format("/stages/{}", s),
            fmt::format("{}: {}", memoryRefusal(plan.topology, s, device, stage.memory),
                memoryRemedy(plan, s, stage.memory, stage.capacityBytes)) });
    }
}

void adviseOnBalance(const Plan& plan, const Prediction& prediction, std::vector<PlanFinding>& out)
{
    const int d = plan.depth();
    const auto work = [&](int s) {
        const StageTimes& t = prediction.stages[std::size_t(s)].times;
        return t.forward + t.backward + t.recompute;
    };
    double sum = 0;
    int slow = 0;
    for (int s = 0; s < d; ++s) {
        sum += work(s);
        if (work(s) > work(slow))
            slow = s;
    }
    const double mean = d > 0 ? sum / d : 0;
    if (d < 2 || mean <= 0 || work(slow) < mean * (1 + kOverMean))
        return;
    const Move best = bestMove(plan, prediction);
    std::string help = "no single layer moved to a neighbour makes a batch faster";
    if (best.layer >= 0)
        help = fmt::format("move {} to stage {} (−{} a batch)",
            prediction.model.layers[std::size_t(best.layer)].name, best.to,
            formatPercent(1 - best.period / steadyPeriod(prediction.trace)));
    out.push_back({ PlanFinding::Severity::Warning, fmt::format("/stages/{}", slow),
        fmt::format("stage {} is {} over the mean ({} against {}): {}", slow,
            formatPercent(work(slow) / mean - 1), formatSeconds(work(slow)), formatSeconds(mean),
            help) });
}

} // namespace stageloom
