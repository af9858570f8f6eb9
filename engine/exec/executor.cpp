// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/executor.h"

#include "engine/device/device.h"
#include "engine/exec/stage_worker.h"
#include "engine/foreign_error.h"
#include <algorithm>
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
    void makeStages();
    void runWorker(int worker);
    void reportUntilDone(
        const std::function<void(RunReport)>& report, const std::function<void()>& idle);
    void countSkipped(const BatchReport& report);

    ExecutorInput input;
    const ListDemand& facts;
    RunSignals signals;
    BatchBoard board;
    LiveFeed live;
    std::function<bool()> watched;
    std::int64_t skippedInRow = 0; // batches
    std::unique_ptr<BatchReduction> reduction;
    std::unique_ptr<Evaluation> evaluation;
    SharedRun shared;
};

namespace {
// Between two looks at what the workers finished: how often who watches hears of long batches.
constexpr std::chrono::milliseconds kLook { 100 };

// So many batches without an update mean that the run has diverged for good.
constexpr std::int64_t kMostSkipped = 10;

// Whether every tensor that has to reach another worker has a SEND and a RECV; that those match is
// the proof's business.
bool handsOver(const Schedule& schedule)
{
    bool moves = false, crosses = false;
    for (const int worker : schedule.workerOfStage)
        crosses = crosses || worker != schedule.workerOfStage.front();
    for (const auto& list : schedule.workers)
        moves = moves || std::any_of(list.begin(), list.end(), [](const Action& action) {
            return action.kind == ActionKind::Recv;
        });
    return moves || !crosses;
}

Status checkInput(const ExecutorInput& input, const ListDemand& facts, bool tied)
{
    if (!input.proof.ok())
        return fail(ErrorKind::Invalid, "The action list is not sound: {}",
            input.proof.findings.front().message);
    if (static_cast<int>(input.stages.size()) != input.schedule.stages)
        return fail(ErrorKind::Invalid, "The action list has {} stages, but {} were built.",
            input.schedule.stages, input.stages.size());
    if (!handsOver(input.schedule))
        return fail(ErrorKind::Invalid,
            "The action list of schedule {} has stages on several workers and no SEND and RECV "
            "between them.",
            input.schedule.name);
    const bool couples = tied || input.optimizer.clipNorm > 0;
    if (couples && !facts.reduces && input.schedule.stages > 1)
        return fail(ErrorKind::Unsupported,
            "The list of schedule {} has no reduction across stages, which {} needs; switch it "
            "off, or ask for the list with updates that cross stages.",
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

void Executor::State::makeStages()
{
    const Schedule& schedule = input.schedule;
    const auto origin = SpanRecorder::Clock::now();
    const auto open = static_cast<std::size_t>(schedule.stages / schedule.microbatches + 4);
    for (int s = 0; s < schedule.stages; ++s) {
        const auto i = static_cast<std::size_t>(s);
        // Forward, recompute, backward and four transfers; hand-in and update.
        SpanRecorder spans(origin, schedule.workerOfStage[i], open,
            static_cast<std::size_t>(schedule.microbatches * 7 + 2), input.recordSpans);
        shared.stages.push_back(std::make_unique<StageState>(input.stages[i], facts.accumulators[i],
            input.dtype, static_cast<std::size_t>(input.proof.peakStash[i]) + 1, std::move(spans)));
    }
}

void Executor::State::runWorker(int worker)
{
    const Status done = caught(fmt::format("Worker {}", worker), [&] {
        configureComputeThread(input.threadsPerStage);
        const at::NoGradGuard noGrad;
        return StageWorker(shared, worker).run();
    });
    if (!done)
        signals.abort(done.error());
    board.workerEnded();
}

void Executor::State::countSkipped(const BatchReport& report)
{
    skippedInRow = report.wholeSkipped ? skippedInRow + 1 : 0;
    if (skippedInRow < kMostSkipped)
        return;
    signals.abort(Error { ErrorKind::Invalid,
        fmt::format("The run has diverged: batches {} to {} changed no weight, because {} on stage "
                    "{} is not a finite number; a lower learning rate, a longer warm-up or "
                    "gradient clipping helps.",
            report.step - skippedInRow + 1, report.step,
            report.lossFinite ? "the gradient" : "the loss", report.brokenStage) });
}

// A span reaches the feed before its batch is posted, so taking the feed first gives every span
// live before its batch.
void Executor::State::reportUntilDone(
    const std::function<void(RunReport)>& report, const std::function<void()>& idle)
{
    const int workers = input.schedule.depth();
    while (!board.drained(workers)) {
        live.want(watched && watched());
        auto next = board.next(kLook, workers);
        if (LiveSpans spans { live.take() }; !spans.spans.empty())
            report(std::move(spans));
        if (!next) {
            if (idle)
                idle();
            continue;
        }
        if (const auto* batch = std::get_if<BatchReport>(&*next))
            countSkipped(*batch);
        report(std::move(*next));
    }
}

// The workers' threads. However the run is left, by an exception of a thread that does not start
// or of a report, they are told to end and are joined.
class Executor::Workers {
public:
    explicit Workers(State& state)
        : m_state(state)
    {
    }
    ~Workers()
    {
        if (!m_done)
            m_state.signals.abort(Error { ErrorKind::Internal, "The run was given up." });
        for (std::thread& thread : m_threads)
            thread.join();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    void start()
    {
        const int count = m_state.input.schedule.depth();
        m_threads.reserve(static_cast<std::size_t>(count));
        for (int w = 0; w < count; ++w)
            m_threads.emplace_back([&state = m_state, w] { state.runWorker(w); });
    }
    void done() { m_done = true; }

private:
    State& m_state;
    std::vector<std::thread> m_threads;
    bool m_done = false;
};

Result<ExecutorOutcome> Executor::run(
    const std::function<void(RunReport)>& report, const std::function<void()>& idle)
{
    State& state = *m_state;
    state.makeStages();
    {
        Workers workers(state);
        workers.start();
        state.reportUntilDone(report, idle);
        workers.done();
    }
    ExecutorOutcome outcome;
    for (const auto& stage : state.shared.stages)
        outcome.peakStash.push_back(stage->stash.peak());
    if (state.signals.aborted()) {
        if (state.signals.reason().kind != ErrorKind::Cancelled)
            return tl::unexpected<Error>(state.signals.reason());
        outcome.end = ExecutorOutcome::End::StoppedNow;
    } else if (state.signals.lastBatch() < state.input.schedule.batches - 1) {
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
