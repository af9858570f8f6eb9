// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/verify.h"

#include "core/schedule/text_format.h"
#include "core/schedule/verify_updates.h"
#include "core/schedule/verify_versions.h"

#include <algorithm>
#include <map>

namespace stageloom {

namespace {

class Verifier {
public:
    Verifier(const Schedule& schedule, const VerifyOptions& options)
        : m_schedule(schedule)
        , m_options(options)
        , m_total(std::size_t(schedule.microbatches) * std::size_t(schedule.batches))
        , m_forward(std::size_t(schedule.stages) * m_total, 0)
        , m_input(m_forward)
        , m_weight(m_forward)
        , m_forwardDone(m_forward)
        , m_inputDone(m_forward)
        , m_sentForward(m_forward)
        , m_sentBackward(m_forward)
        , m_gotForward(m_forward)
        , m_gotBackward(m_forward)
    {
    }

    ScheduleProof go()
    {
        if (countOnce())
            runWithoutClock();
        stashes();
        transfers();
        verifyUpdates(m_schedule, m_proof);
        verifyVersions(m_schedule, m_options, m_proof);
        if (int(m_proof.findings.size()) > m_options.maxFindings)
            m_proof.findings.resize(std::size_t(m_options.maxFindings));
        return std::move(m_proof);
    }

private:
    void find(const char* rule, std::string message, int worker = -1, int position = -1)
    {
        m_proof.findings.push_back({ rule, std::move(message), worker, position });
    }

    std::size_t index(const Action& action) const
    {
        return std::size_t(action.stage) * m_total + std::size_t(action.microbatch);
    }

    // Every microbatch forward once and backward once (or its two halves) on each stage, by the
    // worker that owns it.
    bool countOnce()
    {
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w)
            for (std::size_t i = 0; i < m_schedule.workers[w].size(); ++i) {
                const Action& action = m_schedule.workers[w][i];
                if (action.stage < 0 || action.stage >= m_schedule.stages || action.microbatch < 0
                    || std::size_t(action.microbatch) >= m_total) {
                    find("once",
                        toText(action) + " is outside the schedule's stages or microbatches",
                        int(w), int(i));
                    return false;
                }
                if (m_schedule.workerOfStage[std::size_t(action.stage)] != int(w))
                    find("once",
                        fmt::format("{} is on worker {}, which does not hold stage {}",
                            toText(action), w, action.stage),
                        int(w), int(i));
                count(action, int(w), int(i));
            }
        for (int stage = 0; stage < m_schedule.stages; ++stage)
            for (std::size_t k = 0; k < m_total; ++k) {
                const std::size_t at = std::size_t(stage) * m_total + k;
                if (m_forward[at] == 0)
                    find("once", fmt::format("{}F{} is missing", stage, k));
                else if (m_input[at] == 0 || m_weight[at] == 0)
                    find("once",
                        fmt::format("{}{}{} is missing", stage, m_input[at] == 0 ? "B" : "W", k));
            }
        return m_proof.findings.empty();
    }

