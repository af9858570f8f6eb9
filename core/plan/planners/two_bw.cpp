// SPDX-License-Identifier: Apache-2.0
// The 2BW planner (2bw.md §3) on unequal layers. Decisions where the paper leaves room:
// all N devices are used; rates are w·b/t; replicas may fill a whole server (≤, with divisibility,
// falls out of measuring the slowest link of the group); m ≥ d is enforced; transfers add to
// compute; recompute is decided stage by stage; 1f1b and gpipe take t·(m+d−1)/m.
#include "core/plan/planners/two_bw.h"

#include "core/base/units.h"
#include "core/plan/advice.h"

#include <algorithm>

namespace stageloom::planners {

namespace {

// Rates this close are equal: sums in another order must not decide.
constexpr double kTie = 1e-9;

std::vector<std::int64_t> divisors(std::int64_t n)
{
    std::vector<std::int64_t> all;
    for (std::int64_t i = 1; i * i <= n; ++i)
        if (n % i == 0) {
            all.push_back(i);
            if (i != n / i)
                all.push_back(n / i);
        }
    std::sort(all.begin(), all.end());
    return all;
}

bool better(const Candidate& a, const Candidate& b)
{
    if (std::abs(a.rate - b.rate) > kTie * std::max(a.rate, b.rate))
        return a.rate > b.rate;
    if (a.shape.width != b.shape.width)
        return a.shape.width < b.shape.width;
    return a.shape.microbatchSize < b.shape.microbatchSize;
}

double rateOf(const PlanShape& shape, double slowest, bool flush)
{
    const double m = shape.microbatches;
    const double period = slowest * (flush ? (m + shape.depth - 1) / m : 1);
    return period > 0 ? shape.width * shape.microbatchSize / period : 0;
}

std::string whereOver(const StageCosts& costs, const Partition& partition)
{
    int worst = 0;
    double most = 0;
    StageMemory memory;
    for (std::size_t s = 0; s < partition.stages.size(); ++s) {
        const PlanStage& stage = partition.stages[s];
        const auto need = costs.memory(int(s), stage.firstLayer, stage.lastLayer, stage.recompute);
        const double over = need.total() - costs.capacity(int(s));
        if (costs.capacity(int(s)) <= 0 || (memory.total() > 0 && over <= most))
            continue;
        worst = int(s);
        most = over;
        memory = need;
    }
    return memoryRefusal(costs.plan().topology, worst,
        partition.stages[std::size_t(worst)].devices[0], memory, costs.capacity(worst));
}

// What the list of a shape is asked for by. Clipping couples stages, and so does a tied head, which
// always lies on another stage than the embedding where there are two.
ScheduleRequest listRequest(
    const PlannerRequest& request, const std::string& schedule, const PlanShape& shape)
{
    const auto& layers = request.model.layers;
    const bool tied = std::any_of(
        layers.begin(), layers.end(), [](const Layer& layer) { return !layer.tiedTo.empty(); });
    ScheduleRequest list;
    list.name = schedule;
    list.depth = shape.depth;
    list.microbatches = shape.microbatches;
    list.microbatchSize = shape.microbatchSize;
    list.width = shape.width;
    list.crossStageUpdate = shape.depth > 1 && (request.optimizer.clipNorm > 0 || tied);
    return list;
}

void tryShape(
    const PlannerRequest& request, const ScheduleInfo& info, const PlanShape& shape, Search& search)
{
    ++search.considered;
    const std::string& schedule = info.name;
    const int layers = int(request.model.layers.size());
    const ScheduleRequest list = listRequest(request, schedule, shape);
    if (const Status enough = checkMicrobatches(info, list); !enough) {
        search.rejected.push_back({ shapeText(schedule, shape), enough.error().message });
        return;
    }
    auto demand = steadyDemand(list);
    if (!demand) {
        search.onlyTooShallow = false;
        search.rejected.push_back({ shapeText(schedule, shape), demand.error().message });
        return;
    }
    const StageCosts costs(request, info, shape, std::move(*demand));
    if (auto partition = fastestPartition(costs, layers); partition) {
        const double rate = rateOf(shape, partition->slowest, info.flushes);
        search.found.push_back({ shape, std::move(*partition), rate });
        return;
    }
    search.onlyTooShallow = false;
    Candidate candidate { shape, closestPartition(costs, layers), 0 };
    std::string reason = whereOver(costs, candidate.partition);
    search.rejected.push_back({ shapeText(schedule, shape), reason });
    if (!search.closest || candidate.partition.excess < search.closest->partition.excess) {
        search.closest = std::move(candidate);
        search.closestText = std::move(reason);
    }
}

} // namespace

std::string shapeText(const std::string& schedule, const PlanShape& shape)
{
    return fmt::format("{} {} × {}, b {}, m {}", schedule, shape.width, shape.depth,
        shape.microbatchSize, shape.microbatches);
}

Search searchTwoBw(const PlannerRequest& request, const ScheduleInfo& info)
{
    const std::string& schedule = info.name;
    Search search;
    const int n = int(request.topology.devices.size());
    const int layers = int(request.model.layers.size());
    for (int w = 1; w <= n; ++w) {
        if (n % w != 0 || (request.width > 0 && w != request.width))
            continue;
        const int d = n / w;
        const auto refuse = [&](std::string reason) {
            search.rejected.push_back(
                { fmt::format("{} {} × {}", schedule, w, d), std::move(reason) });
        };
        if (d > layers) {
            refuse(fmt::format("{} stages are more than the model's {} layers", d, layers));
            continue;
        }
        if (request.batchSize % w != 0) {
            refuse(fmt::format(
                "a batch of {} samples does not divide among {} replicas", request.batchSize, w));
            continue;
        }
        for (const std::int64_t b : divisors(request.batchSize / w))
            tryShape(request, info, { w, d, int(b), int(request.batchSize / w / b) }, search);
    }
    std::stable_sort(search.found.begin(), search.found.end(), better);
    return search;
}

} // namespace stageloom::planners
