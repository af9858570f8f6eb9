// SPDX-License-Identifier: Apache-2.0
#include "core/sim/simulator.h"

#include "core/schedule/passes/passes.h"
#include "core/schedule/text_format.h"
#include "core/schedule/transfers.h"

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
        , m_total(schedule.microbatchCount())
        , m_forwardEnd(std::size_t(schedule.stages) * m_total, kNotYet)
        , m_backwardEnd(m_forwardEnd)
        , m_activationAt(m_forwardEnd)
        , m_gradientAt(m_forwardEnd)
        , m_handedIn(std::max<std::size_t>(1, schedule.updateCount()), 0)
        , m_reducedAt(m_handedIn.size(), 0)
        , m_position(schedule.workers.size(), 0)
        , m_clock(schedule.workers.size(), 0)
        , m_waiting(schedule.workers.size(), 0)
    {
        for (int stage = 0; stage < schedule.stages; ++stage)
            m_facts.push_back(factsOf(schedule, input, stage));
        m_first.reserve(schedule.workers.size() + 1);
        std::size_t spans = 0;
        for (const auto& list : schedule.workers) {
            m_first.push_back(spans);
            for (const Action& action : list) {
                m_crossStage = m_crossStage || action.kind == ActionKind::AllReduce;
                spans += spansOf(action);
            }
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
    template <typename Table> auto& at(Table& table, int stage, int microbatch) const
    {
        return table[std::size_t(stage) * m_total + std::size_t(microbatch)];
    }

    // What the loop would otherwise work out for every action. Index [false] is down to the stage
    // before, [true] up to the next.
    struct StageFacts {
        double duration[kKinds] = {}; // by kind
        double hop[2] = {};
        bool elsewhere[2] = {}; // the neighbour is another worker's
        double linkFree[2] = {}; // when the last message that this stage sent has arrived
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
        set(ActionKind::AllReduce, times.reduction);
        for (const bool up : { false, true }) {
            const int peer = stage + (up ? 1 : -1);
            const auto& worker = schedule.workerOfStage;
            facts.elsewhere[up] = peer >= 0 && peer < schedule.stages
                && worker[std::size_t(stage)] != worker[std::size_t(peer)];
            if (facts.elsewhere[up] && !input.hops.empty())
                facts.hop[up] = input.hops[std::size_t(std::min(stage, peer))];
        }
        return facts;
    }

    // Spans that an action can leave; those without a length are taken out at the end.
    std::size_t spansOf(const Action& action) const
    {
        const bool reduces
            = m_input.stages[std::size_t(action.stage)].reduction > 0 && !m_crossStage;
        return action.kind == ActionKind::Update && reduces ? 2 : 1;
    }

    // When the action's inputs are there, or kNotYet.
    double inputsAt(const Action& action) const
    {
        switch (action.kind) {
        case ActionKind::Forward:
            if (action.stage == 0)
                return 0;
            return facts(action).elsewhere[false]
                ? at(m_activationAt, action.stage, action.microbatch)
                : at(m_forwardEnd, action.stage - 1, action.microbatch);
        case ActionKind::Backward:
        case ActionKind::BackwardInput:
            if (at(m_forwardEnd, action.stage, action.microbatch) == kNotYet)
                return kNotYet;
            if (action.stage == m_schedule.stages - 1)
                return 0;
            return facts(action).elsewhere[true]
                ? at(m_gradientAt, action.stage, action.microbatch)
                : at(m_backwardEnd, action.stage + 1, action.microbatch);
        case ActionKind::BackwardWeight:
            return at(m_backwardEnd, action.stage, action.microbatch);
        case ActionKind::Recompute:
            return at(m_forwardEnd, action.stage, action.microbatch);
        case ActionKind::Update:
            if (!m_crossStage)
                return 0;
            return m_handedIn[std::size_t(action.microbatch)] == m_schedule.stages
                ? m_reducedAt[std::size_t(action.microbatch)]
                : kNotYet;
        case ActionKind::Recv:
            return at(
                action.gradient ? m_gradientAt : m_activationAt, action.stage, action.microbatch);
        case ActionKind::Send:
            return at(
                action.gradient ? m_backwardEnd : m_forwardEnd, action.stage, action.microbatch);
        case ActionKind::AllReduce:
            return 0;
        }
        return 0;
    }

    const StageFacts& facts(const Action& action) const
    {
        return m_facts[std::size_t(action.stage)];
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
            if (isTransfer(action.kind) && m_input.blockingHops) {
                meet(worker, ready);
                if (leave(worker))
                    continue;
            } else if (perform(worker, action, ready)) {
                ++m_position[w];
                continue;
            }
            m_waiting[w] = 1;
            return;
        }
    }

    bool perform(int worker, const Action& action, std::vector<int>& ready)
    {
        double& clock = m_clock[std::size_t(worker)];
        const double inputs = inputsAt(action);
        if (inputs == kNotYet)
            return false;
        switch (action.kind) {
        case ActionKind::Send:
            send(worker, action, std::max(clock, inputs), ready);
            return true;
        case ActionKind::Recv:
            if (inputs > clock) {
                record(worker, action, clock, inputs);
                clock = inputs;
            }
            return true;
        case ActionKind::AllReduce:
            handIn(worker, action, clock, ready);
            return true;
        case ActionKind::Update:
            if (const double sum = facts(action).duration[std::size_t(ActionKind::AllReduce)];
                sum > 0 && !m_crossStage) {
                Action reduction = action;
                reduction.kind = ActionKind::AllReduce;
                reduction.version = -1;
                record(worker, reduction, clock, clock + sum);
                clock += sum;
            }
            break;
        default:
            break;
        }
        const double start = std::max(clock, inputs);
        clock = start + facts(action).duration[std::size_t(action.kind)];
        record(worker, action, start, clock);
        publish(action, clock, ready);
        return true;
    }

    void record(int worker, const Action& action, double start, double finish)
    {
        Span& span = m_spans[m_nextSpan[std::size_t(worker)]++];
        span.start = start;
        span.end = finish;
        span.microbatch = action.microbatch;
        span.batch = std::int32_t(planBatchOf(m_schedule, action));
        span.version = action.version;
        span.stage = std::int16_t(action.stage);
        span.device = std::int16_t(worker);
        span.kind = action.kind;
        span.chunk = action.chunk;
        span.cargo = cargoOf(action);
    }

    void publish(const Action& action, double finish, std::vector<int>& ready)
    {
        const auto neighbour = [&](int peer) {
            if (peer >= 0 && peer < m_schedule.stages)
                wake(m_schedule.workerOfStage[std::size_t(peer)], ready);
        };
        if (action.kind == ActionKind::Forward) {
            at(m_forwardEnd, action.stage, action.microbatch) = finish;
            neighbour(action.stage + 1);
        } else if (action.kind == ActionKind::Backward
            || action.kind == ActionKind::BackwardInput) {
            at(m_backwardEnd, action.stage, action.microbatch) = finish;
            neighbour(action.stage - 1);
        }
    }

    void handIn(int worker, const Action& action, double clock, std::vector<int>& ready)
    {
        const double finish = clock + facts(action).duration[std::size_t(ActionKind::AllReduce)];
        if (finish > clock)
            record(worker, action, clock, finish);
        const auto batch = std::size_t(action.microbatch);
        m_reducedAt[batch] = std::max(m_reducedAt[batch], finish);
        if (++m_handedIn[batch] == m_schedule.stages)
            for (std::size_t other = 0; other < m_schedule.workers.size(); ++other)
                wake(int(other), ready);
    }

    // Puts a message on its link lane at `start` or when the lane is free.
    void send(int worker, const Action& action, double start, std::vector<int>& ready)
    {
        const int peer = peerStage(m_schedule, action);
        if (peer < 0)
            return;
        StageFacts& from = m_facts[std::size_t(action.stage)];
        const bool up = !action.gradient;
        const double depart = std::max(start, from.linkFree[up]);
        const double arrive = depart + from.hop[up];
        from.linkFree[up] = arrive;
        at(action.gradient ? m_gradientAt : m_activationAt, peer, action.microbatch) = arrive;
        if (arrive > depart)
            record(worker, action, depart, arrive);
        wake(m_schedule.workerOfStage[std::size_t(peer)], ready);
    }

    // When a transfer is over, on either side of it; kNotYet.
    double overAt(const Action& transfer) const
    {
        const int receiver
            = transfer.kind == ActionKind::Recv ? transfer.stage : peerStage(m_schedule, transfer);
        return receiver < 0
            ? kNotYet
            : at(transfer.gradient ? m_gradientAt : m_activationAt, receiver, transfer.microbatch);
    }

    bool isOver(const Action& transfer) const { return overAt(transfer) != kNotYet; }

    // Blocking transfers: performs those that the worker has posted and whose peer stands at their
    // other ends. Both stand there since their clocks' times.
    void meet(int worker, std::vector<int>& ready)
    {
        meetPosted(
            m_schedule, worker, m_position, [this](const Action& a) { return isOver(a); },
            [&](const Action& mine, const Action& theirs, int other) {
                const bool sends = mine.kind == ActionKind::Send;
                const double both
                    = std::max(m_clock[std::size_t(worker)], m_clock[std::size_t(other)]);
                send(sends ? worker : other, sends ? mine : theirs, both, ready);
                leave(other);
                wake(other, ready);
            });
    }

    // Goes on where all transfers that the worker stands at are over.
    bool leave(int worker)
    {
        const auto w = std::size_t(worker);
        const auto& list = m_schedule.workers[w];
        const std::size_t begin = m_position[w];
        const std::size_t end
            = leavesAt(m_schedule, worker, begin, [this](const Action& a) { return isOver(a); });
        double free = m_clock[w];
        for (std::size_t i = begin; i < end; ++i) {
            const double over = overAt(list[i]);
            if (list[i].kind == ActionKind::Recv && over > m_clock[w])
                record(worker, list[i], m_clock[w], over);
            free = std::max(free, over);
        }
        m_clock[w] = free;
        m_position[w] = end;
        return end > begin;
    }

    Trace collect()
    {
        Trace trace;
        trace.devices = m_schedule.depth();
        trace.stages = m_schedule.stages;
        trace.microbatches = m_schedule.microbatches;
        for (std::size_t w = 0; !m_input.stashBytes.empty() && w < m_schedule.workers.size(); ++w)
            trace.memory.push_back(memoryOf(
                int(w), std::span(m_spans).subspan(m_first[w], m_nextSpan[w] - m_first[w])));
        // Spans that an action could have left and did not make room.
        std::size_t end = 0;
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w) {
            const auto begin = m_spans.begin() + std::ptrdiff_t(m_first[w]),
                       last = m_spans.begin() + std::ptrdiff_t(m_nextSpan[w]);
            // A message leaves late where the link is busy: after what its worker does next.
            const auto earlier = [](const Span& a, const Span& b) { return a.start < b.start; };
            if (!std::is_sorted(begin, last, earlier))
                std::stable_sort(begin, last, earlier);
            if (end != m_first[w])
                std::move(begin, last, m_spans.begin() + std::ptrdiff_t(end));
            end += m_nextSpan[w] - m_first[w];
        }
        m_spans.resize(end);
        trace.spans = std::move(m_spans);
        return trace;
    }

    // Forward adds a stash, the last part of the backward drops it, on top of what is always there.
    std::vector<Trace::MemorySample> memoryOf(int worker, std::span<const Span> spans) const
    {
        std::vector<Trace::MemorySample> samples;
        double bytes = 0;
        for (int s = 0; s < m_schedule.stages; ++s)
            if (m_schedule.workerOfStage[std::size_t(s)] == worker && !m_input.fixedBytes.empty())
                bytes += m_input.fixedBytes[std::size_t(s)];
        samples.push_back({ 0, bytes });
        for (const Span& span : spans) {
            const double stash = m_input.stashBytes[std::size_t(span.stage)];
            if (span.kind == ActionKind::Forward)
                samples.push_back({ span.start, bytes += stash });
            else if (endsMicrobatch(span.kind))
                samples.push_back({ span.end, bytes -= stash });
        }
        return samples;
    }

    const Schedule& m_schedule;
    const SimulationInput& m_input;
    std::size_t m_total;
    std::vector<StageFacts> m_facts;
    // [stage][microbatch]
    std::vector<double> m_forwardEnd, m_backwardEnd;
    // [receiving stage][microbatch] the message is there
    std::vector<double> m_activationAt, m_gradientAt;
    // [update] stages whose part of the reduction is in, and when all sums are made.
    std::vector<int> m_handedIn;
    std::vector<double> m_reducedAt;
    std::vector<std::size_t> m_position;
    std::vector<double> m_clock;
    std::vector<char> m_waiting;
    // Worker after worker, and [worker] places in it.
    std::vector<Span> m_spans;
    std::vector<std::size_t> m_first, m_nextSpan;
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
    if (schedule.depth() < 2 || hasTransfers(schedule))
        return Run(schedule, input).go();
    Schedule whole = schedule;
    passes::addTransfers(whole);
    return Run(whole, input).go();
}

} // namespace stageloom
