// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/list_facts.h"

#include <algorithm>

namespace stageloom::engine {

namespace {
// Batches checked; lists repeat themselves long before.
constexpr std::int64_t kCheckedBatches = 12;

// How many evaluation points lie before what each stage needs and hands over, by stage and
// microbatch (or update).
struct Epochs {
    std::vector<std::vector<int>> activationIn, activationOut, gradientIn, gradientOut;
    std::vector<std::vector<int>> reduce, update;
};

void note(Epochs& epochs, const Action& action, int epoch)
{
    const auto stage = static_cast<std::size_t>(action.stage);
    const auto k = static_cast<std::size_t>(action.microbatch);
    switch (action.kind) {
    case ActionKind::Forward:
        epochs.activationIn[stage][k] = epochs.activationOut[stage][k] = epoch;
        break;
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
        epochs.gradientIn[stage][k] = epochs.gradientOut[stage][k] = epoch;
        break;
    case ActionKind::Send: // after the F or B that made it
        (action.gradient ? epochs.gradientOut : epochs.activationOut)[stage][k] = epoch;
        break;
    case ActionKind::AllReduce:
        epochs.reduce[stage][k] = epoch;
        break;
    case ActionKind::Update:
        epochs.update[stage][k] = epoch;
        break;
    case ActionKind::Recv: // waits for no more than the F or B after it
    case ActionKind::BackwardWeight:
    case ActionKind::Recompute:
        break;
    }
}

Epochs epochsOf(const Schedule& schedule, std::size_t microbatches)
{
    const auto stages = static_cast<std::size_t>(schedule.stages);
    Epochs epochs;
    for (auto* table : { &epochs.activationIn, &epochs.activationOut, &epochs.gradientIn,
             &epochs.gradientOut, &epochs.reduce, &epochs.update })
        table->assign(stages, std::vector<int>(microbatches, 0));
    for (std::size_t w = 0; w < schedule.workers.size(); ++w) {
        const auto own = static_cast<int>(std::count(
            schedule.workerOfStage.begin(), schedule.workerOfStage.end(), static_cast<int>(w)));
        int epoch = 0, ended = 0;
        for (const Action& a : schedule.workers[w]) {
            if (static_cast<std::size_t>(a.microbatch) < microbatches)
                note(epochs, a, epoch);
            if (endsBatch(schedule, a) && ++ended == own) {
                ++epoch;
                ended = 0;
            }
        }
    }
    return epochs;
}
}

Status evaluationPointsClosed(const Schedule& schedule)
{
    const auto microbatches = static_cast<std::size_t>(
        std::min<std::int64_t>(schedule.batches, kCheckedBatches) * schedule.microbatches);
    const Epochs epochs = epochsOf(schedule, microbatches);
    const bool reduces = demandOf(schedule).reduces;
    const auto refuse = [&](std::size_t stage, std::size_t k) {
        return fail(ErrorKind::Unsupported,
            "Schedule {} leaves no point to evaluate at after a batch: microbatch {} on stage {} "
            "needs work that "
            "another stage does after its own point; evaluate at the end only.",
            schedule.name, k, stage);
    };
    const auto stages = static_cast<std::size_t>(schedule.stages);
    for (std::size_t s = 0; s < stages; ++s) {
        for (std::size_t k = 0; k < microbatches; ++k) {
            if (s > 0 && epochs.activationOut[s - 1][k] > epochs.activationIn[s][k])
                return refuse(s, k);
            if (s + 1 < stages && epochs.gradientOut[s + 1][k] > epochs.gradientIn[s][k])
                return refuse(s, k);
            for (std::size_t other = 0; reduces && other < stages; ++other) {
                if (epochs.reduce[other][k] > epochs.update[s][k])
                    return refuse(s, k);
            }
        }
    }
    return {};
}

} // namespace stageloom::engine
