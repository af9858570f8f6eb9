// SPDX-License-Identifier: Apache-2.0
#include "core/plan/explain.h"

#include "core/base/text.h"
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
        "{}, {}, b {}", plan.schedule, layoutText(plan.depth(), plan.width()), plan.microbatchSize);
}

// "stage 0 recomputes", "stages 0, 1 and 3 recompute"; empty: none does.
std::string whoRecomputes(const Plan& plan)
{
    std::vector<std::string> names;
    for (int s = 0; s < plan.depth(); ++s)
        if (plan.stages[std::size_t(s)].recompute)
            names.push_back(std::to_string(s));
    if (names.empty())
        return {};
    if (names.size() == 1)
        return fmt::format("stage {} recomputes", names[0]);
    if (int(names.size()) == plan.depth())
        return "all stages recompute";
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("stages {} and {} recompute", joined(names, ", "), last);
}

std::string bound(const RankedPlan& ranked)
{
    const Prediction& p = ranked.prediction;
    const auto& stages = p.stages;
    const auto slow = std::max_element(stages.begin(), stages.end(),
        [](const auto& a, const auto& b) { return workOf(a) < workOf(b); });
    const double m = ranked.plan.microbatches;
    const double work = m * workOf(*slow), step = ranked.prediction.stepTime;
    const auto at = slow - stages.begin();
    std::string text = fmt::format(
        "the compute of stage {} ({} of the {} a batch)", at, timeText(p, work), timeText(p, step));
    if (slow->times.update + slow->times.reduction > 0.5 * step)
        text = fmt::format("the update and all-reduce of stage {} ({} of the {} a batch)", at,
            timeText(p, slow->times.update + slow->times.reduction), timeText(p, step));
    else if (work < 0.7 * step)
        text = fmt::format("waiting: stage {}, the busiest, computes {} of the {} a batch; the "
                           "rest is transfers, updates and bubbles",
            at, timeText(p, work), timeText(p, step));
    return text;
}

// "3.1 % faster than 2bw, 2 stages × 1 replica, b 4", "as fast as …, with 8.1 GiB less"; `other`
// may be empty.
std::string comparedText(
    const RankedPlan& ahead, const RankedPlan& behind, const std::string& other)
{
    const double ratio = ahead.prediction.samplesPerSecond / behind.prediction.samplesPerSecond;
    if (ratio > 1 + kEqualSpeed)
        return formatPercent(ratio - 1) + " faster" + (other.empty() ? "" : " than " + other);
    std::string text = other.empty() ? "as fast" : "as fast as " + other;
    const double less = behind.prediction.peakMemory - ahead.prediction.peakMemory;
    if (less > 0.01 * behind.prediction.peakMemory)
        text += fmt::format(", with {} less", formatBytes(less));
    return text;
}

} // namespace

std::string timeText(const Prediction& p, double seconds)
{
    return p.measuredTimes ? formatSeconds(seconds) : aboutSeconds(seconds);
}

std::string rateText(const Prediction& p)
{
    return p.measuredTimes ? formatRate(p.tokensPerSecond, "tokens")
                           : aboutRate(p.tokensPerSecond, "tokens");
}

std::string layoutText(int depth, int width)
{
    return fmt::format(
        "{} stage{} × {} replica{}", depth, depth == 1 ? "" : "s", width, width == 1 ? "" : "s");
}

std::string explain(const RankedPlan& ranked, const RankedPlan* best, const RankedPlan* next)
{
    const Plan& plan = ranked.plan;
    const Prediction& p = ranked.prediction;
    std::string text = fmt::format("{} is bounded by {}", shortName(plan), bound(ranked));
    if (const std::string again = whoRecomputes(plan); !again.empty())
        text += fmt::format("; {} to fit the memory", again);
    text += fmt::format("; the fullest device holds {}", formatBytes(p.peakMemory));
    const int used = plan.depth() * plan.width();
    if (const auto all = plan.topology.devices.size(); std::size_t(used) < all)
        text += fmt::format("; {} of the {} devices are used", used, all);
    if (best)
        text += "; the best plan is " + comparedText(*best, ranked, {});
    else if (next)
        text += "; it is " + comparedText(ranked, *next, shortName(next->plan));
    const ScheduleInfo* info = findSchedule(plan.schedule);
    if (info && info->delayBatches == 1)
        text += "; every gradient is one batch old";
    else if (info && info->delayBatches < 0)
        text += "; how old a gradient is differs by stage";
    return text + ".";
}

} // namespace stageloom
