// SPDX-License-Identifier: Apache-2.0
// Rules that concern all lists together: nothing missing, nothing twice, no deadlock under any
// timing.
#include "core/schedule/transfers.h"
#include "core/schedule/verify_rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <deque>

namespace stageloom::verify {

namespace {

// What is done of one microbatch on one stage, a bit each.
enum Done : std::uint8_t {
    kForward = 1,
    kInput = 2,
    kWeight = 4,
    kSentForward = 8,
    kSentBackward = 16,
    kGotForward = 32,
    kGotBackward = 64,
};

std::uint8_t doneBy(const Action& action)
{
    switch (action.kind) {
    case ActionKind::Forward:
        return kForward;
    case ActionKind::Backward:
        return kInput | kWeight;
    case ActionKind::BackwardInput:
        return kInput;
    case ActionKind::BackwardWeight:
        return kWeight;
    case ActionKind::Send:
        return action.gradient ? kSentBackward : kSentForward;
    case ActionKind::Recv:
        return action.gradient ? kGotBackward : kGotForward;
    case ActionKind::Recompute:
    case ActionKind::Update:
    case ActionKind::AllReduce:
        return 0;
    }
    return 0;
}

class Order {
public:
    Order(const Schedule& schedule, int slots, Findings& findings)
        : m_schedule(schedule)
        , m_findings(findings)
        , m_slots(slots)
        , m_total(schedule.microbatchCount())
        , m_done(std::size_t(schedule.stages) * m_total, 0)
        , m_channels(2 * std::size_t(schedule.stages))
        , m_position(schedule.workers.size(), 0)
        , m_parked(schedule.workers.size(), 1)
    {
    }

    void go()
    {
        if (!countOnce())
            return;
        std::fill(m_done.begin(), m_done.end(), std::uint8_t(0));
        run();
        transfers();
    }

private:
    // Messages that a stage gets of one kind: its neighbour sends in its own order, and so they
    // arrive.
    struct Channel {
        std::deque<int> underWay;
        bool outOfOrder = false;
    };

    std::size_t index(const Action& action) const
    {
        return std::size_t(action.stage) * m_total + std::size_t(action.microbatch);
    }
    bool done(std::size_t index, std::uint8_t bits) const { return (m_done[index] & bits) == bits; }
    bool isDone(const Action& action) const { return done(index(action), doneBy(action)); }

    // Every microbatch forward once and backward once (or its two halves) on each stage, by the
    // worker that owns it.
    bool countOnce()
    {
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w)
            for (std::size_t i = 0; i < m_schedule.workers[w].size(); ++i) {
                const Action& action = m_schedule.workers[w][i];
                if (action.stage < 0 || action.stage >= m_schedule.stages || action.microbatch < 0
                    || std::size_t(action.microbatch) >= m_total) {
                    m_findings.add(
                        "once",
                        [&] {
                            return toText(action)
                                + " is outside the schedule's stages or microbatches";
                        },
                        int(w), i);
                    return false;
                }
                if (m_schedule.workerOfStage[std::size_t(action.stage)] != int(w))
                    m_findings.add(
                        "once",
                        [&] {
                            return fmt::format("{} is on worker {}, which does not hold stage {}",
                                toText(action), w, action.stage);
                        },
                        int(w), i);
                count(action, int(w), i);
            }
        for (std::size_t at = 0; at < m_done.size(); ++at)
            if (!done(at, kForward | kInput | kWeight))
                m_findings.add("once", [&] {
                    return fmt::format("{}{}{} is missing", at / m_total,
                        !done(at, kForward)     ? "F"
                            : !done(at, kInput) ? "B"
                                                : "W",
                        at % m_total);
                });
        return m_findings.none();
    }

    void count(const Action& action, int worker, std::size_t position)
    {
        const std::uint8_t bits = doneBy(action);
        std::uint8_t& seen = m_done[index(action)];
        if (seen & bits)
            m_findings.add(
                "once", [&] { return toText(action) + " is done a second time"; }, worker,
                position);
        seen |= bits;
        if (action.kind == ActionKind::AllReduce && m_handedIn.empty())
            m_handedIn.assign(m_schedule.updateCount(), 0);
        m_hasTransfers = m_hasTransfers || isTransfer(action.kind);
    }

