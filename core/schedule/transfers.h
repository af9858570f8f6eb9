// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/schedule.h"
#include <algorithm>

// Who meets whom at a transfer: what simulator and verifier must understand alike.
namespace stageloom {

// Whether the list says how tensors reach other workers; one of compute alone, as CSV files have
// it, leaves that out.
inline bool hasTransfers(const Schedule& schedule)
{
    return std::any_of(schedule.workers.begin(), schedule.workers.end(), [](const auto& list) {
        return std::any_of(
            list.begin(), list.end(), [](const Action& action) { return isTransfer(action.kind); });
    });
}

// Stage at the other end of a SEND or RECV; -1: past either end of the pipeline.
inline int peerStage(const Schedule& schedule, const Action& transfer)
{
    const bool up = (transfer.kind == ActionKind::Send) != transfer.gradient;
    const int peer = transfer.stage + (up ? 1 : -1);
    return peer < schedule.stages ? peer : -1;
}

inline int peerWorker(const Schedule& schedule, const Action& transfer)
{
    const int peer = peerStage(schedule, transfer);
    return peer < 0 ? -1 : schedule.workerOfStage[std::size_t(peer)];
}

// Under rendezvous a worker posts the transfers with one peer that stand together in its list, as
// Megatron's send_forward_recv_backward does; past this many it posts the next ones later.
inline constexpr std::size_t kLongestPost = 64;

// One past the last of the transfers with one peer that stand together at `position`: the worker
// stands there until they are done.
inline std::size_t standsUntil(const Schedule& schedule, int worker, std::size_t position)
{
    const auto& list = schedule.workers[std::size_t(worker)];
    std::size_t end = position;
    while (end < list.size() && end - position < kLongestPost && isTransfer(list[end].kind)
        && peerWorker(schedule, list[end]) == peerWorker(schedule, list[position]))
        ++end;
    return end;
}

// Calls visit(action) for what the worker has posted at `position`: those, and the receives from
// the same peer behind what neither makes nor needs a message (R, U, ALLREDUCE), which can be
// posted ahead.
template <typename Visit>
void forEachPosted(const Schedule& schedule, int worker, std::size_t position, Visit visit)
{
    const auto& list = schedule.workers[std::size_t(worker)];
    const std::size_t end = std::min(list.size(), position + kLongestPost);
    int peer = -1;
    bool ahead = false;
    for (std::size_t i = position; i < end; ++i) {
        const Action& action = list[i];
        if (!isTransfer(action.kind)) {
            if (action.kind != ActionKind::Recompute && action.kind != ActionKind::Update
                && action.kind != ActionKind::AllReduce)
                return;
            ahead = true;
            continue;
        }
        const int other = peerWorker(schedule, action);
        if (other < 0 || (peer >= 0 && other != peer) || (ahead && action.kind == ActionKind::Send))
            return;
        peer = other;
        visit(action);
    }
}

// What worker `other` has posted to meet `mine`; null: it does not stand there.
inline const Action* postedFor(
    const Schedule& schedule, int other, std::size_t position, const Action& mine)
{
    const Action* found = nullptr;
    forEachPosted(schedule, other, position, [&](const Action& posted) {
        if (posted.kind != mine.kind && posted.stage == peerStage(schedule, mine)
            && posted.gradient == mine.gradient && posted.microbatch == mine.microbatch)
            found = &posted;
    });
    return found;
}

// Rendezvous: calls meet(mine, theirs, other) for what the worker has posted, is not over yet and
// meets `theirs`, which worker `other` has posted. `position`: each worker's place in its list.
template <typename Over, typename Meet>
void meetPosted(const Schedule& schedule, int worker, const std::vector<std::size_t>& position,
    Over over, Meet meet)
{
    forEachPosted(schedule, worker, position[std::size_t(worker)], [&](const Action& mine) {
        if (over(mine))
            return;
        const int other = peerWorker(schedule, mine);
        const Action* theirs = postedFor(schedule, other, position[std::size_t(other)], mine);
        if (theirs)
            meet(mine, *theirs, other);
    });
}

// Where the worker goes on: behind the transfers that it stands at once all of them are over, else
// where it stands.
template <typename Over>
std::size_t leavesAt(const Schedule& schedule, int worker, std::size_t position, Over over)
{
    const auto& list = schedule.workers[std::size_t(worker)];
    const std::size_t end = standsUntil(schedule, worker, position);
    return std::all_of(
               list.begin() + std::ptrdiff_t(position), list.begin() + std::ptrdiff_t(end), over)
        ? end
        : position;
}

} // namespace stageloom
