// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/plan_text.h"

#include "core/base/units.h"
#include "core/sim/metrics.h"
#include "core/sim/trace_forms.h"

namespace stageloom {

namespace {

constexpr std::size_t kRejectedShown = 6;

std::string layersText(const PlanStage& stage)
{
    return fmt::format("{}–{}", stage.firstLayer, stage.lastLayer);
}

// Estimates are told as such, with what they know.
std::string timeText(const Prediction& p, double seconds)
{
    return p.measuredTimes ? formatSeconds(seconds) : aboutSeconds(seconds);
}

std::string tokensText(const Prediction& p)
{
    return p.measuredTimes ? formatRate(p.tokensPerSecond, "tokens")
                           : aboutRate(p.tokensPerSecond, "tokens");
}

std::string rankingText(const PlannerAnswer& answer)
{
    constexpr const char* kRow = "{:>2}  {:<10} {:>17} {:>5} {:>6}  {:>10} {:>17} {:>8} {:>10}\n";
    std::string text = fmt::format(fmt::runtime(kRow), "", "schedule", "stages × replicas", "b",
        "m", "a batch", "rate", "bubble", "memory");
    for (std::size_t i = 0; i < answer.plans.size(); ++i) {
        const Plan& plan = answer.plans[i].plan;
        const Prediction& p = answer.plans[i].prediction;
        text += fmt::format(fmt::runtime(kRow), i + 1, plan.schedule,
            fmt::format("{} × {}", plan.depth(), plan.width()), plan.microbatchSize,
            plan.microbatches, timeText(p, p.stepTime), tokensText(p),
            p.metrics.steadyBubbleFraction ? formatPercent(*p.metrics.steadyBubbleFraction)
                                           : "none",
            formatBytes(p.peakMemory));
    }
    return text;
}

// Told once a run: what a pipeline that does not flush takes to fill and drain.
std::string fillText(const Prediction& p)
{
    const double once = p.metrics.fill + p.metrics.drain;
    if (p.schedule.stages < 2 || once < 0.01 * p.stepTime)
        return {};
    return fmt::format("The bubble is that of the steady state; filling and draining the pipeline "
                       "take {} once a run.\n",
        timeText(p, once));
}

std::string stagesText(const Plan& plan, const Prediction& p)
{
    std::string text = fmt::format(
        "{:>5}  {:<9} {:<12} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10} {:>10}\n", "stage", "layers",
        "devices", "F+B", "weights", "gradients", "optimizer", "activations", "buffers", "room");
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        const PlanStage& stage = plan.stages[s];
        const StagePrediction& sp = p.stages[s];
        const StageTimes& t = sp.times;
        text += fmt::format(
            "{:>5}  {:<9} {:<12} {:>10} {:>10} {:>10} {:>10} {:>11} {:>10} {:>10}{}\n", s,
            layersText(stage), fmt::format("{}", fmt::join(stage.devices, ",")),
            timeText(p, t.forward + t.backward + t.recompute), formatBytes(sp.memory.weights),
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
    text += fillText(best.prediction);
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
