// SPDX-License-Identifier: Apache-2.0
#include "core/sim/simulator.h"

#include "core/schedule/text_format.h"

#include <algorithm>
#include <limits>
#include <span>

namespace stageloom {

namespace {

constexpr double kNotYet = -1;
constexpr std::size_t kKinds = std::size_t(ActionKind::AllReduce) + 1;

// One run of the event loop. A worker goes on until it meets an action whose inputs are not there;
// whoever makes that input puts it back on the work list. Each action is looked at once when it
// runs and once per wait: linear.
class Run {
public:
    Run(const Schedule& schedule, const SimulationInput& input)
        : m_schedule(schedule)
        , m_input(input)
        , m_total(std::size_t(schedule.microbatches) * std::size_t(schedule.batches))
        , m_updates(std::max<std::size_t>(1, m_total / std::size_t(schedule.microbatchesPerUpdate)))
        , m_forwardEnd(std::size_t(schedule.stages) * m_total, kNotYet)
        , m_backwardEnd(m_forwardEnd)
        , m_handedIn(m_updates, 0)
        , m_lastHandIn(m_updates, 0)
        , m_position(schedule.workers.size(), 0)
        , m_clock(schedule.workers.size(), 0)
        , m_waiting(schedule.workers.size(), 0)
    {
        for (int stage = 0; stage < schedule.stages; ++stage)
            m_facts.push_back(factsOf(schedule, input, stage));
        m_crossStage = false;
        for (const auto& list : schedule.workers)
            for (const Action& action : list)
                m_crossStage = m_crossStage || action.kind == ActionKind::AllReduce;
        m_first.reserve(schedule.workers.size() + 1);
        std::size_t spans = 0;
        for (const auto& list : schedule.workers) {
            m_first.push_back(spans);
            spans += std::size_t(
                std::count_if(list.begin(), list.end(), [](const Action& a) { return timed(a); }));
        }
        m_first.push_back(spans);
        m_nextSpan = m_first;
        m_spans.resize(spans);
    }

    Result<Trace> go()
    {
        std::vector<int> ready;
        for (std::size_t w = m_schedule.workers.size(); w-- > 0;)
            ready.push_back(int(w));
        while (!ready.empty()) {
            const int worker = ready.back();
            ready.pop_back();
            m_waiting[std::size_t(worker)] = 0;
            advance(worker, ready);
        }
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w)
            if (m_position[w] < m_schedule.workers[w].size())
                return fail(ErrorKind::Invalid,
                    "the schedule '{}' deadlocks: worker {} waits for ever at {} (action {} of {})",
                    m_schedule.name, w, toText(m_schedule.workers[w][m_position[w]]),
                    m_position[w] + 1, m_schedule.workers[w].size());
        return collect();
    }

private:
    template <typename Table> auto& end(Table& table, int stage, int microbatch) const
    {
        return table[std::size_t(stage) * m_total + std::size_t(microbatch)];
    }

    // What the loop would otherwise work out for every action.
    struct StageFacts {
        double duration[kKinds] = {}; // by kind
        double hopUp = 0, hopDown = 0; // to the next stage, to the one before
    };

    static StageFacts factsOf(const Schedule& schedule, const SimulationInput& input, int stage)
    {
        StageFacts facts;
        const StageTimes& times = input.stages[std::size_t(stage)];
        const auto set
            = [&](ActionKind kind, double seconds) { facts.duration[std::size_t(kind)] = seconds; };
        set(ActionKind::Forward, times.forward);
        set(ActionKind::Backward, times.backward);
        set(ActionKind::BackwardInput,
            times.backwardInput < 0 ? times.backward / 2 : times.backwardInput);
        set(ActionKind::BackwardWeight,
            times.backwardWeight < 0 ? times.backward / 2 : times.backwardWeight);
        set(ActionKind::Recompute, times.recompute);
        set(ActionKind::Update, times.update);
        const auto hop = [&](int from, int to) {
            const auto& worker = schedule.workerOfStage;
            const bool inside = from >= 0 && to < schedule.stages && !input.hops.empty();
            return inside && worker[std::size_t(from)] != worker[std::size_t(to)]
                ? input.hops[std::size_t(from)]
                : 0;
        };
        facts.hopUp = hop(stage, stage + 1);
        facts.hopDown = hop(stage - 1, stage);
        return facts;
    }

    // When the action's inputs are there, or kNotYet. `hopTime` gets the transfer that brings them.
    double inputsAt(const Action& action, double& hopTime) const
    {
        switch (action.kind) {
        case ActionKind::Forward:
            if (action.stage == 0)
                return 0;
            hopTime = m_facts[std::size_t(action.stage)].hopDown;
            return end(m_forwardEnd, action.stage - 1, action.microbatch);
        case ActionKind::Backward:
        case ActionKind::BackwardInput: {
            if (end(m_forwardEnd, action.stage, action.microbatch) == kNotYet)
                return kNotYet;
            if (action.stage == m_schedule.stages - 1)
                return 0;
            hopTime = m_facts[std::size_t(action.stage)].hopUp;
            return end(m_backwardEnd, action.stage + 1, action.microbatch);
        }
        case ActionKind::Recompute:
            return end(m_forwardEnd, action.stage, action.microbatch);
        case ActionKind::Update:
            if (!m_crossStage)
                return 0;
            return m_handedIn[std::size_t(action.microbatch)] == m_schedule.stages
                ? m_lastHandIn[std::size_t(action.microbatch)]
                : kNotYet;
        default:
            return 0;
        }
    }

    void wake(int worker, std::vector<int>& ready)
    {
        if (m_waiting[std::size_t(worker)]) {
            m_waiting[std::size_t(worker)] = 0;
            ready.push_back(worker);
        }
    }

