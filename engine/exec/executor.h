// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/verify.h"
#include "engine/exec/batch_board.h"
#include "engine/exec/microbatch_source.h"
#include "engine/optim/weight_versions.h"
#include <functional>
#include <memory>

namespace stageloom::engine {

// What one stage computes with.
struct StageParts {
    std::unique_ptr<StageModule> module;
    std::unique_ptr<WeightVersions> versions; // as many buffers as the list's proof counts
    std::unique_ptr<Optimizer> optimizer;
    at::Device device = at::kCPU; // where its weights, gradients and optimizer state are
};

struct ExecutorInput {
    Schedule schedule; // the list that runs, as it is
    ScheduleProof proof; // of this list
    std::vector<StageParts> stages;
    OptimizerSettings optimizer;
    std::int64_t plannedSteps = 0; // of the learning-rate curve
    std::shared_ptr<const MicrobatchSource> source;
    std::shared_ptr<const MicrobatchSource>
        evaluationSource; // microbatches 0 … evaluationMicrobatches-1, of any sizes
    int evaluationMicrobatches = 0; // 0: never
    int evaluationInterval = 0; // batches; 0: at the end only
    int threadsPerStage = 1;
    bool recordSpans = true;
    at::ScalarType dtype = at::kFloat; // of weights and accumulators
    std::chrono::milliseconds patience = std::chrono::minutes(10); // of the watchdog
};

struct ExecutorOutcome {
    enum class End { Finished, StoppedAfterBatch, StoppedNow } end = End::Finished;
    std::vector<std::size_t> peakStash; // microbatches, per stage
};

// Runs one action list, every worker on a thread of its own. The only training loop there is:
// training runs, the profiler's check and the benchmark all come through here.
class Executor {
public:
    static Result<std::unique_ptr<Executor>> create(ExecutorInput input);
    ~Executor();

    // Before run(), which asks between its reports whether spans are wanted while their batch still
    // runs. Without: never.
    void setWatched(std::function<bool()> watched);
    // Blocks until the list is done or the run ends otherwise; `report` is called on this thread,
    // and `idle`, where given, a few times a second while there is nothing to report. Once. An
    // exception of theirs, or of making room for the run, comes out of it when all workers have
    // ended.
    Result<ExecutorOutcome> run(
        const std::function<void(RunReport)>& report, const std::function<void()>& idle = {});

    // The four below: any thread.
    void setPaused(bool paused);
    [[nodiscard]] bool paused() const;
    [[nodiscard]] bool evaluating() const;
    void stopAfterBatch(); // the batches that have begun are finished, updates and all
    void stopNow();

    // Not during run().
    [[nodiscard]] const std::vector<StageParts>& stages() const;

private:
    explicit Executor(ExecutorInput input);
    class Workers;
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stageloom::engine
