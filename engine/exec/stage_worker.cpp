// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/stage_worker.h"

#include "core/base/check.h"
#include "engine/optim/grad_norm.h"
#include <limits>
#include <utility>

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
    m_shared.board.put(HoldReport { m_worker, start, now() });
    return resumed;
}

Status StageWorker::evaluate(std::int64_t step)
{
    m_evaluatedStep = step;
    const double start = now();
    Status done = m_shared.evaluation->run(m_ownStages, step, m_shared.board, start);
    m_shared.board.put(HoldReport { m_worker, start, now() });
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
        send(action, stage);
        return {};
    case ActionKind::Recv:
        return receive(action, stage);
    }
    return {};
}

void StageWorker::record(const Action& action, StageState& stage, double start)
{
    const Span* span
        = stage.spans.record(action, planBatchOf(m_schedule, action), start, stage.spans.now());
    if (span && m_shared.live.wanted())
        m_shared.live.add(*span);
}

// RECV's time is the wait for the other worker.
Status StageWorker::receive(const Action& action, StageState& stage)
{
    const auto s = static_cast<std::size_t>(action.stage);
    const double start = stage.spans.now();
    Mailbox& from = action.gradient ? *m_shared.gradients[s] : *m_shared.activations[s - 1];
    auto taken = from.take(action.microbatch, m_shared.signals);
    if (!taken)
        return failure(taken);
    (action.gradient ? stage.gradientIn : stage.activationIn)
        .put(action.microbatch, std::move(*taken));
    record(action, stage, start);
    return {};
}

void StageWorker::send(const Action& action, StageState& stage)
{
    const auto s = static_cast<std::size_t>(action.stage);
    const double start = stage.spans.now();
    Mailbox& to = action.gradient ? *m_shared.gradients[s - 1] : *m_shared.activations[s];
    Shelf& made = action.gradient ? stage.gradientOut : stage.activationOut;
    to.put(action.microbatch, made.take(action.microbatch));
    record(action, stage, start);
}

void StageWorker::passOn(
    int from, int to, std::int64_t microbatch, bool gradient, at::Tensor tensor)
{
    const auto workerOf
        = [&](int stage) { return m_schedule.workerOfStage[static_cast<std::size_t>(stage)]; };
    const bool here = workerOf(from) == workerOf(to);
    StageState& stage = *m_shared.stages[static_cast<std::size_t>(here ? to : from)];
    Shelf& shelf = gradient ? (here ? stage.gradientIn : stage.gradientOut)
                            : (here ? stage.activationIn : stage.activationOut);
    shelf.put(microbatch, std::move(tensor));
}

Status StageWorker::forward(const Action& action, StageState& stage)
{
    const auto s = static_cast<std::size_t>(action.stage);
    const bool last = action.stage + 1 == m_schedule.stages;
    const double start = stage.spans.now();
    at::Tensor input;
    if (s > 0)
        input = stage.activationIn.take(action.microbatch);
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
        stage.losses.add(planBatchOf(m_schedule, action), m_schedule.batchOf(action),
            output.item<double>(), m_schedule.microbatches);
    record(action, stage, start);
    if (!last)
        passOn(action.stage, action.stage + 1, action.microbatch, false, std::move(output));
    return {};
}

Status StageWorker::backward(const Action& action, StageState& stage)
{
    const double start = stage.spans.now();
    const bool last = action.stage + 1 == m_schedule.stages;
    at::Tensor gradient;
    if (!last)
        gradient = stage.gradientIn.take(action.microbatch);
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
    // Without a reduction the stages before learn of a broken loss by the gradient itself.
    if (last && !m_shared.reduction && stage.losses.broken(m_schedule.batchOf(action))
        && toInput.defined())
        toInput.fill_(std::numeric_limits<double>::quiet_NaN());
    record(action, stage, start);
    if (action.stage > 0)
        passOn(action.stage, action.stage - 1, action.microbatch, true, std::move(toInput));
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

StageGradient StageWorker::partOf(std::int64_t update, StageState& stage, int index) const
{
    const auto& accumulator = stage.accumulator(update);
    StageGradient part;
    part.squaredNorms = squaredNormsOfSlots(*stage.parts->module, accumulator.flat);
    part.lossFinite = !stage.losses.broken(update);
    if (const auto slot = tiedSlotOn(m_shared.tied, index))
        part.tied = accumulator.views[*slot];
    return part;
}

void StageWorker::handIn(const Action& action, StageState& stage)
{
    const double start = stage.spans.now();
    m_shared.reduction->post(
        action.stage, action.microbatch, partOf(action.microbatch, stage, action.stage));
    record(action, stage, start);
}

// The wait for other stages' parts is not the update's own time: its span begins after it.
Status StageWorker::update(const Action& action, StageState& stage)
{
    ReducedBatch whole;
    StageBatch part;
    double start = 0;
    if (m_shared.reduction) {
        auto waited = m_shared.reduction->wait(action.stage, action.microbatch, m_shared.signals);
        if (!waited)
            return failure(waited);
        start = stage.spans.now();
        whole = std::move(*waited);
        part.squaredNorm = whole.squaredNorm;
    } else {
        start = stage.spans.now();
        std::vector<StageGradient> own { partOf(action.microbatch, stage, action.stage) };
        whole = reduced(own);
        if (whole.brokenStage >= 0)
            whole.brokenStage = action.stage;
        if (m_schedule.stages == 1)
            part.squaredNorm = whole.squaredNorm;
        part.squaredNorms = std::move(own.front().squaredNorms);
    }
    const std::int64_t batch = planBatchOf(m_schedule, action);
    part.learningRate
        = learningRateAt(m_shared.input.optimizer, batch + 1, m_shared.input.plannedSteps);
    apply(action, stage, whole, part.learningRate);
    record(action, stage, start);
    part.brokenStage = whole.brokenStage;
    part.lossFinite = whole.lossFinite;
    return endsBatch(m_schedule, action) ? afterUpdate(action, stage, std::move(part)) : Status {};
}

// An update with a number in it that is not finite is left out on every stage: its version is the
// one before again.
void StageWorker::apply(
    const Action& action, StageState& stage, const ReducedBatch& whole, double rate)
{
    auto& accumulator = stage.accumulator(action.microbatch);
    WeightVersions& versions = *stage.parts->versions;
    if (whole.finite()) {
        if (const auto slot = tiedSlotOn(m_shared.tied, action.stage);
            slot && whole.tiedGradient.defined())
            accumulator.views[*slot].copy_(whole.tiedGradient);
        UpdateInput input;
        input.learningRate = rate;
        if (m_shared.reduction || m_schedule.stages == 1)
            input.gradientScale = clipFactor(whole.squaredNorm, m_shared.input.optimizer.clipNorm);
        versions.update(*stage.parts->optimizer, accumulator.flat, input);
    } else {
        accumulator.flat.zero_();
        versions.repeat();
        stage.losses.forget(action.microbatch);
        ++stage.skipped;
    }
    STAGELOOM_CHECK(versions.newest() == action.version, "the list names another version");
}

Status StageWorker::afterUpdate(const Action& action, StageState& stage, StageBatch part)
{
    part.batch = planBatchOf(m_schedule, action);
    part.time = stage.spans.now();
    if (action.stage + 1 == m_schedule.stages)
        part.loss = stage.losses.take(part.batch);
    part.updates = m_schedule.microbatches / m_schedule.microbatchesPerUpdate;
    part.skipped = std::exchange(stage.skipped, 0);
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

} // namespace stageloom::engine
