// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/planners/partition.h"
#include "core/schedule/registry.h"
#include <map>

namespace stageloom::planners {

// Batches that the planner simulates, as predict() does: the second to the third are steady.
inline constexpr int kSimulatedBatches = 4;

// What the simulator says of cuts of one shape: the shape's own list, timed once a cut. A cut is
// the first layer of every stage.
class CutTimer {
public:
    // `list`: the shape's schedule, depth and microbatches, and whether updates cross stages.
    CutTimer(const StageCosts& costs, const ScheduleRequest& list, int layers);

    // Seconds a batch in the steady state; infinity where the cut does not fit in memory.
    double period(const std::vector<int>& cut);
    // What that is at least, in a few operations a stage; infinity where the cut does not fit.
    [[nodiscard]] double least(const std::vector<int>& cut) const;
    [[nodiscard]] std::int64_t simulatedActions() const { return m_actions; }

private:
    [[nodiscard]] int lastOf(const std::vector<int>& cut, std::size_t stage) const
    {
        return stage + 1 < cut.size() ? cut[stage + 1] - 1 : m_layers - 1;
    }
    const Schedule* scheduleFor(const std::vector<bool>& recompute);
    void countLead();

    const StageCosts& m_costs;
    ScheduleRequest m_list;
    int m_layers;
    bool m_flushes = false;
    // Forwards that a stage's list has before its first backward, and how far forwards are ahead of
    // backwards at most.
    std::vector<int> m_lead, m_flight;
    std::map<std::vector<bool>, Schedule> m_schedules; // by which stages recompute
    std::map<std::vector<int>, double> m_known;
    std::int64_t m_actions = 0;
};

struct TimedCut {
    std::vector<int> cut;
    double period = 0; // seconds a batch; infinity: no cut fits
};

// The fastest cut by the simulator that is found from `start` within about `mostActions` simulated
// actions: single and paired moves of borders until none helps, then every cut whose least time is
// below the best.
TimedCut fastestCut(
    CutTimer& timer, const std::vector<int>& start, int layers, std::int64_t mostActions);

} // namespace stageloom::planners