    // Where a list has transfers, a tensor reaches another worker by them alone.
    bool handsOver(int stage, int peer) const
    {
        return m_hasTransfers
            && m_schedule.workerOfStage[std::size_t(stage)]
            != m_schedule.workerOfStage[std::size_t(peer)];
    }

    // True when an action's inputs exist, in whatever time they came.
    bool ready(const Action& action) const
    {
        const std::size_t own = index(action);
        switch (action.kind) {
        case ActionKind::Forward:
            return action.stage == 0
                || (handsOver(action.stage, action.stage - 1) ? done(own, kGotForward)
                                                              : done(own - m_total, kForward));
        case ActionKind::Backward:
        case ActionKind::BackwardInput:
            return done(own, kForward)
                && (action.stage == m_schedule.stages - 1
                    || (handsOver(action.stage, action.stage + 1) ? done(own, kGotBackward)
                                                                  : done(own + m_total, kInput)));
        case ActionKind::BackwardWeight:
            return done(own, kInput);
        case ActionKind::Recompute:
            return done(own, kForward);
        case ActionKind::Update: {
            const auto update = std::size_t(action.microbatch);
            return m_handedIn.empty()
                || (update < m_handedIn.size() && m_handedIn[update] == m_schedule.stages);
        }
        case ActionKind::AllReduce:
            return true;
        case ActionKind::Send:
            return peerOf(action) >= 0 && done(own, action.gradient ? kInput : kForward)
                && (m_slots < 0
                    || m_channels[channelOf(action)].underWay.size() < std::size_t(m_slots));
        case ActionKind::Recv: // a transfer past either end is never sent
            return peerOf(action) >= 0 && done(counterpart(action), sentBit(action));
        }
        return true;
    }

    int peerOf(const Action& transfer) const { return peerStage(m_schedule, transfer); }
    std::size_t channelOf(const Action& transfer) const
    {
        const int to = transfer.kind == ActionKind::Send ? peerOf(transfer) : transfer.stage;
        return 2 * std::size_t(to) + (transfer.gradient ? 1 : 0);
    }
    std::size_t counterpart(const Action& transfer) const
    {
        return std::size_t(peerOf(transfer)) * m_total + std::size_t(transfer.microbatch);
    }
    static std::uint8_t sentBit(const Action& transfer)
    {
        return transfer.gradient ? kSentBackward : kSentForward;
    }

    void wake(int stage)
    {
        if (stage >= 0 && stage < m_schedule.stages)
            wakeWorker(std::size_t(m_schedule.workerOfStage[std::size_t(stage)]));
    }
    void wakeWorker(std::size_t worker)
    {
        if (m_parked[worker]) {
            m_parked[worker] = 0;
            m_runnable.push_back(worker);
        }
    }

    void finish(const Action& action)
    {
        m_done[index(action)] |= doneBy(action);
        switch (action.kind) {
        case ActionKind::Forward:
            wake(action.stage + 1);
            break;
        case ActionKind::Backward:
        case ActionKind::BackwardInput:
            wake(action.stage - 1);
            break;
        case ActionKind::AllReduce: {
            const auto update = std::size_t(action.microbatch);
            if (update < m_handedIn.size() && ++m_handedIn[update] == m_schedule.stages)
                for (std::size_t w = 0; w < m_parked.size(); ++w)
                    wakeWorker(w);
            break;
        }
        case ActionKind::Send: {
            Channel& channel = m_channels[channelOf(action)];
            channel.underWay.push_back(action.microbatch);
            wake(peerOf(action));
            break;
        }
        case ActionKind::Recv:
            receive(m_channels[channelOf(action)], action);
            wake(peerOf(action));
            break;
        case ActionKind::BackwardWeight:
        case ActionKind::Recompute:
        case ActionKind::Update:
            break;
        }
    }

