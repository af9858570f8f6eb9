// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/plan_text.h"

#include "core/base/units.h"
#include "core/sim/metrics.h"

namespace stageloom {

namespace {

constexpr std::size_t kRejectedShown = 6;

std::string layersText(const PlanStage& stage)
{
    return fmt::format("{}–{}", stage.firstLayer, stage.lastLayer);
}

std::string rankingText(const PlannerAnswer& answer)
{
    std::string text
        = fmt::format("{:>2}  {:<9} {:>3} × {:<3} {:>4} {:>5}  {:>9} {:>12} {:>8} {:>9}\n", "",
            "schedule", "w", "d", "b", "m", "a batch", "samples/s", "bubble", "memory");
    for (std::size_t i = 0; i < answer.plans.size(); ++i) {
        const Plan& plan = answer.plans[i].plan;
        const Prediction& p = answer.plans[i].prediction;
        text += fmt::format("{:>2}  {:<9} {:>3} × {:<3} {:>4} {:>5}  {:>9} {:>12.4g} {:>8} {:>9}\n",
            i + 1, plan.schedule, plan.width(), plan.depth(), plan.microbatchSize,
            plan.microbatches, formatSeconds(p.stepTime), p.samplesPerSecond,
            formatPercent(p.metrics.bubbleFraction), formatBytes(p.peakMemory));
    }
    return text;
}

std::string stagesText(const Plan& plan, const Prediction& p)
{
    std::string text = fmt::format(
        "{:>5}  {:<9} {:<12} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10} {:>10}\n", "stage", "layers",
        "devices", "F+B", "weights", "gradients", "optimizer", "activations", "buffers", "of");
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        const PlanStage& stage = plan.stages[s];
        const StagePrediction& sp = p.stages[s];
        const StageTimes& t = sp.times;
        text += fmt::format(
            "{:>5}  {:<9} {:<12} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10} {:>10}{}\n", s,
            layersText(stage), fmt::format("{}", fmt::join(stage.devices, ",")),
            formatSeconds(t.forward + t.backward + t.recompute), formatBytes(sp.memory.weights),
            formatBytes(sp.memory.gradients), formatBytes(sp.memory.optimizer),
            formatBytes(sp.memory.activations), formatBytes(sp.memory.buffers),
            sp.capacityBytes > 0 ? formatBytes(sp.capacityBytes) : "unknown",
            stage.recompute ? "  recompute" : "");
    }
    return text;
}

} // namespace

std::string planText(const PlannerAnswer& answer, int columns)
{
    const RankedPlan& best = answer.plans.front();
    std::string text = best.plan.name + "\n\n" + rankingText(answer) + "\n";
    for (std::size_t i = 0; i < answer.plans.size(); ++i)
        text += fmt::format("{}. {}\n", i + 1, answer.plans[i].why);
    text += "\n" + stagesText(best.plan, best.prediction) + "\n";
    text += asciiTimeline(best.prediction.trace, columns);
    for (const PlanFinding& finding : best.prediction.findings)
        text += fmt::format("{}: {}\n",
            finding.severity == PlanFinding::Severity::Warning ? "warning" : "note",
            finding.message);
    const std::size_t shown = std::min(answer.rejected.size(), kRejectedShown);
    for (std::size_t i = 0; i < shown; ++i)
        text
            += fmt::format("rejected {}: {}\n", answer.rejected[i].plan, answer.rejected[i].reason);
    if (shown < answer.rejected.size())
        text += fmt::format(
            "and {} more rejected (--json lists them)\n", answer.rejected.size() - shown);
    text += fmt::format(
        "{} plans compared in {}\n", answer.considered, formatSeconds(answer.seconds));
    return text;
}

} // namespace stageloom
