// SPDX-License-Identifier: Apache-2.0
#include "core/store/sql.h"

#include <cmath>
#include <ctime>
#include <sqlite3.h>

namespace stageloom::sql {

Error errorFrom(const SQLite::Exception& exception, const std::filesystem::path& file)
{
    const std::string path = file.string();
    switch (exception.getErrorCode() & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return { ErrorKind::Busy,
            fmt::format(
                "the run store {} is locked by another program for more than 5 s; close that "
                "program or try again",
                path) };
    case SQLITE_NOTADB:
        return { ErrorKind::Invalid,
            fmt::format(
                "{} is not a run store: it is no SQLite database; choose another file with --store",
                path) };
    case SQLITE_CORRUPT:
        return { ErrorKind::Invalid,
            fmt::format(
                "the run store {} is damaged ({}); move it away or choose another with --store",
                path, exception.what()) };
    case SQLITE_READONLY:
        return { ErrorKind::Io,
            fmt::format("the run store {} cannot be written: it is read-only", path) };
    case SQLITE_CANTOPEN:
        return { ErrorKind::Io,
            fmt::format(
                "cannot open the run store {}: check that its folder exists and may be written",
                path) };
    case SQLITE_FULL:
        return { ErrorKind::Io,
            fmt::format("the disk that holds the run store {} is full; make room on it", path) };
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE:
    case SQLITE_TOOBIG: // the statement is at fault, and would be the next time
        return { ErrorKind::Internal,
            fmt::format("the run store {} cannot be used: {}", path, exception.what()) };
    default:
        return { ErrorKind::Io,
            fmt::format("the run store {} cannot be used: {}", path, exception.what()) };
    }
}

Transaction::Transaction(SQLite::Database& db)
    : m_db(db)
    , m_nested(sqlite3_get_autocommit(db.getHandle()) == 0)
{
    m_db.exec(m_nested ? "SAVEPOINT step" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction()
{
    if (!m_open)
        return;
    if (m_nested) {
        m_db.tryExec("ROLLBACK TO step");
        m_db.tryExec("RELEASE step");
    } else if (sqlite3_get_autocommit(m_db.getHandle())
        == 0) { // SQLite may have rolled back itself
        m_db.tryExec("ROLLBACK");
    }
}

void Transaction::commit()
{
    m_db.exec(m_nested ? "RELEASE step" : "COMMIT");
    m_open = false;
}

void bindNumber(SQLite::Statement& statement, int index, double value)
{
    if (std::isnan(value))
        statement.bind(index);
    else
        statement.bind(index, value);
}

void bindNumber(SQLite::Statement& statement, int index, const std::optional<double>& value)
{
    bindNumber(statement, index, value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

std::optional<double> numberAt(const SQLite::Statement& statement, int column)
{
    const SQLite::Column value = statement.getColumn(column);
    return value.isNull() ? std::nullopt : std::optional(value.getDouble());
}

std::string timestamp()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc {};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

} // namespace stageloom::sql
