// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planners/stage_costs.h"

#include "core/plan/cost_model.h"

#include <algorithm>
#include <limits>

namespace stageloom::planners {

namespace {

// Rank layout: replicas of one stage next to one another, on one server where they fit (2bw.md §2).
Plan emptyPlan(const PlannerRequest& request, const std::string& schedule, const PlanShape& shape)
{
    Plan plan;
    plan.seq = request.model.seq;
    plan.dtype = request.model.dtype;
    plan.topology = request.topology;
    plan.schedule = schedule;
    plan.microbatchSize = shape.microbatchSize;
    plan.microbatches = shape.microbatches;
    plan.optimizer = request.optimizer;
    plan.profile = request.profile;
    for (int s = 0; s < shape.depth; ++s) {
        PlanStage stage;
        for (int r = 0; r < shape.width; ++r)
            stage.devices.push_back(
                request.topology.devices[std::size_t(s * shape.width + r)].index);
        plan.stages.push_back(std::move(stage));
    }
    return plan;
}

} // namespace

StageCosts::StageCosts(const PlannerRequest& request, const ScheduleInfo& schedule,
    const PlanShape& shape, ListDemand demand)
    : m_model(request.model)
    , m_plan(emptyPlan(request, schedule.name, shape))
    , m_bytes(parameterBytes(m_plan))
    , m_demand(std::move(demand))
    , m_updates(schedule.versionRule == VersionRule::Stash ? shape.microbatches : 1)
{
    addSums(request.model);
    addRanks(request.model);
}

void StageCosts::addSums(const Model& model)
{
    const std::size_t n = model.layers.size();
    m_parameters.assign(n + 1, 0);
    m_stash.assign(n + 1, 0);
    m_largest.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const Layer& layer = model.layers[i];
        m_parameters[i + 1] = m_parameters[i] + double(layer.parameters);
        m_stash[i + 1] = m_stash[i] + layer.stashBytes;
        double largest = 0;
        for (std::size_t j = i; j < n; ++j) {
            largest = std::max(largest, model.layers[j].stashBytes);
            m_largest[i * n + j] = largest;
            if (!model.layers[i].tiedTo.empty() && model.layers[j].name == model.layers[i].tiedTo)
                m_ownerAt = int(j);
        }
        if (!layer.tiedTo.empty()) {
            m_tiedAt = int(i);
            for (std::size_t j = 0; j < i; ++j)
                if (model.layers[j].name == layer.tiedTo)
                    m_ownerAt = int(j);
        }
    }
}

void StageCosts::addRanks(const Model& model)
{
    const std::size_t n = model.layers.size();
    for (std::size_t s = 0; s < m_plan.stages.size(); ++s) {
        const auto& devices = m_plan.stages[s].devices;
        Rank rank;
        rank.capacity = smallestRoom(m_plan.topology, devices);
        double slowest = -1;
        for (const int device : devices) {
            const auto times = layerTimes(m_plan, model, device);
            Rank sums;
            for (auto* sum : { &sums.forward, &sums.backward, &sums.recompute })
                sum->assign(n + 1, 0);
            for (std::size_t i = 0; i < n; ++i) {
                sums.forward[i + 1] = sums.forward[i] + times[i].forward;
                sums.backward[i + 1] = sums.backward[i] + times[i].backward;
                sums.recompute[i + 1] = sums.recompute[i] + times[i].recompute;
            }
            if (sums.forward[n] + sums.backward[n] <= slowest)
                continue;
            slowest = sums.forward[n] + sums.backward[n];
            rank.forward = std::move(sums.forward);
            rank.backward = std::move(sums.backward);
            rank.recompute = std::move(sums.recompute);
            rank.updatePerParameter = updateTime(m_plan, 1, device);
        }
        rank.reductionPerParameter = allReduceTime(m_plan, 1, devices);
        rank.bytesPerParameter = m_bytes.total(stageDemand(m_demand, int(s)));
        if (s + 1 < m_plan.stages.size())
            for (std::size_t r = 0; r < devices.size(); ++r) {
                const int to = m_plan.stages[s + 1].devices[r];
                const double fixed = transferTime(m_plan, devices[r], to, 0);
                const double slope = transferTime(m_plan, devices[r], to, 1e9) - fixed;
                rank.hopSeconds = std::max(rank.hopSeconds, fixed);
                rank.hopPerByte = std::max(rank.hopPerByte, slope / 1e9);
            }
        m_ranks.push_back(std::move(rank));
    }
}

