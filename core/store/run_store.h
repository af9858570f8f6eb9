// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/json.h"
#include "core/store/database.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

enum class RunState { Running, Finished, Stopped, Failed, Lost };
std::string toString(RunState state);

// A row of the run table: what `runs list` prints.
struct RunRow {
    RunId id;
    std::string name;
    RunState state = RunState::Running;
    std::string started; // ISO 8601, UTC
    std::string ended;
    std::int64_t steps = 0; // done
    std::int64_t plannedSteps = 0;
    std::optional<double> finalLoss, validationLoss, tokensPerSecond;
    std::optional<double> bubblePredicted, bubbleMeasured, peakRssBytes;
    std::string schedule, model, planHash;
    std::vector<std::string> tags;
    std::string notes;
    std::string failure; // last words of a failed or lost run
    std::string folder; // control socket, lock, log
    bool operator==(const RunRow&) const = default;
};

struct NewRun {
    std::string name, schedule, model, planHash, folder;
    std::int64_t plannedSteps = 0;
    std::string planJson, requestJson, environmentJson;
    RunId id {}; // as it is to be; none: the next one
};

struct RunSummary // written by the engine at the end, and every few batches on the way
{
    std::int64_t steps = 0;
    std::optional<double> finalLoss, validationLoss, tokensPerSecond, bubblePredicted,
        bubbleMeasured, peakRssBytes;
};

struct LogLine {
    double time = 0;
    std::string level;
    std::string text;
};

// Runs, their plans, tags, notes, log lines. Used by the thread that owns the connection.
class RunStore {
public:
    explicit RunStore(Database& database)
        : m_database(database)
    {
    }
    Result<RunId> create(const NewRun& run);
    // The same with a folder that is this run's alone (run_folder.h).
    Result<RunId> createWithFolder(NewRun run);
    Status setFolder(RunId id, const std::string& folder);
    Status update(RunId id, const RunSummary& summary);
    Status finish(
        RunId id, RunState state, const RunSummary& summary, const std::string& failure = {});
    Result<std::vector<RunRow>> list() const; // newest first
    Result<RunRow> get(RunId id) const; // names the id, and what ids there are
    Result<Json> plan(RunId id) const;
    Result<Json> request(RunId id) const;
    Result<Json> environment(RunId id) const;
    Status setEnvironment(RunId id, const std::string& json); // the engine adds what it runs with
    Status setName(RunId id, const std::string& name);
    Status setTags(RunId id, const std::vector<std::string>& tags);
    Status setNotes(RunId id, const std::string& notes);
    Status remove(RunId id); // refused while it runs
    Status appendLog(RunId id, const LogLine& line);
    Result<std::vector<LogLine>> log(RunId id, std::size_t from = 0) const; // without the first
    // Marks runs as lost whose engine is gone: their lock file is free. Returns how many.
    // A store that cannot be written marks none.
    Result<int> reapLost();
    // For who started the engine and saw how it was killed: failed, with these words, also where
    // somebody who could not see it has called the run lost. An end that the engine wrote stays.
    Status failKilled(RunId id, const std::string& words);
    // The process of a run whose engine lives although its folder, and with it the control socket,
    // was removed: signals still reach it.
    Result<std::optional<int>> engineWithoutFolder(RunId id) const;

private:
    Database& m_database;
};

} // namespace stageloom
