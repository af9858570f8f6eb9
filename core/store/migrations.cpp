// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations.h"
#include "core/store/sql.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr const char* kRunsAndBlocks = R"sql(
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'running',
    started TEXT NOT NULL,
    ended TEXT NOT NULL DEFAULT '',
    steps INTEGER NOT NULL DEFAULT 0,
    planned_steps INTEGER NOT NULL DEFAULT 0,
    final_loss REAL, validation_loss REAL, tokens_per_second REAL,
    bubble_predicted REAL, bubble_measured REAL, peak_rss_bytes REAL,
    schedule TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    plan_hash TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    failure TEXT NOT NULL DEFAULT '',
    folder TEXT NOT NULL DEFAULT ''
);
CREATE INDEX runs_running ON runs(state) WHERE state = 'running';

CREATE TABLE run_documents ( -- kind: plan, request, environment
    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, kind)
);
CREATE TABLE tags (
    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags(tag);

CREATE TABLE metric_blocks ( -- the bounds are the first level of a pyramid: NULL where all is NaN
    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    block INTEGER NOT NULL,
    points INTEGER NOT NULL,
    first_step INTEGER NOT NULL, last_step INTEGER NOT NULL,
    first_time REAL, last_time REAL,
    loss_min REAL, loss_max REAL,
    validation_loss_min REAL, validation_loss_max REAL,
    tokens_per_second_min REAL, tokens_per_second_max REAL,
    grad_norm_min REAL, grad_norm_max REAL,
    learning_rate_min REAL, learning_rate_max REAL,
    rss_bytes_min REAL, rss_bytes_max REAL,
    data BLOB NOT NULL,
    PRIMARY KEY (run, block)
);
CREATE TABLE trace_info (
    run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    devices INTEGER NOT NULL, stages INTEGER NOT NULL, microbatches INTEGER NOT NULL
);
CREATE TABLE span_blocks (
    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    block INTEGER NOT NULL,
    spans INTEGER NOT NULL,
    first_batch INTEGER NOT NULL, last_batch INTEGER NOT NULL,
    first_time REAL NOT NULL, last_time REAL NOT NULL,
    shortest REAL NOT NULL, longest REAL NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (run, block)
);
CREATE INDEX span_blocks_by_batch ON span_blocks(run, last_batch, first_batch);

CREATE TABLE checkpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    step INTEGER NOT NULL, path TEXT NOT NULL, bytes INTEGER NOT NULL, created TEXT NOT NULL
);
CREATE INDEX checkpoints_by_run ON checkpoints(run, step);

CREATE TABLE log_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    time REAL, level TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX log_lines_by_run ON log_lines(run, id);
)sql";

// What tells a store from its copies and from another one of its name (run_folder.h).
constexpr const char* kStoreFacts = R"sql(
CREATE TABLE store_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO store_facts(name, value) VALUES ('identity', lower(hex(randomblob(16))));
)sql";

struct FileVersion {
    int version = 0; // 0: a new file
    int minReadable = 0;
};

Result<FileVersion> fileVersion(const Database& database)
{
    SQLite::Database& db = database.raw();
    if (!db.tableExists("schema_versions")) {
        const int others = db.execAndGet("SELECT count(*) FROM sqlite_master").getInt();
        if (others > 0)
            return fail(ErrorKind::Invalid,
                "{} is a database of another program, not a run store; choose another file with "
                "--store",
                database.file().string());
        return FileVersion {};
    }
    SQLite::Statement query(db,
        "SELECT coalesce(max(version), 0), coalesce(max(min_readable), 0) FROM schema_versions");
    query.executeStep();
    return FileVersion { query.getColumn(0).getInt(), query.getColumn(1).getInt() };
}

Status refuseUnreadable(const Database& database, const FileVersion& found, int ours)
{
    if (found.version > ours && found.minReadable > ours)
        return fail(ErrorKind::Unsupported,
            "the run store {} has schema version {} and needs a program that knows version {}; "
            "this one "
            "knows version {}: update stageloom or choose another file with --store",
            database.file().string(), found.version, found.minReadable, ours);
    return {};
}

Status apply(Database& database, const Migration& step)
{
    return sql::guarded(database, [&]() -> Status {
        SQLite::Database& db = database.raw();
        sql::Transaction transaction(db);
        const Result<FileVersion> found
            = fileVersion(database); // another program may have been first
        if (!found)
            return failure(found);
        if (found->version >= step.version)
            return {};
        db.exec("CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, "
                "min_readable INTEGER NOT NULL, description TEXT NOT NULL, applied TEXT NOT NULL)");
        db.exec(step.sql);
        SQLite::Statement row(db,
            "INSERT INTO schema_versions(version, min_readable, description, applied) "
            "VALUES (?, ?, ?, ?)");
        row.bind(1, step.version);
        row.bind(2, step.minReadable);
        row.bind(3, step.description);
        row.bind(4, sql::timestamp());
        row.exec();
        transaction.commit();
        return {};
    });
}

} // namespace

const std::vector<Migration>& storeMigrations()
{
    static const std::vector<Migration> kSteps {
        { 1, 1, "runs, documents, tags, metric and span blocks, checkpoints, log", kRunsAndBlocks },
        { 2, 1, "the store's identity", kStoreFacts, false },
    };
    return kSteps;
}

Status migrate(Database& database, const std::vector<Migration>& steps)
{
    return sql::guarded(database, [&]() -> Status {
        const Result<FileVersion> found = fileVersion(database);
        if (!found)
            return failure(found);
        if (const Status readable = refuseUnreadable(database, *found, steps.back().version);
            !readable)
            return readable;
        for (const Migration& step : steps) {
            if (step.version <= found->version)
                continue;
            if (const Status applied = apply(database, step); !applied)
                return fail(applied.error().kind,
                    "cannot bring the run store to schema version {} ({}): {}", step.version,
                    step.description, applied.error().message);
        }
        return {};
    });
}

Status checkReadable(const Database& database, const std::vector<Migration>& steps)
{
    return sql::guarded(database, [&]() -> Status {
        const Result<FileVersion> found = fileVersion(database);
        if (!found)
            return failure(found);
        const bool misses = std::any_of(steps.begin(), steps.end(), [&](const Migration& step) {
            return step.version > found->version && step.readerNeedsIt;
        });
        if (misses)
            return fail(ErrorKind::Unsupported,
                "the run store {} has the older schema version {}; open it once for writing, which "
                "brings "
                "it to version {}",
                database.file().string(), found->version, steps.back().version);
        return refuseUnreadable(database, *found, steps.back().version);
    });
}

} // namespace stageloom