StageLoad StageCosts::load(int first, int last) const
{
    const std::size_t n = m_model.layers.size();
    const auto i = std::size_t(first), j = std::size_t(last);
    StageLoad load;
    load.first = first == 0;
    load.last = j + 1 == n;
    load.parameters = m_parameters[j + 1] - m_parameters[i];
    if (m_tiedAt >= first && m_tiedAt <= last && (m_ownerAt < first || m_ownerAt > last))
        load.parameters += double(m_model.layers[std::size_t(m_tiedAt)].tiedParameters);
    load.stash = m_stash[j + 1] - m_stash[i];
    load.largestStash = m_largest[i * n + j];
    load.input = load.first ? 8.0 * double(m_model.seq) : m_model.layers[i - 1].outputBytes;
    load.output = load.last ? 0 : m_model.layers[j].outputBytes;
    if (m_model.layers[j].kind == LayerKind::Head)
        load.logits = m_model.layers[j].outputBytes / bytesOf(m_model.dtype);
    return load;
}

StageMemory StageCosts::memory(int stage, int first, int last, bool recompute) const
{
    return memoryAt(load(first, last), stage, recompute);
}

StageMemory StageCosts::memoryAt(const StageLoad& load, int stage, bool recompute) const
{
    return memoryOf(load, m_bytes, stageDemand(m_demand, stage), m_plan.microbatchSize, recompute);
}

StageCosts::Least StageCosts::least(int stage, int first, int last) const
{
    const Rank& rank = m_ranks[std::size_t(stage)];
    const auto i = std::size_t(first), j = std::size_t(last) + 1;
    const double compute = m_plan.microbatches
        * (rank.forward[j] - rank.forward[i] + rank.backward[j] - rank.backward[i]);
    if (rank.capacity <= 0)
        return { compute, -std::numeric_limits<double>::infinity() };
    // With or without recompute, one microbatch's stash is there, and one layer's again.
    const double stash = m_stash[j] - m_stash[i] + m_largest[i * m_model.layers.size() + j - 1];
    return { compute,
        (m_parameters[j] - m_parameters[i]) * rank.bytesPerParameter + stash * m_plan.microbatchSize
            - rank.capacity };
}

StageTimes StageCosts::times(int stage, int first, int last, bool recompute) const
{
    return timesOf(load(first, last), stage, first, last, recompute);
}

StageTimes StageCosts::timesOf(
    const StageLoad& l, int stage, int first, int last, bool recompute) const
{
    const Rank& rank = m_ranks[std::size_t(stage)];
    const auto i = std::size_t(first), j = std::size_t(last) + 1;
    StageTimes times { 0, 0 };
    times.forward = rank.forward[j] - rank.forward[i];
    times.backward = rank.backward[j] - rank.backward[i];
    times.recompute = recompute ? rank.recompute[j] - rank.recompute[i] : 0;
    return withUpdate(m_plan, times, l.parameters * rank.updatePerParameter,
        l.parameters * rank.reductionPerParameter, m_demand.reduces);
}

double StageCosts::busy(const StageTimes& t) const
{
    const double exposed = m_demand.reduces ? 0 : t.reduction;
    return m_plan.microbatches * (t.forward + t.backward + t.recompute)
        + m_updates * (t.update + exposed);
}

double StageCosts::hop(int stage, int last) const
{
    const Rank& rank = m_ranks[std::size_t(stage)];
    return rank.hopSeconds
        + rank.hopPerByte * m_model.layers[std::size_t(last)].outputBytes * m_plan.microbatchSize;
}

double StageCosts::leastOfAll() const
{
    // Each layer on its fastest device, spread evenly; and the largest layer alone.
    const std::size_t n = m_model.layers.size();
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double fastest = std::numeric_limits<double>::infinity();
        for (const Rank& rank : m_ranks)
            fastest = std::min(fastest,
                rank.forward[i + 1] - rank.forward[i] + rank.backward[i + 1] - rank.backward[i]);
        sum += fastest;
        largest = std::max(largest, fastest);
    }
    return m_plan.microbatches * std::max(largest, sum / double(m_ranks.size()));
}

StageCosts::Cost StageCosts::cost(int stage, int first, int last) const
{
    const double room = capacity(stage);
    const StageLoad l = load(first, last);
    const double plain = memoryAt(l, stage, false).total();
    if (room <= 0 || plain <= room)
        return { busy(timesOf(l, stage, first, last, false)), false, true,
            room > 0 ? plain - room : -1 };
    const double again = memoryAt(l, stage, true).total();
    const bool better = again < plain;
    return { busy(timesOf(l, stage, first, last, better)), better, again <= room,
        std::min(plain, again) - room };
}

} // namespace stageloom::planners
