// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/demand.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

namespace stageloom {

namespace {

class Count {
public:
    explicit Count(const Schedule& schedule)
        : m_schedule(schedule)
        , m_total(schedule.microbatchCount())
        , m_updates(schedule.updateCount())
    {
        const auto stages = std::size_t(schedule.stages);
        for (auto* perStage : { &m_demand.peakStash, &m_demand.peakVersions })
            perStage->assign(stages, 0);
        for (auto* perStage : { &m_demand.stashPeakAt, &m_demand.versionPeakAt })
            perStage->assign(stages, -1);
        m_demand.accumulators.assign(stages, 1);
        m_demand.recompute.assign(stages, false);
        m_inFlight.assign(stages, 0);
        m_open.assign(stages, 0);
        m_touched.assign(stages * m_updates, 0);
    }

    ListDemand go()
    {
        for (const auto& list : m_schedule.workers)
            for (std::size_t i = 0; i < list.size(); ++i)
                if (inside(list[i]))
                    look(list[i], int(i));
        if (m_hasVersions)
            countVersions();
        return std::move(m_demand);
    }

private:
    bool inside(const Action& action) const
    {
        return action.stage >= 0 && action.stage < m_schedule.stages && action.microbatch >= 0
            && std::size_t(action.microbatch)
            < (carriesMicrobatch(action.kind) ? m_total : m_updates);
    }

    void look(const Action& action, int position)
    {
        const auto stage = std::size_t(action.stage);
        m_hasVersions = m_hasVersions || action.version >= 0;
        switch (action.kind) {
        case ActionKind::Forward:
            if (++m_inFlight[stage] > m_demand.peakStash[stage]) {
                m_demand.peakStash[stage] = m_inFlight[stage];
                m_demand.stashPeakAt[stage] = position;
            }
            break;
        case ActionKind::Backward:
        case ActionKind::BackwardWeight:
            --m_inFlight[stage];
            open(stage, std::size_t(m_schedule.batchOf(action)));
            break;
        case ActionKind::Update:
            m_open[stage] -= touched(stage, std::size_t(action.microbatch));
            break;
        case ActionKind::Recompute:
            m_demand.recompute[stage] = true;
            break;
        case ActionKind::AllReduce:
            m_demand.reduces = true;
            break;
        case ActionKind::BackwardInput:
        case ActionKind::Send:
        case ActionKind::Recv:
            break;
        }
    }

    char& touched(std::size_t stage, std::size_t update)
    {
        return m_touched[stage * m_updates + update];
    }

    void open(std::size_t stage, std::size_t update)
    {
        if (update >= m_updates || touched(stage, update))
            return;
        touched(stage, update) = 1;
        m_demand.accumulators[stage] = std::max(m_demand.accumulators[stage], ++m_open[stage]);
    }

    // A version lives from the update that makes it (0: from the start) to its last reader, and at
    // least until its successor is made, whose buffer is its own then.
    void countVersions()
    {
        std::vector<int> lastRead(std::size_t(m_schedule.stages) * (m_updates + 1), -1);
        const auto last = [&](const Action& action) -> int& {
            return lastRead[std::size_t(action.stage) * (m_updates + 1)
                + std::size_t(action.version)];
        };
        const auto counts = [&](const Action& action) {
            return inside(action) && action.version >= 0
                && std::size_t(action.version) <= m_updates;
        };
        for (const auto& list : m_schedule.workers)
            for (std::size_t i = 0; i < list.size(); ++i)
                if (counts(list[i]) && isCompute(list[i].kind))
                    last(list[i]) = int(i);
        std::vector<int> oldest(std::size_t(m_schedule.stages), 0);
        m_demand.peakVersions.assign(std::size_t(m_schedule.stages), 1);
        for (const auto& list : m_schedule.workers)
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (list[i].kind != ActionKind::Update || !counts(list[i]))
                    continue;
                const auto stage = std::size_t(list[i].stage);
                const int* reads = &lastRead[stage * (m_updates + 1)];
                int& low = oldest[stage];
                while (low < list[i].version && reads[low] <= int(i))
                    ++low;
                const auto alive = 1
                    + int(std::count_if(reads + low, reads + std::max(low, list[i].version),
                        [&](int at) { return at > int(i); }));
                if (alive > m_demand.peakVersions[stage]) {
                    m_demand.peakVersions[stage] = alive;
                    m_demand.versionPeakAt[stage] = int(i);
                }
            }
    }

    const Schedule& m_schedule;
    std::size_t m_total, m_updates;
    ListDemand m_demand;
    // Per stage: microbatches in flight, accumulators with gradients in them.
    std::vector<int> m_inFlight, m_open;
    // [stage][update] its accumulator was begun.
    std::vector<char> m_touched;
    bool m_hasVersions = false;
};

} // namespace

ListDemand demandOf(const Schedule& schedule)
{
    return Count(schedule).go();
}

Result<ListDemand> steadyDemand(const ScheduleRequest& request)
{
    using Key = std::tuple<std::string, int, int, bool>;
    // A planner's search asks for a few hundred shapes; a few dozen numbers each.
    constexpr std::size_t kMostRemembered = 4096;
    static std::mutex mutex;
    static std::map<Key, ListDemand> remembered;
    const Key key { request.name, request.depth, request.microbatches, request.crossStageUpdate };
    {
        const std::lock_guard lock(mutex);
        if (const auto found = remembered.find(key); found != remembered.end())
            return found->second;
    }
    ScheduleRequest shape = request;
    shape.recompute.clear();
    // 2d microbatches fill the pipeline and replace all that was in it when the first update came;
    // three batches more see an update that was put off behind another.
    shape.batches = 3 + 2 * request.depth / std::max(1, request.microbatches);
    const auto schedule = makeSchedule(shape);
    if (!schedule)
        return failure(schedule);
    ListDemand demand = demandOf(*schedule);
    const std::lock_guard lock(mutex);
    if (remembered.size() >= kMostRemembered)
        remembered.clear();
    return remembered.insert_or_assign(key, std::move(demand)).first->second;
}

} // namespace stageloom
