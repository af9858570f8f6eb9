// SPDX-License-Identifier: Apache-2.0
// What the store says about runs whose engine is gone, and how a run is removed.
#include "core/store/run_folder.h"
#include "core/store/run_store.h"
#include "core/store/sql.h"

#include <fstream>
#include <iterator>

namespace stageloom {

namespace {

// A launched engine makes its lock within this; before, a missing lock says nothing.
constexpr const char* kStartingSince = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-60 seconds')";

struct OpenRun {
    RunId id;
    FoundFolder folder;
    bool starting = false; // launched within the last minute
    std::string engine; // of its environment: the process, empty where it is not known
};

std::vector<OpenRun> openRuns(const Database& database)
{
    SQLite::Statement query(database.raw(),
        fmt::format("SELECT id, folder, started > {}, (SELECT json_extract(body, '$.engine.pid') "
                    "FROM run_documents WHERE run = runs.id AND kind = 'environment' AND "
                    "json_valid(body)) FROM runs WHERE state = 'running'",
            kStartingSince));
    const StoreName store { database.identity(), database.file() };
    std::vector<OpenRun> runs;
    while (query.executeStep()) {
        const RunId id { query.getColumn(0).getInt64() };
        runs.push_back({ id, findRunFolder(store, id, query.getColumn(1).getString()),
            query.getColumn(2).getInt() != 0, query.getColumn(3).getString() });
    }
    return runs;
}

// Whether the process is still the engine of this run, and not another one that has its number now.
bool isEngineOf(const std::string& process, RunId id)
{
    std::ifstream file("/proc/" + process + "/cmdline", std::ios::binary);
    const std::string words((std::istreambuf_iterator<char>(file)), {});
    return !process.empty()
        && words.find(fmt::format("--run{}{}{}", '\0', id.value, '\0')) != std::string::npos;
}

bool engineIsGone(const OpenRun& run)
{
    if (run.folder.otherStore)
        return true; // its rows go there, and never come here
    switch (run.folder.path.empty() ? LockState::Missing : lockState(run.folder.path)) {
    case LockState::Held:
        return false;
    case LockState::Free:
        return true;
    case LockState::Missing:
        break;
    }
    return !run.starting && !isEngineOf(run.engine, run.id);
}

std::string endOf(const OpenRun& run)
{
    if (run.folder.otherStore)
        return fmt::format(
            "this store is a copy that was made while the run went on; the run's end "
            "is in {}",
            run.folder.otherStore->string());
    if (run.folder.path.empty())
        return "it has no folder, so nothing tells what became of its engine";
    return endOfEngine(run.folder.path);
}

} // namespace

Result<int> RunStore::reapLost()
{
    return sql::guarded(m_database, [&]() -> Result<int> {
        int reaped = 0;
        if (!m_database.writable())
            return 0;
        for (const OpenRun& run : openRuns(m_database)) {
            if (!engineIsGone(run))
                continue;
            const std::string words = endOf(run);
            const Status written = sql::write(m_database, [&]() -> Status {
                // Still running: the engine may have finished it between the look and now.
                SQLite::Statement update(m_database.raw(),
                    "UPDATE runs SET state = 'lost', ended = ?, failure = ? WHERE id = ? AND state "
                    "= 'running'");
                update.bind(1, sql::timestamp());
                update.bind(2, words);
                update.bind(3, run.id.value);
                reaped += update.exec();
                return {};
            });
            if (!written)
                return failure(written);
        }
        return reaped;
    });
}

Status RunStore::failKilled(RunId id, const std::string& words)
{
    return sql::write(m_database, [&]() -> Status {
        SQLite::Statement update(m_database.raw(),
            "UPDATE runs SET state = 'failed', ended = ?, failure = ? WHERE id = ? AND state IN "
            "('running', 'lost')");
        update.bind(1, sql::timestamp());
        update.bind(2, words);
        update.bind(3, id.value);
        update.exec();
        return {};
    });
}

Status RunStore::remove(RunId id)
{
    const Result<RunRow> row = get(id);
    if (!row)
        return failure(row);
    const Status removed = sql::write(m_database, [&]() -> Status {
        for (const OpenRun& run : openRuns(m_database))
            if (run.id == id && !engineIsGone(run))
                return fail(ErrorKind::Busy,
                    "run {} is still running; stop it first: stageloom runs stop {}", id.value,
                    id.value);
        SQLite::Statement statement(m_database.raw(), "DELETE FROM runs WHERE id = ?");
        statement.bind(1, id.value);
        statement.exec();
        return {};
    });
    if (removed)
        removeRunFolder({ m_database.identity(), m_database.file() }, id);
    return removed;
}

Result<std::optional<int>> RunStore::engineWithoutFolder(RunId id) const
{
    return sql::guarded(m_database, [&]() -> Result<std::optional<int>> {
        for (const OpenRun& run : openRuns(m_database))
            if (run.id == id && lockState(run.folder.path) == LockState::Missing
                && isEngineOf(run.engine, id))
                return std::optional(std::stoi(run.engine));
        return std::optional<int>();
    });
}

} // namespace stageloom
