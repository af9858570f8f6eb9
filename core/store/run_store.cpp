// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_store.h"
#include "core/base/text.h"
#include "core/store/run_folder.h"
#include "core/store/sql.h"

namespace stageloom {

namespace {

namespace fs = std::filesystem;
constexpr char kTagSeparator = '\x1f'; // unit separator: no one types it into a tag

// The columns of rowFrom(), tags last.
constexpr const char* kRowColumns
    = "SELECT id, name, state, started, ended, steps, planned_steps, final_loss, validation_loss, "
      "tokens_per_second, bubble_predicted, bubble_measured, peak_rss_bytes, schedule, model, "
      "plan_hash, "
      "notes, failure, folder, (SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM tags "
      "WHERE tags.run = runs.id ORDER BY position)) FROM runs ";

RunState stateFrom(const std::string& word)
{
    for (const RunState state :
        { RunState::Running, RunState::Finished, RunState::Stopped, RunState::Failed })
        if (word == toString(state))
            return state;
    return RunState::Lost; // also a state that only a newer program knows
}

RunRow rowFrom(const Database& database, const SQLite::Statement& query)
{
    RunRow row;
    row.id = RunId { query.getColumn(0).getInt64() };
    row.name = query.getColumn(1).getString();
    row.state = stateFrom(query.getColumn(2).getString());
    row.started = query.getColumn(3).getString();
    row.ended = query.getColumn(4).getString();
    row.steps = query.getColumn(5).getInt64();
    row.plannedSteps = query.getColumn(6).getInt64();
    row.finalLoss = sql::numberAt(query, 7);
    row.validationLoss = sql::numberAt(query, 8);
    row.tokensPerSecond = sql::numberAt(query, 9);
    row.bubblePredicted = sql::numberAt(query, 10);
    row.bubbleMeasured = sql::numberAt(query, 11);
    row.peakRssBytes = sql::numberAt(query, 12);
    row.schedule = query.getColumn(13).getString();
    row.model = query.getColumn(14).getString();
    row.planHash = query.getColumn(15).getString();
    row.notes = query.getColumn(16).getString();
    row.failure = query.getColumn(17).getString();
    row.folder = query.getColumn(18).getString();
    // A store that was moved has its folders beside it again.
    if (const fs::path own = runFolder(database.file(), row.id);
        row.state == RunState::Running && own != row.folder) {
        const FoundFolder found
            = findRunFolder({ database.identity(), database.file() }, row.id, row.folder);
        if (!found.path.empty())
            row.folder = found.path.string();
    }
    if (const std::string tags = query.getColumn(19).getString(); !tags.empty())
        for (const std::string_view tag : split(tags, kTagSeparator))
            row.tags.emplace_back(tag);
    return row;
}

// "there is no run 12 in …; the newest runs there are 9, 8 and 7".
tl::unexpected<Error> noSuchRun(const Database& database, RunId id)
{
    SQLite::Statement query(database.raw(), "SELECT id FROM runs ORDER BY id DESC LIMIT 5");
    std::vector<std::string> ids;
    while (query.executeStep())
        ids.push_back(query.getColumn(0).getString());
    if (ids.empty())
        return fail(ErrorKind::Invalid, "there is no run {}: the run store {} is empty", id.value,
            database.file().string());
    return fail(ErrorKind::Invalid, "there is no run {} in {}; the newest there: {}", id.value,
        database.file().string(), joined(ids, ", "));
}

void bindSummary(SQLite::Statement& statement, const RunSummary& summary)
{
    statement.bind(1, summary.steps);
    sql::bindNumber(statement, 2, summary.finalLoss);
    sql::bindNumber(statement, 3, summary.validationLoss);
    sql::bindNumber(statement, 4, summary.tokensPerSecond);
    sql::bindNumber(statement, 5, summary.bubblePredicted);
    sql::bindNumber(statement, 6, summary.bubbleMeasured);
    sql::bindNumber(statement, 7, summary.peakRssBytes);
}

// A number the engine does not have yet leaves the one that is there.
constexpr const char* kSetSummary
    = "UPDATE runs SET steps = ?1, final_loss = coalesce(?2, final_loss), "
      "validation_loss = coalesce(?3, validation_loss), tokens_per_second = coalesce(?4, "
      "tokens_per_second), "
      "bubble_predicted = coalesce(?5, bubble_predicted), bubble_measured = coalesce(?6, "
      "bubble_measured), "
      "peak_rss_bytes = coalesce(?7, peak_rss_bytes) ";

Status setText(Database& database, RunId id, const char* statement, const std::string& value)
{
    return sql::write(database, [&]() -> Status {
        SQLite::Statement update(database.raw(), statement);
        update.bind(1, value);
        update.bind(2, id.value);
        if (update.exec() == 0)
            return noSuchRun(database, id);
        return {};
    });
}

Result<Json> document(Database& database, RunId id, const char* kind)
{
    return sql::guarded(database, [&]() -> Result<Json> {
        SQLite::Statement query(
            database.raw(), "SELECT body FROM run_documents WHERE run = ? AND kind = ?");
        query.bind(1, id.value);
        query.bind(2, kind);
        if (query.executeStep())
            return parseJson(query.getColumn(0).getString(),
                fmt::format("the {} of run {} in {}", kind, id.value, database.file().string()));
        return noSuchRun(database, id);
    });
}

void insertDocument(SQLite::Database& db, RunId id, const char* kind, const std::string& body)
{
    SQLite::Statement insert(db, "INSERT INTO run_documents(run, kind, body) VALUES (?, ?, ?)");
    insert.bind(1, id.value);
    insert.bind(2, kind);
    insert.bind(3, body.empty() ? "{}" : body);
    insert.exec();
}

} // namespace

std::string toString(RunState state)
{
    switch (state) {
    case RunState::Running:
        return "running";
    case RunState::Finished:
        return "finished";
    case RunState::Stopped:
        return "stopped";
    case RunState::Failed:
        return "failed";
    case RunState::Lost:
        break;
    }
    return "lost";
}

Result<RunId> RunStore::create(const NewRun& run)
{
    return sql::write(m_database, [&]() -> Result<RunId> {
        SQLite::Database& db = m_database.raw();
        SQLite::Statement insert(db,
            "INSERT INTO runs(name, started, schedule, model, plan_hash, folder, planned_steps, "
            "id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        insert.bind(1, run.name);
        insert.bind(2, sql::timestamp());
        insert.bind(3, run.schedule);
        insert.bind(4, run.model);
        insert.bind(5, run.planHash);
        insert.bind(6, run.folder);
        insert.bind(7, run.plannedSteps);
        if (run.id.valid())
            insert.bind(8, run.id.value);
        insert.exec();
        const RunId id { db.getLastInsertRowid() };
        insertDocument(db, id, "plan", run.planJson);
        insertDocument(db, id, "request", run.requestJson);
        insertDocument(db, id, "environment", run.environmentJson);
        return id;
    });
}

Result<RunId> RunStore::createWithFolder(NewRun run)
{
    const StoreName name { m_database.identity(), m_database.file() };
    RunId made;
    const auto created = sql::write(m_database, [&]() -> Result<RunId> {
        // An id is not used again, not even of a run that was deleted.
        const RunId least { m_database.raw()
                                .execAndGet("SELECT 1 + max(coalesce((SELECT max(id) FROM runs), "
                                            "0), coalesce((SELECT seq FROM sqlite_sequence WHERE "
                                            "name = 'runs'), 0))")
                                .getInt64() };
        const Result<RunId> id = makeRunFolder(name, least);
        if (!id)
            return id;
        run.id = made = *id;
        run.folder = runFolder(name.file, *id).string();
        return create(run);
    });
    if (!created && made.valid())
        removeRunFolder(name, made);
    return created;
}

Status RunStore::setFolder(RunId id, const std::string& folder)
{
    return setText(m_database, id, "UPDATE runs SET folder = ? WHERE id = ?", folder);
}

Status RunStore::setName(RunId id, const std::string& name)
{
    return setText(m_database, id, "UPDATE runs SET name = ? WHERE id = ?", name);
}

Status RunStore::setNotes(RunId id, const std::string& notes)
{
    return setText(m_database, id, "UPDATE runs SET notes = ? WHERE id = ?", notes);
}

Status RunStore::update(RunId id, const RunSummary& summary)
{
    return sql::write(m_database, [&]() -> Status {
        SQLite::Statement statement(m_database.raw(), std::string(kSetSummary) + "WHERE id = ?8");
        bindSummary(statement, summary);
        statement.bind(8, id.value);
        if (statement.exec() == 0)
            return noSuchRun(m_database, id);
        return {};
    });
}

Status RunStore::finish(
    RunId id, RunState state, const RunSummary& summary, const std::string& failure)
{
    return sql::write(m_database, [&]() -> Status {
        SQLite::Statement statement(m_database.raw(),
            std::string(kSetSummary) + ", state = ?8, ended = ?9, failure = ?10 WHERE id = ?11");
        bindSummary(statement, summary);
        statement.bind(8, toString(state));
        statement.bind(9, sql::timestamp());
        statement.bind(10, failure);
        statement.bind(11, id.value);
        if (statement.exec() == 0)
            return noSuchRun(m_database, id);
        return {};
    });
}

Result<std::vector<RunRow>> RunStore::list() const
{
    return sql::guarded(m_database, [&]() -> Result<std::vector<RunRow>> {
        SQLite::Statement query(m_database.raw(), std::string(kRowColumns) + "ORDER BY id DESC");
        std::vector<RunRow> rows;
        while (query.executeStep())
            rows.push_back(rowFrom(m_database, query));
        return rows;
    });
}

Result<RunRow> RunStore::get(RunId id) const
{
    return sql::guarded(m_database, [&]() -> Result<RunRow> {
        SQLite::Statement query(m_database.raw(), std::string(kRowColumns) + "WHERE id = ?");
        query.bind(1, id.value);
        if (!query.executeStep())
            return noSuchRun(m_database, id);
        return rowFrom(m_database, query);
    });
}

Result<Json> RunStore::plan(RunId id) const
{
    return document(m_database, id, "plan");
}
Result<Json> RunStore::request(RunId id) const
{
    return document(m_database, id, "request");
}
Result<Json> RunStore::environment(RunId id) const
{
    return document(m_database, id, "environment");
}

Status RunStore::setEnvironment(RunId id, const std::string& json)
{
    return setText(m_database, id,
        "UPDATE run_documents SET body = ? WHERE run = ? AND kind = 'environment'", json);
}

Status RunStore::setTags(RunId id, const std::vector<std::string>& tags)
{
    return sql::write(m_database, [&]() -> Status {
        SQLite::Database& db = m_database.raw();
        SQLite::Statement exists(db, "SELECT 1 FROM runs WHERE id = ?");
        exists.bind(1, id.value);
        if (!exists.executeStep())
            return noSuchRun(m_database, id);
        SQLite::Statement clear(db, "DELETE FROM tags WHERE run = ?");
        clear.bind(1, id.value);
        clear.exec();
        SQLite::Statement insert(db, "INSERT INTO tags(run, position, tag) VALUES (?, ?, ?)");
        for (std::size_t i = 0; i < tags.size(); ++i) {
            insert.bind(1, id.value);
            insert.bind(2, std::int64_t(i));
            insert.bind(3, tags[i]);
            insert.exec();
            insert.reset();
        }
        return {};
    });
}

Status RunStore::appendLog(RunId id, const LogLine& line)
{
    return sql::write(m_database, [&]() -> Status {
        SQLite::Statement insert(
            m_database.raw(), "INSERT INTO log_lines(run, time, level, text) VALUES (?, ?, ?, ?)");
        insert.bind(1, id.value);
        sql::bindNumber(insert, 2, line.time);
        insert.bind(3, line.level);
        insert.bind(4, line.text);
        insert.exec();
        return {};
    });
}

Result<std::vector<LogLine>> RunStore::log(RunId id, std::size_t from) const
{
    return sql::guarded(m_database, [&]() -> Result<std::vector<LogLine>> {
        SQLite::Statement query(m_database.raw(),
            "SELECT time, level, text FROM log_lines WHERE run = ? ORDER BY id LIMIT -1 OFFSET ?");
        query.bind(1, id.value);
        query.bind(2, static_cast<std::int64_t>(from));
        std::vector<LogLine> lines;
        while (query.executeStep())
            lines.push_back({ query.getColumn(0).getDouble(), query.getColumn(1).getString(),
                query.getColumn(2).getString() });
        return lines;
    });
}

} // namespace stageloom