    void receive(Channel& channel, const Action& action)
    {
        const auto at
            = std::find(channel.underWay.begin(), channel.underWay.end(), action.microbatch);
        if (at == channel.underWay.end())
            return;
        if (at != channel.underWay.begin() && !channel.outOfOrder) {
            channel.outOfOrder = true;
            m_findings.add(
                "transfer",
                [&] {
                    return fmt::format(
                        "{} is received before {} of the same channel, which was sent first",
                        toText(action), channel.underWay.front());
                },
                m_schedule.workerOfStage[std::size_t(action.stage)]);
        }
        channel.underWay.erase(at);
    }

    // Lists run as far as their inputs allow; who makes an input wakes who waits for it. What is
    // left then can run under no timing. Every action is looked at once and once more for each
    // thing it waited for.
    void run()
    {
        for (std::size_t w = m_parked.size(); w-- > 0;)
            wakeWorker(w);
        while (!m_runnable.empty()) {
            const std::size_t worker = m_runnable.back();
            m_runnable.pop_back();
            m_parked[worker] = 1;
            advance(worker);
        }
        for (std::size_t w = 0; w < m_position.size(); ++w)
            if (m_position[w] < m_schedule.workers[w].size())
                m_findings.add(
                    "deadlock",
                    [&] {
                        return fmt::format(
                            "worker {} waits for ever at {}: what it needs comes later or never", w,
                            toText(m_schedule.workers[w][m_position[w]]));
                    },
                    int(w), m_position[w]);
    }

    void advance(std::size_t worker)
    {
        const auto& list = m_schedule.workers[worker];
        std::size_t& at = m_position[worker];
        while (at < list.size()) {
            if (m_slots == 0 && isTransfer(list[at].kind)) {
                meet(int(worker));
                const std::size_t end = leavesAt(
                    m_schedule, int(worker), at, [this](const Action& a) { return isDone(a); });
                if (end == at)
                    return;
                at = end;
            } else if (ready(list[at])) {
                finish(list[at]);
                ++at;
            } else {
                return;
            }
        }
    }

    // Rendezvous: performs the transfers that the worker has posted and whose peer stands at their
    // other ends.
    void meet(int worker)
    {
        meetPosted(
            m_schedule, worker, m_position, [this](const Action& a) { return isDone(a); },
            [this](const Action& mine, const Action& theirs, int) {
                const bool sends = mine.kind == ActionKind::Send;
                const Action& message = sends ? mine : theirs;
                if (!done(index(message), message.gradient ? kInput : kForward))
                    return;
                finish(message);
                finish(sends ? theirs : mine);
            });
    }

    // Each send has its receive on the neighbour; the order a channel was looked at on the way.
    void transfers()
    {
        std::vector<std::size_t> sent(m_channels.size(), 0), received(sent);
        for (const auto& list : m_schedule.workers)
            for (const Action& action : list)
                if (isTransfer(action.kind) && peerOf(action) >= 0)
                    ++(action.kind == ActionKind::Send ? sent : received)[channelOf(action)];
        for (std::size_t c = 0; c < sent.size(); ++c)
            if (sent[c] != received[c])
                m_findings.add("transfer", [&] {
                    return fmt::format("stage {} receives {} {}s, and its neighbour sends {}",
                        c / 2, received[c], c % 2 ? "gradient" : "activation", sent[c]);
                });
    }

    const Schedule& m_schedule;
    Findings& m_findings;
    int m_slots;
    std::size_t m_total;
    std::vector<std::uint8_t> m_done; // [stage][microbatch] bits of Done
    std::vector<Channel> m_channels; // [receiving stage][gradient]
    std::vector<std::size_t> m_position, m_runnable;
    std::vector<char> m_parked;
    std::vector<int> m_handedIn; // [update] stages whose part is in; empty: no reduction
    bool m_hasTransfers = false;
};

} // namespace

void proveOrder(const Schedule& schedule, int slots, Findings& findings)
{
    Order(schedule, slots, findings).go();
}

} // namespace stageloom::verify
