// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/executor.h"

#include "engine/exec/stage_worker.h"
#include "engine/exec/thread_setup.h"
#include <new>
#include <thread>

namespace stageloom::engine {

struct Executor::State {
    explicit State(ExecutorInput executorInput)
        : input(std::move(executorInput))
        , facts(input.proof)
        , signals(input.patience,
              static_cast<unsigned>(input.schedule.depth() * input.threadsPerStage)
                  <= std::thread::hardware_concurrency())
        , board(input.schedule.stages)
        , shared { input, facts, signals, board, live, {}, nullptr, nullptr, {}, {}, {} }
    {
    }

    void connect();
    void runWorker(int worker);
    void reportUntilDone(int workers, const std::function<void(RunReport)>& report,
        const std::function<void()>& idle);

    ExecutorInput input;
    const ListDemand& facts;
    RunSignals signals;
    BatchBoard board;
    LiveFeed live;
    std::function<bool()> watched;
    std::unique_ptr<BatchReduction> reduction;
    std::unique_ptr<Evaluation> evaluation;
    SharedRun shared;
};

namespace {
// Between two looks at what the workers finished: how often who watches hears of long batches.
constexpr std::chrono::milliseconds kLook { 100 };

Error described(const char* what, int worker)
{
    return Error { ErrorKind::Internal,
        fmt::format("Worker {} stopped on an error of LibTorch: {}.", worker, what) };
}

Status checkInput(const ExecutorInput& input, const ListDemand& facts, bool tied)
{
    if (!input.proof.ok())
        return fail(ErrorKind::Invalid, "The action list is not sound: {}",
            input.proof.findings.front().message);
    if (static_cast<int>(input.stages.size()) != input.schedule.stages)
        return fail(ErrorKind::Invalid, "The action list has {} stages, but {} were built.",
            input.schedule.stages, input.stages.size());
    const bool couples = tied || input.optimizer.clipNorm > 0;
    if (couples && !facts.reduces && input.schedule.stages > 1)
        return fail(ErrorKind::Unsupported,
            "The list of schedule {} has no reduction across stages, which {} needs; switch it "
            "off, "
            "or ask for the list with updates that cross stages.",
            input.schedule.name, tied ? "a tied head" : "gradient clipping");
    if (input.evaluationMicrobatches > 0 && input.evaluationInterval > 0)
        return evaluationPointsClosed(input.schedule);
    return {};
}
}

Executor::Executor(ExecutorInput input)
    : m_state(std::make_unique<State>(std::move(input)))
{
}

Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(ExecutorInput input)
{
    std::unique_ptr<Executor> executor(new Executor(std::move(input)));
    State& state = *executor->m_state;
    std::vector<const StageModule*> modules;
    for (const StageParts& parts : state.input.stages)
        modules.push_back(parts.module.get());
    state.shared.tied = findTiedPair(modules);
    if (Status sound = checkInput(state.input, state.facts, state.shared.tied.has_value()); !sound)
        return failure(sound);
    state.connect();
    return executor;
}

void Executor::State::connect()
{
    const Schedule& schedule = input.schedule;
    for (int s = 0; s + 1 < schedule.stages; ++s) {
        // What is on its way up is in the sender's stash, what is on its way down still in the
        // taker's.
        const auto capacity = static_cast<std::size_t>(
            std::max(1, input.proof.peakStash[static_cast<std::size_t>(s)]));
        shared.activations.push_back(
            std::make_unique<Mailbox>(s, s + 1, capacity, "the activation"));
        shared.gradients.push_back(std::make_unique<Mailbox>(s + 1, s, capacity, "the gradient"));
    }
    if (facts.reduces)
        reduction = std::make_unique<BatchReduction>(schedule.stages, shared.tied);
    if (input.evaluationMicrobatches > 0)
        evaluation = std::make_unique<Evaluation>(input, signals);
    shared.reduction = reduction.get();
    shared.evaluation = evaluation.get();
}

void Executor::State::runWorker(int worker)
{
    try {
        configureComputeThread(input.threadsPerStage);
        const at::NoGradGuard noGrad;
        if (Status done = StageWorker(shared, worker).run(); !done)
            signals.abort(done.error());
    } catch (const c10::Error& error) {
        signals.abort(described(error.what_without_backtrace(), worker));
    } catch (const std::bad_alloc&) {
        signals.abort(Error { ErrorKind::Infeasible,
            fmt::format("Worker {} ran out of memory; a smaller microbatch, more stages or "
                        "recompute helps.",
                worker) });
    } catch (const std::exception& error) {
        signals.abort(described(error.what(), worker));
    }
    board.workerEnded();
}

// A span reaches the feed before its batch is posted, so taking the feed first gives every span
// live before its batch.
void Executor::State::reportUntilDone(
    int workers, const std::function<void(RunReport)>& report, const std::function<void()>& idle)
{
    while (!board.drained(workers)) {
        live.want(watched && watched());
        auto next = board.next(kLook, workers);
        if (LiveSpans spans { live.take() }; !spans.spans.empty())
            report(std::move(spans));
        if (next)
            report(std::move(*next));
        else if (idle)
            idle();
    }
}

Result<ExecutorOutcome> Executor::run(
    const std::function<void(RunReport)>& report, const std::function<void()>& idle)
{
    State& state = *m_state;
    const Schedule& schedule = state.input.schedule;
    const auto origin = SpanRecorder::Clock::now();
    const auto open = static_cast<std::size_t>(schedule.stages / schedule.microbatches + 4);
    for (int s = 0; s < schedule.stages; ++s) {
        const auto i = static_cast<std::size_t>(s);
        SpanRecorder spans(origin, schedule.workerOfStage[i], open,
            static_cast<std::size_t>(schedule.microbatches * 3 + 2), state.input.recordSpans);
        state.shared.stages.push_back(std::make_unique<StageState>(state.input.stages[i],
            state.facts.accumulators[i], state.input.dtype, std::move(spans)));
    }
    const int workers = schedule.depth();
    std::vector<std::thread> threads;
    for (int w = 0; w < workers; ++w)
        threads.emplace_back([&state, w] { state.runWorker(w); });
    state.reportUntilDone(workers, report, idle);
    for (std::thread& thread : threads)
        thread.join();
    ExecutorOutcome outcome;
    for (const auto& stage : state.shared.stages)
        outcome.peakStash.push_back(stage->stash.peak());
    if (state.signals.aborted()) {
        if (state.signals.reason().kind != ErrorKind::Cancelled)
            return tl::unexpected<Error>(state.signals.reason());
        outcome.end = ExecutorOutcome::End::StoppedNow;
    } else if (state.signals.lastBatch() < schedule.batches - 1) {
        outcome.end = ExecutorOutcome::End::StoppedAfterBatch;
    }
    return outcome;
}

void Executor::setWatched(std::function<bool()> watched)
{
    m_state->watched = std::move(watched);
}
void Executor::setPaused(bool paused)
{
    m_state->signals.setPaused(paused);
}
bool Executor::paused() const
{
    return m_state->signals.paused();
}
bool Executor::evaluating() const
{
    return m_state->evaluation && m_state->evaluation->active();
}
void Executor::stopAfterBatch()
{
    m_state->signals.stopAfterBegunBatches();
    m_state->signals.setPaused(false);
}
void Executor::stopNow()
{
    m_state->signals.abort(Error { ErrorKind::Cancelled, "The run was stopped on request." });
}
const std::vector<StageParts>& Executor::stages() const
{
    return m_state->input.stages;
}

} // namespace stageloom::engine