    void count(const Action& action, int worker, int position)
    {
        const auto twice = [&](std::vector<char>& seen) {
            if (seen[index(action)]++)
                find("once", toText(action) + " is done a second time", worker, position);
        };
        if (action.kind == ActionKind::Forward)
            twice(m_forward);
        if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput)
            twice(m_input);
        if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight)
            twice(m_weight);
    }

    // True when an action's inputs exist, in whatever time they came.
    bool ready(const Action& action) const
    {
        const std::size_t own = index(action);
        switch (action.kind) {
        case ActionKind::Forward:
            return action.stage == 0
                || (handsOver(action.stage, action.stage - 1) ? m_gotForward[own]
                                                              : m_forwardDone[own - m_total]);
        case ActionKind::Backward:
        case ActionKind::BackwardInput:
            return m_forwardDone[own]
                && (action.stage == m_schedule.stages - 1
                    || (handsOver(action.stage, action.stage + 1) ? m_gotBackward[own]
                                                                  : m_inputDone[own + m_total]));
        case ActionKind::BackwardWeight:
            return m_inputDone[own];
        case ActionKind::Recompute:
            return m_forwardDone[own];
        case ActionKind::Update:
            return m_handedIn.empty()
                || (m_handedIn.contains(action.microbatch)
                    && m_handedIn.at(action.microbatch) == m_schedule.stages);
        case ActionKind::Send:
            return action.gradient ? m_inputDone[own] : m_forwardDone[own];
        case ActionKind::Recv: // a transfer past either end is never sent
            if (action.stage == (action.gradient ? m_schedule.stages - 1 : 0))
                return false;
            return action.gradient ? m_sentBackward[own + m_total] : m_sentForward[own - m_total];
        case ActionKind::AllReduce:
            return true;
        }
        return true;
    }

    // Where a list has transfers, a tensor reaches another worker by them alone.
    bool handsOver(int stage, int peer) const
    {
        return m_hasTransfers
            && m_schedule.workerOfStage[std::size_t(stage)]
            != m_schedule.workerOfStage[std::size_t(peer)];
    }

    void finish(const Action& action)
    {
        if (action.kind == ActionKind::Forward)
            m_forwardDone[index(action)] = 1;
        else if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput)
            m_inputDone[index(action)] = 1;
        else if (action.kind == ActionKind::AllReduce)
            ++m_handedIn[action.microbatch];
        else if (action.kind == ActionKind::Send)
            (action.gradient ? m_sentBackward : m_sentForward)[index(action)] = 1;
        else if (action.kind == ActionKind::Recv)
            (action.gradient ? m_gotBackward : m_gotForward)[index(action)] = 1;
    }

    // Lists run as far as their inputs allow, over and over: what is left then can run under no
    // timing.
    void runWithoutClock()
    {
        for (const auto& list : m_schedule.workers)
            for (const Action& action : list) {
                if (action.kind == ActionKind::AllReduce)
                    m_handedIn[action.microbatch] = 0;
                m_hasTransfers = m_hasTransfers || action.kind == ActionKind::Send
                    || action.kind == ActionKind::Recv;
            }
        std::vector<std::size_t> position(m_schedule.workers.size(), 0);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t w = 0; w < position.size(); ++w)
                while (position[w] < m_schedule.workers[w].size()
                    && ready(m_schedule.workers[w][position[w]])) {
                    finish(m_schedule.workers[w][position[w]++]);
                    moved = true;
                }
        }
        for (std::size_t w = 0; w < position.size(); ++w)
            if (position[w] < m_schedule.workers[w].size())
                find("deadlock",
                    fmt::format(
                        "worker {} waits for ever at {}: what it needs comes later or never", w,
                        toText(m_schedule.workers[w][position[w]])),
                    int(w), int(position[w]));
    }

    void stashes()
    {
        m_proof.peakStash.assign(std::size_t(m_schedule.stages), 0);
        std::vector<int> now(std::size_t(m_schedule.stages), 0);
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w)
            for (std::size_t i = 0; i < m_schedule.workers[w].size(); ++i) {
                const Action& action = m_schedule.workers[w][i];
                if (action.stage < 0 || action.stage >= m_schedule.stages)
                    continue;
                const auto stage = std::size_t(action.stage);
                if (action.kind == ActionKind::Forward) {
                    int& peak = m_proof.peakStash[stage];
                    peak = std::max(peak, ++now[stage]);
                    if (m_options.maxStash > 0 && now[stage] == m_options.maxStash + 1)
                        find("stash",
                            fmt::format("{} is the {}th microbatch in flight on stage {}, and {} "
                                        "are allowed",
                                toText(action), now[stage], stage, m_options.maxStash),
                            int(w), int(i));
                } else if (action.kind == ActionKind::Backward
                    || action.kind == ActionKind::BackwardWeight) {
                    --now[stage];
                }
            }
    }

    // Where a list has transfers, each send has its receive on the neighbour, in the same order a
    // channel.
    void transfers()
    {
        std::map<std::pair<int, bool>, std::vector<int>> sent,
            received; // (receiving stage, gradient) -> microbatches
        for (const auto& list : m_schedule.workers)
            for (const Action& action : list) {
                if (action.kind == ActionKind::Send)
                    sent[{ action.stage + (action.gradient ? -1 : 1), action.gradient }].push_back(
                        action.microbatch);
                else if (action.kind == ActionKind::Recv)
                    received[{ action.stage, action.gradient }].push_back(action.microbatch);
            }
        for (const auto& [channel, microbatches] : received)
            if (sent[channel] != microbatches)
                find("transfer",
                    fmt::format("stage {} receives {}s in an order or number that its neighbour "
                                "does not send",
                        channel.first, channel.second ? "gradient" : "activation"));
        for (const auto& [channel, microbatches] : sent)
            if (!microbatches.empty() && !received.contains(channel))
                find("transfer",
                    fmt::format("{} {}s are sent to stage {}, which receives none",
                        microbatches.size(), channel.second ? "gradient" : "activation",
                        channel.first));
    }

    const Schedule& m_schedule;
    const VerifyOptions& m_options;
    std::size_t m_total;
    std::vector<char> m_forward, m_input, m_weight; // [stage][microbatch] times seen
    std::vector<char> m_forwardDone, m_inputDone;
    std::vector<char> m_sentForward, m_sentBackward, m_gotForward, m_gotBackward;
    bool m_hasTransfers = false;
    std::map<int, int> m_handedIn; // batch -> stages whose part is in
    ScheduleProof m_proof;
};

} // namespace

ScheduleProof verifySchedule(const Schedule& schedule, const VerifyOptions& options)
{
    return Verifier(schedule, options).go();
}

} // namespace stageloom
