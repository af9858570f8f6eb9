// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/store/database.h"
#include <SQLiteCpp/SQLiteCpp.h>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

// Private to the store: the one place where SQLite's exceptions become results.
namespace stageloom::sql {

// One clear sentence for what SQLite reports about this file.
Error errorFrom(const SQLite::Exception& exception, const std::filesystem::path& file);

// Runs `body`, which returns a Result or Status; an exception of SQLite becomes its error.
template <typename Body> auto guarded(const Database& database, Body&& body) -> decltype(body())
{
    try {
        return body();
    } catch (const SQLite::Exception& exception) {
        return tl::unexpected<Error>(errorFrom(exception, database.file()));
    }
}

// BEGIN IMMEDIATE, or a savepoint inside a transaction that is open already; rolled back unless
// committed.
class Transaction {
public:
    explicit Transaction(SQLite::Database& db);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    SQLite::Database& m_db;
    bool m_nested;
    bool m_open = true;
};

// guarded() inside a transaction that is committed where `body` succeeds.
template <typename Body> auto write(Database& database, Body&& body) -> decltype(body())
{
    return guarded(database, [&]() -> decltype(body()) {
        Transaction transaction(database.raw());
        auto result = body();
        if (result)
            transaction.commit();
        return result;
    });
}

// SQLite has no NaN: it is kept as NULL.
void bindNumber(SQLite::Statement& statement, int index, double value);
void bindNumber(SQLite::Statement& statement, int index, const std::optional<double>& value);
std::optional<double> numberAt(const SQLite::Statement& statement, int column);

// Now, ISO 8601 in UTC with seconds.
std::string timestamp();

} // namespace stageloom::sql
