// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/batch_reduction.h"
#include "engine/exec/evaluation.h"
#include "engine/exec/list_facts.h"
#include "engine/exec/stage_state.h"

namespace stageloom::engine {

// What the workers of one run share.
struct SharedRun {
    ExecutorInput& input;
    const ListDemand& facts;
    RunSignals& signals;
    BatchBoard& board;
    LiveFeed& live;
    std::optional<TiedPair> tied;
    BatchReduction* reduction = nullptr; // null: updates do not wait for each other
    Evaluation* evaluation = nullptr;
    // Of the border between stage s and s+1.
    std::vector<std::unique_ptr<Mailbox>> activations, gradients;
    std::vector<std::unique_ptr<StageState>> stages;
};

// Does one worker's actions, in the order of the list and nothing else.
class StageWorker {
public:
    StageWorker(SharedRun& shared, int worker);
    Status run();

private:
    bool wanted(const Action& action);
    Status perform(const Action& action);
    Status waitWhilePaused();
    Status evaluate(std::int64_t step);
    [[nodiscard]] double now() const;
    Status forward(const Action& action, StageState& stage);
    Status backward(const Action& action, StageState& stage);
    void backwardWeight(const Action& action, StageState& stage);
    void recompute(const Action& action, StageState& stage);
    void handIn(const Action& action, StageState& stage);
    Status receive(const Action& action, StageState& stage);
    void send(const Action& action, StageState& stage);
    // What a forward or backward made: to a stage of this worker at once, else to its SEND.
    void passOn(int from, int to, std::int64_t microbatch, bool gradient, at::Tensor tensor);
    Status update(const Action& action, StageState& stage);
    void apply(const Action& action, StageState& stage, const ReducedBatch& whole, double rate);
    Status afterUpdate(const Action& action, StageState& stage, StageBatch part);
    StageGradient partOf(std::int64_t update, StageState& stage, int index) const;
    void record(const Action& action, StageState& stage, double start);

    SharedRun& m_shared;
    const Schedule& m_schedule;
    const int m_worker;
    std::vector<int> m_ownStages;
    std::int64_t m_allowed = -1; // batches up to this one run
    bool m_stopping = false; // the next ones do not
    int m_ended = 0; // own stages that have finished the batch that ends next
    std::int64_t m_evaluatedStep = -1;
    std::int64_t m_doneBatches = 0;
};

} // namespace stageloom::engine
