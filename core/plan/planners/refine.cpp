// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planners/refine.h"

#include "core/sim/metrics.h"

#include <algorithm>
#include <limits>

namespace stageloom::planners {

namespace {

constexpr double kFitsNot = std::numeric_limits<double>::infinity();
// Gains below this are not looked for; the guarantee of the search is far coarser.
constexpr double kWorthwhile = 5e-4;
// Cuts whose least time the second part of the search works out.
constexpr int kMostCuts = 6000;

} // namespace

CutTimer::CutTimer(const StageCosts& costs, const ScheduleRequest& list, int layers)
    : m_costs(costs)
    , m_list(list)
    , m_layers(layers)
{
    m_list.batches = kSimulatedBatches;
    if (const ScheduleInfo* info = findSchedule(list.name))
        m_flushes = info->flushes;
    countLead();
}

const Schedule* CutTimer::scheduleFor(const std::vector<bool>& recompute)
{
    const auto known = m_schedules.find(recompute);
    if (known != m_schedules.end())
        return &known->second;
    m_list.recompute = recompute;
    auto made = makeSchedule(m_list);
    return made ? &m_schedules.emplace(recompute, std::move(*made)).first->second : nullptr;
}

void CutTimer::countLead()
{
    const Schedule* schedule = scheduleFor(std::vector<bool>(std::size_t(m_list.depth), false));
    m_lead.assign(std::size_t(m_list.depth), 0);
    m_flight.assign(std::size_t(m_list.depth), 1);
    if (!schedule)
        return;
    for (std::size_t s = 0; s < m_lead.size(); ++s) {
        int now = 0;
        bool any = false;
        for (const Action& action : schedule->workers[s]) {
            if (action.kind == ActionKind::Forward)
                m_flight[s] = std::max(m_flight[s], ++now);
            else if (action.kind == ActionKind::Backward
                || action.kind == ActionKind::BackwardInput) {
                m_lead[s] = any ? m_lead[s] : now;
                any = true;
                --now;
            }
        }
    }
}

double CutTimer::period(const std::vector<int>& cut)
{
    const auto known = m_known.find(cut);
    if (known != m_known.end())
        return known->second;
    SimulationInput input;
    std::vector<bool> recompute;
    double& result = m_known.emplace(cut, kFitsNot).first->second;
    for (std::size_t s = 0; s < cut.size(); ++s) {
        const int last = lastOf(cut, s);
        const auto cost = m_costs.cost(int(s), cut[s], last);
        if (!cost.fits)
            return result;
        recompute.push_back(cost.recompute);
        input.stages.push_back(m_costs.times(int(s), cut[s], last, cost.recompute));
        if (s + 1 < cut.size())
            input.hops.push_back(m_costs.hop(int(s), last));
    }
    const Schedule* schedule = scheduleFor(recompute);
    if (!schedule)
        return result;
    m_actions += std::int64_t(schedule->actionCount());
    if (const auto trace = simulate(*schedule, input))
        result = steadyPeriod(*trace);
    return result;
}

// Three bounds, each of a chain of actions that no timing can shorten:
// - a stage does all of a batch's work itself;
// - a microbatch goes down to the last stage and back before the stage's list lets the one in that
//   comes `flight` later (2bw.md §2);
// - between two flushes the first microbatch goes down and back, and whatever forwards the list has
//   not put before a stage's first backward, and all other backwards, come after it.
double CutTimer::least(const std::vector<int>& cut) const
{
    const double m = m_list.microbatches;
    const std::size_t d = cut.size();
    double most = 0, through = 0, slowestForward = 0, rest = 0;
    for (std::size_t s = d; s-- > 0;) {
        const int last = lastOf(cut, s);
        const auto cost = m_costs.cost(int(s), cut[s], last);
        if (!cost.fits)
            return kFitsNot;
        const StageTimes t = m_costs.times(int(s), cut[s], last, cost.recompute);
        most = std::max(most, cost.time);
        if (s + 1 < d)
            through += 2 * m_costs.hop(int(s), last);
        through += t.forward + t.backward;
        most = std::max(most, m * through / m_flight[s]);
        slowestForward = std::max(slowestForward, t.forward);
        rest = std::max(rest,
            (m - 1) * (t.backward + t.recompute)
                + std::max(0.0, m - std::max(m_lead[s], m_lead[d - 1])) * t.forward);
    }
    if (m_flushes)
        most = std::max(most, through + (m_lead[d - 1] - 1) * slowestForward + rest);
    return most;
}

namespace {

class CutSearch {
public:
    CutSearch(CutTimer& timer, int layers, std::int64_t mostActions)
        : m_timer(timer)
        , m_layers(layers)
        , m_mostActions(timer.simulatedActions() + mostActions)
    {
    }

    TimedCut from(const std::vector<int>& start)
    {
        m_best = { start, m_timer.period(start) };
        while (moveOnce()) { }
        std::vector<int> cut(start.size(), 0);
        m_left = kMostCuts;
        enumerate(cut, 1);
        return m_best;
    }

private:
    [[nodiscard]] bool spent() const { return m_timer.simulatedActions() >= m_mostActions; }

    bool take(const std::vector<int>& cut)
    {
        if (spent() || m_timer.least(cut) >= m_best.period * (1 - kWorthwhile))
            return false;
        const double period = m_timer.period(cut);
        if (period >= m_best.period * (1 - 1e-9))
            return false;
        m_best = { cut, period };
        return true;
    }

    [[nodiscard]] bool legal(const std::vector<int>& cut) const
    {
        for (std::size_t s = 1; s < cut.size(); ++s)
            if (cut[s] <= cut[s - 1])
                return false;
        return cut.back() < m_layers;
    }

    // Any one border by one or two layers, any two by one each.
    bool moveOnce()
    {
        const std::vector<int> from = m_best.cut;
        for (std::size_t i = 1; i < from.size(); ++i)
            for (const int step : { -1, 1, -2, 2 }) {
                std::vector<int> cut = from;
                cut[i] += step;
                if (legal(cut) && take(cut))
                    return true;
            }
        for (std::size_t i = 1; i < from.size(); ++i)
            for (std::size_t j = i + 1; j < from.size(); ++j)
                for (const int a : { -1, 1 })
                    for (const int b : { -1, 1 }) {
                        std::vector<int> cut = from;
                        cut[i] += a;
                        cut[j] += b;
                        if (legal(cut) && take(cut))
                            return true;
                    }
        return false;
    }

    void enumerate(std::vector<int>& cut, std::size_t stage)
    {
        if (stage == cut.size()) {
            --m_left;
            take(cut);
            return;
        }
        const int after = int(cut.size() - stage); // each further stage has a layer
        for (int first = cut[stage - 1] + 1; first <= m_layers - after; ++first) {
            if (m_left <= 0 || spent())
                return;
            cut[stage] = first;
            enumerate(cut, stage + 1);
        }
    }

    CutTimer& m_timer;
    int m_layers;
    std::int64_t m_mostActions;
    int m_left = 0;
    TimedCut m_best;
};

} // namespace

TimedCut fastestCut(
    CutTimer& timer, const std::vector<int>& start, int layers, std::int64_t mostActions)
{
    return CutSearch(timer, layers, mostActions).from(start);
}

} // namespace stageloom::planners
