// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/stage_worker.h"

#include "core/base/check.h"
#include "engine/optim/grad_norm.h"

namespace stageloom::engine {

StageWorker::StageWorker(SharedRun& shared, int worker)
    : m_shared(shared)
    , m_schedule(shared.input.schedule)
    , m_worker(worker)
{
    for (int s = 0; s < m_schedule.stages; ++s) {
        if (m_schedule.workerOfStage[static_cast<std::size_t>(s)] == worker)
            m_ownStages.push_back(s);
    }
}

Status StageWorker::run()
{
    for (const Action& action : m_schedule.workers[static_cast<std::size_t>(m_worker)]) {
        if (m_shared.signals.aborted())
            return tl::unexpected<Error>(m_shared.signals.reason());
        if (m_shared.signals.paused()) {
            if (Status resumed = waitWhilePaused(); !resumed)
                return resumed;
        }
        if (!wanted(action))
            continue;
        if (Status done = perform(action); !done)
            return done;
        m_shared.signals.progressed();
    }
    if (m_shared.evaluation && m_doneBatches > 0 && m_evaluatedStep != m_doneBatches)
        return evaluate(m_doneBatches);
    return {};
}

double StageWorker::now() const
{
    return m_shared.stages[static_cast<std::size_t>(m_ownStages.front())]->spans.now();
}

Status StageWorker::waitWhilePaused()
{
    const double start = now();
    Status resumed = m_shared.signals.waitWhilePaused();
    m_shared.board.put(HoldReport { start, now() });
    return resumed;
}

Status StageWorker::evaluate(std::int64_t step)
{
    m_evaluatedStep = step;
    const double start = now();
    Status done = m_shared.evaluation->run(m_ownStages, step, m_shared.board, start);
    m_shared.board.put(HoldReport { start, now() });
    return done;
}

bool StageWorker::wanted(const Action& action)
{
    const std::int64_t batch = planBatchOf(m_schedule, action);
    if (batch <= m_allowed)
        return true;
    if (m_stopping || !m_shared.signals.beginBatch(batch)) {
        m_stopping = true;
        return false;
    }
    m_allowed = batch;
    return true;
}

Status StageWorker::perform(const Action& action)
{
    StageState& stage = *m_shared.stages[static_cast<std::size_t>(action.stage)];
    switch (action.kind) {
    case ActionKind::Forward:
        return forward(action, stage);
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
        return backward(action, stage);
    case ActionKind::BackwardWeight:
        backwardWeight(action, stage);
        return {};
    case ActionKind::Recompute:
        recompute(action, stage);
        return {};
    case ActionKind::AllReduce:
        handIn(action, stage);
        return {};
    case ActionKind::Update:
        return update(action, stage);
    case ActionKind::Send:
    case ActionKind::Recv:
        return {}; // in one process the hand-over is part of the compute action
    }
    return {};
}

void StageWorker::record(const Action& action, StageState& stage, double start)
{
    const Span* span = stage.spans.record(action, planBatchOf(m_schedule, action),
        m_schedule.batchOf(action), start, stage.spans.now());
    if (span && m_shared.live.wanted())
        m_shared.live.add(*span);
}

Status StageWorker::forward(const Action& action, StageState& stage)
{
    const auto s = static_cast<std::size_t>(action.stage);
    const bool last = action.stage + 1 == m_schedule.stages;
    at::Tensor input;
    if (s > 0) {
        auto taken = m_shared.activations[s - 1]->take(action.microbatch, m_shared.signals);
        if (!taken)
            return failure(taken);
        input = std::move(*taken);
    }
    const double start = stage.spans.now();
    StageStash& stash = stage.stash.open(action.microbatch);
    if (s == 0 || last) {
        auto data = m_shared.input.source->microbatch(action.microbatch, m_shared.signals);
        if (!data)
            return failure(data);
        stash.data = std::move(*data);
    }
    stash.data.lossScale = 1.0 / m_schedule.microbatchesPerUpdate;
    const auto& weights = stage.parts->versions->weights(action.version);
    at::Tensor output = m_shared.facts.recompute[s]
        ? stage.parts->module->forwardDropping(weights, input, stash)
        : stage.parts->module->forward(weights, input, stash);
    if (last)
        addLoss(stage, planBatchOf(m_schedule, action), output.item<double>());
    record(action, stage, start);
    if (!last)
        m_shared.activations[s]->put(action.microbatch, std::move(output));
    return {};
}

Status StageWorker::backward(const Action& action, StageState& stage)
{
    const auto s = static_cast<std::size_t>(action.stage);
    at::Tensor gradient;
    if (action.stage + 1 < m_schedule.stages) {
        auto taken = m_shared.gradients[s]->take(action.microbatch, m_shared.signals);
        if (!taken)
            return failure(taken);
        gradient = std::move(*taken);
    }
    const double start = stage.spans.now();
    StageStash& stash = stage.stash.at(action.microbatch);
    const auto& weights = stage.parts->versions->weights(action.version);
    at::Tensor toInput;
    if (action.kind == ActionKind::Backward) {
        auto& accumulator = stage.accumulator(m_schedule.batchOf(action));
        toInput = stage.parts->module->backward(weights, accumulator.views, gradient, stash);
        stage.stash.close(action.microbatch);
    } else {
        toInput = stage.parts->module->backwardInput(weights, gradient, stash);
    }
    record(action, stage, start);
    if (s > 0)
        m_shared.gradients[s - 1]->put(action.microbatch, std::move(toInput));
    return {};
}

void StageWorker::backwardWeight(const Action& action, StageState& stage)
{
    const double start = stage.spans.now();
    auto& accumulator = stage.accumulator(m_schedule.batchOf(action));
    stage.parts->module->backwardWeight(accumulator.views, stage.stash.at(action.microbatch));
    stage.stash.close(action.microbatch);
    record(action, stage, start);
}

void StageWorker::recompute(const Action& action, StageState& stage)
{
    const double start = stage.spans.now();
    const auto& weights = stage.parts->versions->weights(action.version);
    stage.parts->module->recompute(weights, stage.stash.at(action.microbatch));
    record(action, stage, start);
}

void StageWorker::handIn(const Action& action, StageState& stage)
{
    const double start = stage.spans.now();
    const auto& accumulator = stage.accumulator(action.microbatch);
    at::Tensor tied;
    if (const auto slot = tiedSlotOn(m_shared.tied, action.stage))
        tied = accumulator.views[*slot];
    m_shared.reduction->post(action.stage, action.microbatch,
        squaredNormsOfSlots(*stage.parts->module, accumulator.flat), std::move(tied));
    record(action, stage, start);
}

Status StageWorker::update(const Action& action, StageState& stage)
{
    const OptimizerSettings& settings = m_shared.input.optimizer;
    auto& accumulator = stage.accumulator(action.microbatch);
    const std::int64_t batch = planBatchOf(m_schedule, action);
    StageBatch part;
    UpdateInput input;
    double start = 0;
    if (m_shared.reduction) {
        auto reduced = m_shared.reduction->wait(action.stage, action.microbatch, m_shared.signals);
        if (!reduced)
            return failure(reduced);
        start = stage.spans.now();
        if (const auto slot = tiedSlotOn(m_shared.tied, action.stage))
            accumulator.views[*slot].copy_(reduced->tiedGradient);
        part.squaredNorm = reduced->squaredNorm;
        input.gradientScale = clipFactor(reduced->squaredNorm, settings.clipNorm);
    } else {
        start = stage.spans.now();
        part.squaredNorms = squaredNormsOfSlots(*stage.parts->module, accumulator.flat);
        if (m_schedule.stages == 1)
            input.gradientScale
                = clipFactor(foldSquaredNorms({ part.squaredNorms }), settings.clipNorm);
    }
    input.step = std::int64_t(action.microbatch) + 1;
    input.learningRate = learningRateAt(settings, batch + 1, m_shared.input.plannedSteps);
    stage.parts->versions->update(*stage.parts->optimizer, accumulator.flat, input);
    STAGELOOM_CHECK(
        stage.parts->versions->newest() == action.version, "the list names another version");
    record(action, stage, start);
    part.learningRate = input.learningRate;
    return endsBatch(m_schedule, action) ? afterUpdate(action, stage, std::move(part)) : Status {};
}

Status StageWorker::afterUpdate(const Action& action, StageState& stage, StageBatch part)
{
    part.batch = planBatchOf(m_schedule, action);
    part.time = stage.spans.now();
    if (action.stage + 1 == m_schedule.stages)
        part.loss = takeLoss(stage, part.batch);
    part.spans = stage.spans.take(part.batch);
    const std::int64_t step = part.batch + 1;
    m_shared.board.put(action.stage, std::move(part));
    if (++m_ended < static_cast<int>(m_ownStages.size()))
        return {};
    m_ended = 0;
    m_doneBatches = step;
    const int interval = m_shared.input.evaluationInterval;
    if (!m_shared.evaluation || interval <= 0 || step % interval != 0)
        return {};
    return evaluate(step);
}

void StageWorker::addLoss(StageState& stage, std::int64_t batch, double loss)
{
    while (stage.firstLoss + static_cast<std::int64_t>(stage.losses.size()) <= batch)
        stage.losses.push_back(0);
    stage.losses[static_cast<std::size_t>(batch - stage.firstLoss)]
        += loss / m_schedule.microbatches;
}

double StageWorker::takeLoss(StageState& stage, std::int64_t batch)
{
    STAGELOOM_CHECK(stage.firstLoss == batch && !stage.losses.empty(), "batches finish in order");
    const double loss = stage.losses.front();
    stage.losses.pop_front();
    ++stage.firstLoss;
    return loss;
}

} // namespace stageloom::engine
