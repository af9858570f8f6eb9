// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/commands.h"

#include "core/plan/prediction.h"
#include "core/plan/train_request.h"
#include "core/store/run_folder.h"
#include "engine/capabilities.h"
#include "engine/client/child_process.h"
#include "engine/client/run_record.h"
#include "engine/data/corpus.h"
#include "engine/data/text_source.h"
#include "engine/foreign_error.h"
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
    Json predicted; // for the run's record, to stand beside what is measured
    std::vector<std::string> notes; // of the model and its text
    std::string warning;
};

Result<TrainRequest> readRequest(const std::filesystem::path& folder)
{
    const auto file = folder / kRequestFile;
    const auto document = readJsonFile(file);
    if (!document)
        return failure(document);
    return trainRequestFromJson(*document, file.string());
}

// The simulator's numbers: the bubble in the same window as the measured one.
void addPrediction(PreparedRun& run, const Plan& plan, const Model& model)
{
    const auto prediction = predict(plan, model, 8);
    if (!prediction)
        return;
    run.setup.bubblePredicted = prediction->metrics.steadyBubbleFraction;
    run.predicted = { { "step_seconds", prediction->stepTime },
        { "tokens_per_second", prediction->tokensPerSecond },
        { "peak_memory_bytes", prediction->peakMemory },
        { "process_memory_bytes", prediction->processMemory },
        { "from_profile", prediction->measuredTimes } };
}

Status addData(ExecutorInput& input, PreparedRun& run, const TrainRequest& request)
{
    auto corpus = readCorpus(request.dataPath, request.validationFraction, request.plan.seq);
    if (!corpus)
        return failure(corpus);
    run.corpus = std::move(*corpus);
    run.notes.insert(run.notes.end(), run.corpus.notes.begin(), run.corpus.notes.end());
    const int size = request.plan.microbatchSize;
    input.source
        = std::make_shared<TextSource>(run.corpus.train, request.plan.seq, size, request.seed);
    if (run.corpus.validation.empty() || request.evalSamples < 1)
        return {};
    input.evaluationSource = std::make_shared<TextSource>(
        run.corpus.validation, request.plan.seq, size, request.seed + 1, request.evalSamples);
    input.evaluationMicrobatches = (request.evalSamples + size - 1) / size;
    input.evaluationInterval = request.evalInterval;
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
        std::nullopt, input->schedule.depth(), input->schedule.stages, plan.microbatches,
        kSettleLimit };
    addPrediction(*run, plan, *model);
    run->notes.insert(run->notes.end(), model->notes.begin(), model->notes.end());
    if (plan.depth() * request.threadsPerStage > cores)
        run->warning = fmt::format("{} stages with {} thread each share {} cores: stages "
                                   "take turns, and measured times are longer than "
                                   "predicted.",
            plan.depth(), request.threadsPerStage, cores);
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

// Commands reach the executor while it runs, and no longer, however that ends.
class Attached {
public:
    Attached(Steering& steering, Executor& executor)
        : m_steering(steering)
    {
        m_steering.attach(&executor);
    }
    ~Attached() { m_steering.attach(nullptr); }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;

private:
    Steering& m_steering;
};

Status runPrepared(PreparedRun& run, StoreWriter& store, ControlServer& server, Steering& steering)
{
    RunLog log(run.setup.run, store, server);
    RunRecorder recorder(run.setup, store, server, steering, log);
    log.write("info",
        fmt::format("Training starts: {} stages, {} batches of {:.0f} tokens.", run.setup.stages,
            run.setup.steps, run.setup.tokensPerBatch));
    for (const std::string& note : run.notes) // who started the run has been told
        log.write("info", note);
    if (!run.warning.empty())
        log.write("warning", run.warning);
    run.executor->setWatched([&server] { return server.subscribers() > 0; });
    const auto outcome = caught("The run", [&] {
        const Attached attached(steering, *run.executor);
        return run.executor->run([&](RunReport report) { recorder.report(std::move(report)); },
            [&] { recorder.idle(); });
    });
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

// A run is a record once it has ended: training it again would write other steps under its number.
Status refuseEnded(const TrainPlace& place)
{
    auto database = Database::open(place.store, Database::Mode::ReadOnly);
    if (!database)
        return {}; // the writer says what is wrong with the store
    const auto row = RunStore(*database).get(place.run);
    if (row && row->state != RunState::Running)
        return stageloom::fail(ErrorKind::Invalid,
            "run {} has ended as {} and is not trained again; 'stageloom train' starts a new one.",
            place.run.value, toString(row->state));
    return {};
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

// A part of the run's environment document.
void addToRecord(StoreWriter& store, RunId run, const char* key, Json part)
{
    store.post([run, key, added = std::move(part)](Database& database) -> Status {
        RunStore runs(database);
        Json environment = runs.environment(run).value_or(Json::object());
        environment[key] = added;
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
    if (Status fresh = refuseEnded(place); !fresh)
        return fresh;
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
    Json engine = describeEnvironment(request->threadsPerStage);
    engine["pid"] = getpid(); // signals reach it even without its folder
    addToRecord(**store, place.run, "engine", std::move(engine));
    bool ended = false; // the recorder has written how
    const Status done = caught("The run", [&]() -> Status {
        const auto run = prepare(*request, place.run);
        if (!run)
            return failure(run);
        addToRecord(**store, place.run, "predicted", (*run)->predicted);
        const Status trained = runPrepared(**run, **store, **server, steering);
        ended = true;
        return trained;
    });
    return done || ended ? done : fail(**store, **server, place.run, done.error());
}

} // namespace stageloom::engine
