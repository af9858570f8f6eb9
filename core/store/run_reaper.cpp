// SPDX-License-Identifier: Apache-2.0
// What the store says about runs whose engine is gone, and how a run is removed.
#include "core/store/run_folder.h"
#include "core/store/run_store.h"
#include "core/store/sql.h"

namespace stageloom {

namespace {

namespace fs = std::filesystem;
// A launched engine makes its lock within this; before, a missing lock says nothing.
constexpr const char* kStartingSince = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-60 seconds')";

struct OpenRun {
    RunId id;
    fs::path folder;
    bool starting = false; // launched within the last minute
};

std::vector<OpenRun> openRuns(SQLite::Database& db)
{
    SQLite::Statement query(db,
        fmt::format(
            "SELECT id, folder, started > {} FROM runs WHERE state = 'running'", kStartingSince));
    std::vector<OpenRun> runs;
    while (query.executeStep())
        runs.push_back({ RunId { query.getColumn(0).getInt64() }, query.getColumn(1).getString(),
            query.getColumn(2).getInt() != 0 });
    return runs;
}

bool engineIsGone(const OpenRun& run)
{
    switch (lockState(run.folder)) {
    case LockState::Held:
        return false;
    case LockState::Free:
        return true;
    case LockState::Missing:
        break;
    }
    return !run.starting;
}

// Only a folder that a launch made: `…/runs/<id>`.
void removeFolder(const fs::path& folder, RunId id)
{
    std::error_code ignored; // what is left of the folder harms nobody
    if (folder.filename() == std::to_string(id.value) && folder.parent_path().filename() == "runs")
        fs::remove_all(folder, ignored);
}

} // namespace

Result<int> RunStore::reapLost()
{
    return sql::guarded(m_database, [&]() -> Result<int> {
        int reaped = 0;
        for (const OpenRun& run : openRuns(m_database.raw())) {
            if (!engineIsGone(run))
                continue;
            const std::string words = endOfEngine(run.folder);
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

Status RunStore::remove(RunId id)
{
    const Result<RunRow> row = get(id);
    if (!row)
        return failure(row);
    const Status removed = sql::write(m_database, [&]() -> Status {
        for (const OpenRun& run : openRuns(m_database.raw()))
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
        removeFolder(row->folder, id);
    return removed;
}

} // namespace stageloom
