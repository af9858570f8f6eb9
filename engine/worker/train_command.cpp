// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/train_command.h"

#include "core/plan/prediction.h"
#include "core/plan/train_request.h"
#include "core/store/run_folder.h"
#include "engine/capabilities.h"
#include "engine/client/child_process.h"
#include "engine/client/run_record.h"
#include "engine/worker/environment.h"
#include "engine/worker/run_builder.h"
#include "engine/worker/run_recorder.h"
#include <algorithm>
#include <thread>
#include <unistd.h>

namespace stageloom::engine {

namespace {
// The data and the executor of one request.
struct PreparedRun {
    Corpus corpus;
    std::unique_ptr<Executor> executor;
    RecorderSetup setup;
    std::vector<std::string> notes;
};

Result<TrainRequest> readRequest(const std::filesystem::path& folder)
{
    const auto file = folder / kRequestFile;
    const auto document = readJsonFile(file);
    if (!document)
        return failure(document);
    return trainRequestFromJson(*document, file.string());
}

// The simulator's bubble in the same window as the measured one.
std::optional<double> predictedBubble(const Plan& plan, const Model& model)
{
    const auto prediction = predict(plan, model, 8);
    return prediction ? prediction->metrics.steadyBubbleFraction : std::nullopt;
}

Status addData(ExecutorInput& input, PreparedRun& run, const TrainRequest& request)
{
    auto corpus = readCorpus(request.dataPath, request.validationFraction, request.plan.seq);
    if (!corpus)
        return failure(corpus);
    run.corpus = std::move(*corpus);
    const int size = request.plan.microbatchSize;
    input.source
        = std::make_shared<TextSource>(run.corpus.train, request.plan.seq, size, request.seed);
    if (!run.corpus.validation.empty() && request.evalBatches > 0) {
        input.evaluationSource = std::make_shared<TextSource>(
            run.corpus.validation, request.plan.seq, size, request.seed + 1);
        input.evaluationMicrobatches = request.evalBatches;
        input.evaluationInterval = request.evalInterval;
    }
    return {};
}

Result<std::unique_ptr<PreparedRun>> prepare(const TrainRequest& request, RunId id)
{
    const Plan& plan = request.plan;
    const auto model = planModel(plan);
    if (!model)
        return failure(model);
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (Status possible = checkRequest(request, *model, engineCapabilities(), cores); !possible)
        return failure(possible);
    auto input = buildRun(
        plan, *model, BuildOptions { request.steps, request.seed, request.threadsPerStage });
    if (!input)
        return failure(input);
    input->recordSpans = request.recordSpans;
    auto run = std::make_unique<PreparedRun>();
    if (Status added = addData(*input, *run, request); !added)
        return failure(added);
    run->setup = RecorderSetup { id, request.steps, double(plan.batchSize()) * double(plan.seq),
        predictedBubble(plan, *model), input->schedule.depth(), input->schedule.stages,
        plan.microbatches, kSettleLimit };
    if (plan.depth() * request.threadsPerStage > cores)
        run->notes.push_back(fmt::format("{} stages with {} thread each share {} cores: stages "
                                         "take turns, and measured times are longer than "
                                         "predicted.",
            plan.depth(), request.threadsPerStage, cores));
    auto executor = Executor::create(std::move(*input));
    if (!executor)
        return failure(executor);
    run->executor = std::move(*executor);
    return run;
}

RunState stateOf(const ExecutorOutcome& outcome)
{
    return outcome.end == ExecutorOutcome::End::Finished ? RunState::Finished : RunState::Stopped;
}

Status runPrepared(PreparedRun& run, StoreWriter& store, ControlServer& server, Steering& steering)
{
    RunLog log(run.setup.run, store, server);
    RunRecorder recorder(run.setup, store, server, steering, log);
    log.write("info",
        fmt::format("Training starts: {} stages, {} batches of {:.0f} tokens.", run.setup.stages,
            run.setup.steps, run.setup.tokensPerBatch));
    for (const std::string& note : run.notes)
        log.write("warning", note);
    run.executor->setWatched([&server] { return server.subscribers() > 0; });
    steering.attach(run.executor.get());
    const auto outcome = run.executor->run(
        [&](RunReport report) { recorder.report(std::move(report)); }, [&] { recorder.idle(); });
    steering.attach(nullptr);
    if (!outcome) {
        (void)recorder.finish(RunState::Failed, outcome.error().message);
        return failure(outcome);
    }
    return recorder.finish(stateOf(*outcome), {});
}

Status fail(StoreWriter& store, ControlServer& server, RunId run, const Error& error)
{
    store.post([run, message = error.message](Database& database) {
        return RunStore(database).finish(run, RunState::Failed, {}, message);
    });
    (void)store.settle(kSettleLimit);
    server.broadcast(EndedEvent { RunState::Failed, error.message });
    return tl::unexpected<Error>(error);
}

// Beside the run's other files; where their disk is full, with the temporary ones.
SparePlace spareOf(const TrainPlace& place, const TrainRequest& request)
{
    std::error_code error;
    SparePlace spare { runRecord(request, enginePath().value_or("")), { place.folder } };
    spare.run.id = place.run;
    spare.run.folder = place.folder.string();
    if (const auto temporary = std::filesystem::temp_directory_path(error); !error)
        spare.folders.push_back(
            temporary / fmt::format("stageloom-run-{}-{}", place.run.value, getpid()));
    return spare;
}

void writeEnvironment(StoreWriter& store, RunId run, int threads)
{
    store.post([run, engine = describeEnvironment(threads)](Database& database) -> Status {
        RunStore runs(database);
        Json environment = runs.environment(run).value_or(Json::object());
        environment["engine"] = engine;
        environment["engine"]["pid"] = getpid(); // signals reach it even without its folder
        return runs.setEnvironment(run, jsonLine(environment));
    });
}
}

Status trainRun(const TrainPlace& place)
{
    const auto request = readRequest(place.folder);
    Steering steering(request ? request->steps : 0);
    const StopSignals signals(steering); // first of all threads, see there
    const auto lock = RunLock::take(place.folder);
    if (!lock)
        return failure(lock);
    auto store = StoreWriter::start(place.store);
    if (!store)
        return failure(store);
    ControlHandlers handlers;
    handlers.query = [&steering] { return steering.status(); };
    handlers.command = [&steering](ControlCommand command) { return steering.command(command); };
    const auto server = ControlServer::listen(place.folder, std::move(handlers));
    if (!server)
        return failure(server);
    if (!request)
        return fail(**store, **server, place.run, request.error());
    (*store)->setSpare(spareOf(place, *request));
    writeEnvironment(**store, place.run, request->threadsPerStage);
    const auto run = prepare(*request, place.run);
    if (!run)
        return fail(**store, **server, place.run, run.error());
    return runPrepared(**run, **store, **server, steering);
}

} // namespace stageloom::engine
