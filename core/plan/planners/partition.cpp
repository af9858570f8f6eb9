// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planners/partition.h"

#include <algorithm>
#include <limits>

namespace stageloom::planners {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// best[s][j]: smallest worst value of stages 0…s over layers 0…j; from[s][j]: where stage s starts.
// Of equal cuts the one with the latest border, so that answers do not depend on anything else.
// `least(s, i, j)` is at most value(s, i, j) and grows as i falls: once it is too much, so are all
// longer stages.
template <typename Value, typename Least>
std::vector<int> cuts(int stages, int layers, const Value& value, const Least& least)
{
    std::vector<double> best(std::size_t(stages * layers), kNever);
    std::vector<int> from(std::size_t(stages * layers), -1);
    for (int s = 0; s < stages; ++s)
        for (int j = s; j < layers - (stages - 1 - s); ++j) {
            const auto at = std::size_t(s * layers + j);
            for (int i = s == 0 ? 0 : j; i >= s; --i) {
                if (least(s, i, j) >= best[at])
                    break;
                const double before
                    = s == 0 ? -kNever : best[std::size_t((s - 1) * layers + i - 1)];
                if (before >= best[at])
                    continue;
                const double worst = std::max(before, value(s, i, j));
                if (worst < best[at]) {
                    best[at] = worst;
                    from[at] = i;
                }
            }
        }
    std::vector<int> starts(std::size_t(stages), -1);
    int last = layers - 1;
    for (int s = stages - 1; s >= 0; --s) {
        const int first = last < 0 ? -1 : from[std::size_t(s * layers + last)];
        starts[std::size_t(s)] = first;
        last = first - 1;
        if (first < 0)
            return {};
    }
    return starts;
}

} // namespace

Partition partitionOf(const StageCosts& costs, int layers, const std::vector<int>& cut)
{
    Partition partition { costs.plan().stages, 0, -kNever };
    for (std::size_t s = 0; s < cut.size(); ++s) {
        PlanStage& stage = partition.stages[s];
        stage.firstLayer = cut[s];
        stage.lastLayer = s + 1 < cut.size() ? cut[s + 1] - 1 : layers - 1;
        const auto cost = costs.cost(int(s), stage.firstLayer, stage.lastLayer);
        stage.recompute = cost.recompute;
        partition.slowest = std::max(partition.slowest, cost.time);
        partition.excess = std::max(partition.excess, cost.excess);
    }
    return partition;
}

std::optional<Partition> fastestPartition(const StageCosts& costs, int layers)
{
    const auto starts = cuts(
        costs.plan().depth(), layers,
        [&](int s, int i, int j) {
            const auto cost = costs.cost(s, i, j);
            return cost.fits ? cost.time : kNever;
        },
        [&](int s, int i, int j) {
            const auto least = costs.least(s, i, j);
            return least.excess > 0 ? kNever : least.time;
        });
    if (starts.empty())
        return std::nullopt;
    return partitionOf(costs, layers, starts);
}

Partition closestPartition(const StageCosts& costs, int layers)
{
    const auto excess = [&](int s, int i, int j) { return costs.cost(s, i, j).excess; };
    const auto least = [&](int s, int i, int j) { return costs.least(s, i, j).excess; };
    return partitionOf(costs, layers, cuts(costs.plan().depth(), layers, excess, least));
}

} // namespace stageloom::planners
