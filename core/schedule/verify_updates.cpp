// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/verify_updates.h"

#include "core/schedule/text_format.h"

#include <algorithm>

namespace stageloom {

namespace {

class UpdateRules {
public:
    UpdateRules(const Schedule& schedule, ScheduleProof& proof)
        : m_schedule(schedule)
        , m_proof(proof)
        , m_batches(std::max(
              1, schedule.microbatches * schedule.batches / schedule.microbatchesPerUpdate))
        , m_backwards(std::size_t(schedule.stages) * std::size_t(m_batches), 0)
        , m_handedIn(m_backwards)
        , m_next(std::size_t(schedule.stages), 0)
    {
    }

    void go()
    {
        for (const auto& list : m_schedule.workers)
            for (const Action& action : list) {
                m_updates = m_updates || action.kind == ActionKind::Update;
                m_handIns = m_handIns || action.kind == ActionKind::AllReduce;
            }
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w)
            for (std::size_t i = 0; i < m_schedule.workers[w].size(); ++i)
                look(m_schedule.workers[w][i], int(w), int(i));
        for (int stage = 0; m_updates && stage < m_schedule.stages; ++stage)
            if (m_next[std::size_t(stage)] < m_batches)
                m_proof.findings.push_back({ "update",
                    fmt::format("stage {} never updates after batch {}; {} updates are due", stage,
                        m_next[std::size_t(stage)], m_batches) });
    }

private:
    void find(const Action& action, const char* what, int worker, int position)
    {
        m_proof.findings.push_back({ "update", toText(action) + " " + what, worker, position });
    }

    void look(const Action& action, int worker, int position)
    {
        const int batch = m_schedule.batchOf(action);
        if (action.stage < 0 || action.stage >= m_schedule.stages || action.microbatch < 0
            || batch >= m_batches)
            return; // reported by the rule "once"
        const std::size_t at
            = std::size_t(action.stage) * std::size_t(m_batches) + std::size_t(batch);
        if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight)
            ++m_backwards[at];
        const bool whole = m_backwards[at] == m_schedule.microbatchesPerUpdate;
        if (action.kind == ActionKind::AllReduce) {
            if (!whole)
                find(action, "hands in before the batch's last backward", worker, position);
            if (m_handedIn[at]++)
                find(action, "hands the batch in a second time", worker, position);
        }
        if (action.kind != ActionKind::Update)
            return;
        int& next = m_next[std::size_t(action.stage)];
        if (batch != next)
            find(action, "is out of the order of batches", worker, position);
        if (!whole)
            find(action, "comes before the batch's last backward", worker, position);
        if (m_handIns && m_handedIn[at] == 0)
            find(action, "has no ALLREDUCE before it", worker, position);
        next = std::max(next, batch + 1);
    }

    const Schedule& m_schedule;
    ScheduleProof& m_proof;
    int m_batches;
    std::vector<int> m_backwards, m_handedIn; // [stage][batch]
    std::vector<int> m_next; // [stage] batch that updates next
    bool m_updates = false, m_handIns = false;
};

} // namespace

void verifyUpdates(const Schedule& schedule, ScheduleProof& proof)
{
    UpdateRules(schedule, proof).go();
}

} // namespace stageloom
