// SPDX-License-Identifier: Apache-2.0
#include "core/plan/explain.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

double workOf(const StagePrediction& stage)
{
    return stage.times.forward + stage.times.backward + stage.times.recompute;
}

std::string shortName(const Plan& plan)
{
    return fmt::format(
        "{} {} × {}, b {}", plan.schedule, plan.width(), plan.depth(), plan.microbatchSize);
}

std::string stagesThatRecompute(const Plan& plan)
{
    std::string names;
    for (int s = 0; s < plan.depth(); ++s)
        if (plan.stages[std::size_t(s)].recompute)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", s);
    return names;
}

std::string bound(const RankedPlan& ranked)
{
    const auto& stages = ranked.prediction.stages;
    const auto slow = std::max_element(stages.begin(), stages.end(),
        [](const auto& a, const auto& b) { return workOf(a) < workOf(b); });
    const double m = ranked.plan.microbatches;
    const double work = m * workOf(*slow), step = ranked.prediction.stepTime;
    const auto at = slow - stages.begin();
    std::string text = fmt::format("the compute of stage {} ({} of the {} a batch)", at,
        formatSeconds(work), formatSeconds(step));
    if (slow->times.update > 0.5 * step)
        text = fmt::format("the update and all-reduce of stage {} ({} of the {} a batch)", at,
            formatSeconds(slow->times.update), formatSeconds(step));
    else if (work < 0.7 * step)
        text = fmt::format("waiting: stage {}, the busiest, computes {} of the {} a batch; the "
                           "rest is transfers, updates and bubbles",
            at, formatSeconds(work), formatSeconds(step));
    return text;
}

// "3.1 % faster than 2bw 1 × 2, b 4", "as fast as it"; a ratio near 1 is neither.
std::string fasterText(double ratio, const std::string& other, const char* faster)
{
    constexpr double kEqual = 5e-4; // shown as 0.0 %
    if (std::abs(ratio - 1) < kEqual)
        return other.empty() ? "just as fast" : "as fast as " + other;
    return formatPercent(ratio - 1) + " " + faster + (other.empty() ? "" : " " + other);
}

} // namespace

std::string explain(const RankedPlan& ranked, const RankedPlan* best, const RankedPlan* next)
{
    const Plan& plan = ranked.plan;
    const Prediction& p = ranked.prediction;
    std::string text = fmt::format("{} is bounded by {}", shortName(plan), bound(ranked));
    if (const std::string again = stagesThatRecompute(plan); !again.empty())
        text += fmt::format("; stage {} recomputes to fit its memory", again);
    text += fmt::format("; the fullest device holds {}", formatBytes(p.peakMemory));
    if (best && p.samplesPerSecond > 0)
        text += "; the best plan is "
            + fasterText(best->prediction.samplesPerSecond / p.samplesPerSecond, "", "faster");
    else if (next && next->prediction.samplesPerSecond > 0)
        text += "; it is "
            + fasterText(p.samplesPerSecond / next->prediction.samplesPerSecond,
                shortName(next->plan), "faster than");
    if (const ScheduleInfo* info = findSchedule(plan.schedule); info && info->delayBatches == 1)
        text += "; every gradient is one batch old";
    return text + ".";
}

} // namespace stageloom