    void advance(int worker, std::vector<int>& ready)
    {
        const auto w = std::size_t(worker);
        const auto& list = m_schedule.workers[w];
        while (m_position[w] < list.size()) {
            const Action& action = list[m_position[w]];
            double hopTime = 0;
            const double inputs = inputsAt(action, hopTime);
            if (inputs == kNotYet) {
                m_waiting[w] = 1;
                return;
            }
            // Blocking: the receiver is held for the transfer, which starts when both are free.
            const double start = m_input.blockingHops ? std::max(m_clock[w], inputs) + hopTime
                                                      : std::max(m_clock[w], inputs + hopTime);
            const double finish
                = start + m_facts[std::size_t(action.stage)].duration[std::size_t(action.kind)];
            m_clock[w] = finish;
            record(worker, action, start, finish);
            ++m_position[w];
            publish(worker, action, finish, ready);
        }
    }

    // The others have no time of their own here: hops and updates carry it.
    static bool timed(const Action& action)
    {
        return action.kind != ActionKind::Send && action.kind != ActionKind::Recv
            && action.kind != ActionKind::AllReduce;
    }

    void record(int worker, const Action& action, double start, double finish)
    {
        if (!timed(action))
            return;
        Span& span = m_spans[m_nextSpan[std::size_t(worker)]++];
        span.start = start;
        span.end = finish;
        span.microbatch = action.microbatch;
        span.batch = m_schedule.batchOf(action);
        span.version = action.version;
        span.stage = std::int16_t(action.stage);
        span.device = std::int16_t(worker);
        span.kind = action.kind;
        span.chunk = action.chunk;
    }

    void publish(int worker, const Action& action, double finish, std::vector<int>& ready)
    {
        if (action.kind == ActionKind::Forward) {
            end(m_forwardEnd, action.stage, action.microbatch) = finish;
            send(worker, action.stage, action.stage + 1, ready);
        } else if (action.kind == ActionKind::Backward
            || action.kind == ActionKind::BackwardInput) {
            end(m_backwardEnd, action.stage, action.microbatch) = finish;
            send(worker, action.stage, action.stage - 1, ready);
        } else if (action.kind == ActionKind::AllReduce) {
            const auto batch = std::size_t(action.microbatch);
            m_lastHandIn[batch] = std::max(m_lastHandIn[batch], finish);
            if (++m_handedIn[batch] == m_schedule.stages)
                for (std::size_t other = 0; other < m_schedule.workers.size(); ++other)
                    wake(int(other), ready);
        }
    }

    void send(int worker, int stage, int peer, std::vector<int>& ready)
    {
        if (peer < 0 || peer >= m_schedule.stages)
            return;
        if (m_input.blockingHops)
            m_clock[std::size_t(worker)] += peer > stage ? m_facts[std::size_t(stage)].hopUp
                                                         : m_facts[std::size_t(stage)].hopDown;
        wake(m_schedule.workerOfStage[std::size_t(peer)], ready);
    }

    Trace collect()
    {
        Trace trace;
        trace.devices = m_schedule.depth();
        trace.stages = m_schedule.stages;
        trace.microbatches = m_schedule.microbatches;
        trace.spans = std::move(m_spans);
        for (std::size_t w = 0; !m_input.stashBytes.empty() && w < m_schedule.workers.size(); ++w)
            trace.memory.push_back(
                memoryOf(std::span(trace.spans).subspan(m_first[w], m_first[w + 1] - m_first[w])));
        return trace;
    }

    // Forward adds a stash, the last part of the backward drops it, on top of what is always there.
    std::vector<Trace::MemorySample> memoryOf(std::span<const Span> spans) const
    {
        std::vector<Trace::MemorySample> samples;
        double bytes = 0;
        for (int s = 0; s < m_schedule.stages && !spans.empty(); ++s)
            if (m_schedule.workerOfStage[std::size_t(s)] == spans.front().device
                && !m_input.fixedBytes.empty())
                bytes += m_input.fixedBytes[std::size_t(s)];
        samples.push_back({ 0, bytes });
        for (const Span& span : spans) {
            const double stash = m_input.stashBytes[std::size_t(span.stage)];
            if (span.kind == ActionKind::Forward)
                samples.push_back({ span.start, bytes += stash });
            else if (span.kind == ActionKind::Backward || span.kind == ActionKind::BackwardWeight)
                samples.push_back({ span.end, bytes -= stash });
        }
        return samples;
    }

    const Schedule& m_schedule;
    const SimulationInput& m_input;
    std::size_t m_total, m_updates;
    std::vector<StageFacts> m_facts;
    std::vector<double> m_forwardEnd, m_backwardEnd; // [stage][microbatch]
    std::vector<int> m_handedIn; // [batch] stages whose part of the reduction is in
    std::vector<double> m_lastHandIn; // [batch]
    std::vector<std::size_t> m_position;
    std::vector<double> m_clock;
    std::vector<char> m_waiting;
    std::vector<Span> m_spans; // worker after worker
    std::vector<std::size_t> m_first, m_nextSpan; // [worker] places in m_spans
    bool m_crossStage = false;
};

} // namespace

Result<Trace> simulate(const Schedule& schedule, const SimulationInput& input)
{
    if (int(input.stages.size()) != schedule.stages)
        return fail(ErrorKind::Invalid, "times are given for {} stages, and the schedule has {}",
            input.stages.size(), schedule.stages);
    if (!input.hops.empty() && int(input.hops.size()) < schedule.stages - 1)
        return fail(ErrorKind::Invalid,
            "hop times are given for {} borders, and the schedule has {}", input.hops.size(),
            schedule.stages - 1);
    return Run(schedule, input).go();
}

} // namespace stageloom
