// SPDX-License-Identifier: Apache-2.0
#include "engine/client/run_launcher.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/text_files.h"
#include "core/store/run_folder.h"
#include "core/store/run_store.h"
#include "engine/client/child_process.h"
#include "engine/client/engine_capabilities.h"
#include "engine/client/run_control.h"
#include "engine/client/run_record.h"

#include <algorithm>
#include <thread>

namespace stageloom {

namespace {

namespace fs = std::filesystem;

struct Launch {
    Database& database;
    RunId id;
    fs::path folder;
    pid_t child = -1;
};

// The end of a run that never came up, unless the engine itself has written one.
Error endOfLaunch(const Launch& launch, ErrorKind kind, const std::string& what)
{
    RunStore store(launch.database);
    std::string words = lastWords(launch.folder);
    if (words.starts_with("info:"))
        words.clear(); // of everyday life: it says nothing of the end
    if (const Result<RunRow> row = store.get(launch.id); row) {
        if (row->state == RunState::Running)
            static_cast<void>(
                store.finish(launch.id, RunState::Failed, {}, words.empty() ? what : words));
        else if (!row->failure.empty())
            words = row->failure;
    }
    std::replace(words.begin(), words.end(), '\n', ' '); // one sentence
    return { kind,
        fmt::format("run {} did not start: {}{}{}", launch.id.value, what,
            words.empty() ? "" : ": ", words) };
}

Result<LaunchedRun> waitUntilItAnswers(const Launch& launch, std::chrono::seconds timeout)
{
    const LaunchedRun running { launch.id, launch.child, launch.folder, {} };
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (std::chrono::steady_clock::now() < deadline) {
        if (Result<RunControl> control = RunControl::connect(launch.folder);
            control && control->query()) {
            leaveChild(launch.child);
            return running;
        }
        if (const std::optional<ChildExit> ended = pollChild(launch.child)) {
            const Result<RunRow> row = RunStore(launch.database).get(launch.id);
            if (ended->ok && row
                && (row->state == RunState::Finished || row->state == RunState::Stopped))
                return running; // so short a run that it was over before it could be asked
            return tl::unexpected<Error>(
                endOfLaunch(launch, ErrorKind::Io, "the engine ended with " + ended->text));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    endChild(launch.child);
    return tl::unexpected<Error>(endOfLaunch(launch, ErrorKind::Timeout,
        fmt::format("the engine did not answer within {} s and was ended", timeout.count())));
}

// What would fail in the first moment of a run and can be known before it: text that is not there,
// cannot be read or is empty; a plan that is unsound or beyond what the engine trains. The value:
// what the person who starts it should know, one sentence each.
Result<std::vector<std::string>> checkLaunch(const TrainRequest& request)
{
    if (!isUtf8(request.dataPath)) // the request travels as JSON
        return fail(ErrorKind::Unsupported,
            "the text {} has a name that is not UTF-8; rename it, or make a link to it with such a "
            "name",
            request.dataPath);
    const Result<Model> model = planModel(request.plan);
    if (!model)
        return failure(model);
    const Result<EngineCapabilities> engine = askEngine();
    if (!engine)
        return failure(engine);
    const int cores = int(std::max(1u, std::thread::hardware_concurrency()));
    if (const Status possible = checkRequest(request, *model, *engine, cores); !possible)
        return failure(possible);
    const Result<TextFiles> text = findTextFiles(request.dataPath);
    if (!text)
        return failure(text);
    const Status enough
        = checkEnoughText(*text, request.dataPath, request.validationFraction, request.plan.seq);
    if (!enough)
        return failure(enough);
    std::vector<std::string> notes = model->notes;
    for (std::string& note : text->notes())
        notes.push_back(std::move(note));
    return notes;
}

} // namespace

Result<LaunchedRun> launchRun(
    const TrainRequest& request, const fs::path& storeFile, std::chrono::seconds timeout)
{
    Result<std::vector<std::string>> notes = checkLaunch(request);
    if (!notes)
        return failure(notes);
    const Result<fs::path> engine = enginePath();
    if (!engine)
        return failure(engine);
    Result<Database> database = Database::open(storeFile);
    if (!database)
        return failure(database);
    RunStore store(*database);
    const Result<RunId> id = store.createWithFolder(runRecord(request, *engine));
    if (!id)
        return failure(id);
    Launch launch { *database, *id, runFolder(database->file(), *id) };
    if (const Status written
        = writeFileAtomically(launch.folder / kRequestFile, dumpJson(toJson(request)));
        !written)
        return tl::unexpected<Error>(
            endOfLaunch(launch, written.error().kind, written.error().message));
    const std::vector<std::string> arguments { "train", "--folder", launch.folder.string(),
        "--store", database->file().string(), "--run", std::to_string(id->value) };
    const Result<pid_t> child = startChild(*engine, arguments, { launch.folder / kEngineLogFile });
    if (!child)
        return tl::unexpected<Error>(
            endOfLaunch(launch, child.error().kind, child.error().message));
    launch.child = *child;
    Result<LaunchedRun> run = waitUntilItAnswers(launch, timeout);
    if (run)
        run->notes = std::move(*notes);
    return run;
}

} // namespace stageloom
