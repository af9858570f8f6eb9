// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_differences.h"

#include <algorithm>
#include <limits>

namespace stageloom {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void compareAtSameStep(RunDifference& difference, const Evaluations& own, const Evaluations& base)
{
    for (auto at = own.rbegin(); at != own.rend(); ++at) {
        const auto same = std::ranges::lower_bound(
            base, at->first, {}, &std::pair<std::int64_t, double>::first);
        if (same != base.end() && same->first == at->first) {
            difference.validation = at->second - same->second;
            difference.step = at->first;
            return;
        }
    }
}

RunDifference differenceOf(
    const RunEntry& entry, const RunEntry& base, const EvaluationsByRun& evaluations)
{
    RunDifference difference { kNone, kNone, 0, entry.row.id == base.row.id };
    if (difference.isBaseline)
        return difference;
    const RunRow &own = entry.row, &of = base.row;
    if (own.tokensPerSecond && of.tokensPerSecond && *of.tokensPerSecond > 0)
        difference.rate = *own.tokensPerSecond / *of.tokensPerSecond - 1;
    const auto known = [&evaluations](RunId id) { return evaluations.find(id.value); };
    if (own.steps == of.steps && own.validationLoss && of.validationLoss)
        difference.validation = *own.validationLoss - *of.validationLoss;
    else if (known(own.id) != evaluations.end() && known(of.id) != evaluations.end())
        compareAtSameStep(difference, known(own.id)->second, known(of.id)->second);
    return difference;
}

} // namespace

RunEntries withDifferences(
    const RunEntries& entries, RunId baseline, const EvaluationsByRun& evaluations)
{
    const auto base = std::ranges::find_if(
        *entries, [baseline](const RunEntry& entry) { return entry.row.id == baseline; });
    if (!baseline.valid() || base == entries->end())
        return entries;
    auto compared = std::make_shared<std::vector<RunEntry>>(*entries);
    for (RunEntry& entry : *compared)
        entry.difference = differenceOf(entry, *base, evaluations);
    return compared;
}

} // namespace stageloom
