// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/passes/passes.h"

#include <algorithm>

namespace stageloom::passes {

namespace {

bool startsBackward(const Action& action)
{
    return action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput;
}

} // namespace

void addRecompute(Schedule& schedule, const std::vector<bool>& recompute)
{
    for (auto& list : schedule.workers) {
        std::vector<Action> out;
        out.reserve(list.size() * 3 / 2);
        for (const Action& action : list) {
            if (startsBackward(action) && recompute[std::size_t(action.stage)]) {
                Action again = action;
                again.kind = ActionKind::Recompute;
                out.push_back(again);
            }
            out.push_back(action);
        }
        list = std::move(out);
    }
}

void deferUpdates(Schedule& schedule)
{
    for (auto& list : schedule.workers) {
        std::vector<Action> out;
        out.reserve(
            list.size() + list.size() / std::size_t(2 * schedule.microbatchesPerUpdate) + 1);
        std::vector<Action> waiting; // updates handed in but not needed yet, in order
        for (const Action& action : list) {
            if (action.kind == ActionKind::Update) {
                Action handIn = action;
                handIn.kind = ActionKind::AllReduce;
                handIn.version = -1;
                out.push_back(handIn);
                waiting.push_back(action);
                continue;
            }
            const auto needed
                = std::stable_partition(waiting.begin(), waiting.end(), [&](const Action& update) {
                      return update.stage == action.stage && isCompute(action.kind)
                          && update.version <= action.version;
                  });
            out.insert(out.end(), waiting.begin(), needed);
            waiting.erase(waiting.begin(), needed);
            out.push_back(action);
        }
        out.insert(out.end(), waiting.begin(), waiting.end());
        list = std::move(out);
    }
}

void addTransfers(Schedule& schedule)
{
    const auto elsewhere = [&](int stage, int peer) {
        return peer >= 0 && peer < schedule.stages
            && schedule.workerOfStage[std::size_t(stage)]
            != schedule.workerOfStage[std::size_t(peer)];
    };
    for (auto& list : schedule.workers) {
        std::vector<Action> out;
        out.reserve(list.size() * 3);
        for (const Action& action : list) {
            const bool isForward = action.kind == ActionKind::Forward;
            const bool moves = isForward || startsBackward(action);
            const int from = isForward ? action.stage - 1 : action.stage + 1;
            const int to = isForward ? action.stage + 1 : action.stage - 1;
            Action transfer = action;
            transfer.version = -1;
            transfer.gradient = !isForward;
            if (moves && elsewhere(action.stage, from)) {
                transfer.kind = ActionKind::Recv;
                out.push_back(transfer);
            }
            out.push_back(action);
            if (moves && elsewhere(action.stage, to)) {
                transfer.kind = ActionKind::Send;
                out.push_back(transfer);
            }
        }
        list = std::move(out);
    }
}

} // namespace stageloom::passes
