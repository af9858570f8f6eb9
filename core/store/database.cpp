// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"
#include "core/store/migrations.h"
#include "core/store/sql.h"

#include <cstdlib>
#include <sqlite3.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
constexpr int kBusyTimeoutMs = 5000;

// SQLite would take a file of a few bytes for a new database and write over it.
bool looksLikeStore(const fs::path& file)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::error_code error;
    if (!fs::is_regular_file(file, error) || fs::file_size(file, error) >= kMagic.size())
        return true; // SQLite itself says what is wrong with it
    return fs::file_size(file, error) == 0;
}

Status prepareFile(const fs::path& file, Database::Mode mode)
{
    std::error_code error;
    if (fs::is_directory(file, error))
        return fail(ErrorKind::Invalid, "{} is a folder; the run store is a file, for example {}",
            file.string(), (file / "runs.sqlite").string());
    if (fs::exists(file, error) && !looksLikeStore(file))
        return fail(ErrorKind::Invalid,
            "{} is no run store: it is not an SQLite database; name another file with --store",
            file.string());
    if (mode == Database::Mode::ReadOnly) {
        if (!fs::exists(file, error))
            return fail(ErrorKind::Io, "there is no run store {}", file.string());
        return {};
    }
    if (file.has_parent_path() && !fs::is_directory(file.parent_path(), error)) {
        fs::create_directories(file.parent_path(), error);
        if (error)
            return fail(ErrorKind::Io, "cannot make the folder {} for the run store: {}",
                file.parent_path().string(), error.message());
    }
    return {};
}

} // namespace

Database::Database(std::unique_ptr<SQLite::Database> db, fs::path file)
    : m_db(std::move(db))
    , m_file(std::move(file))
{
}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const fs::path& given, Mode mode)
{
    std::error_code error;
    fs::path file = fs::absolute(given, error);
    if (given.empty())
        return fail(
            ErrorKind::Invalid, "the run store needs a file name; --store got an empty one");
    if (error)
        return fail(ErrorKind::Io,
            "the run store {} cannot be found: the current folder is not there any more ({})",
            given.string(), error.message());
    if (const Status prepared = prepareFile(file, mode); !prepared)
        return failure(prepared);
    try {
        const int flags = mode == Mode::ReadOnly ? SQLite::OPEN_READONLY
                                                 : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
        Database database(
            std::make_unique<SQLite::Database>(file.string(), flags, kBusyTimeoutMs), file);
        SQLite::Database& db = database.raw();
        db.exec("PRAGMA foreign_keys = ON");
        Status ready;
        if (mode == Mode::ReadOnly) {
            ready = checkReadable(database, storeMigrations());
        } else {
            if (sqlite3_db_readonly(db.getHandle(), "main") == 1)
                return fail(ErrorKind::Io, "the run store {} cannot be written: it is read-only",
                    file.string());
            db.exec("PRAGMA journal_mode = WAL");
            db.exec("PRAGMA synchronous = NORMAL");
            ready = migrate(database, storeMigrations());
        }
        if (!ready)
            return failure(ready);
        return database;
    } catch (const SQLite::Exception& exception) {
        return tl::unexpected<Error>(sql::errorFrom(exception, file));
    }
}

fs::path Database::defaultFile()
{
    if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data == '/')
        return fs::path(data) / "stageloom" / "runs.sqlite";
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : ".") / ".local" / "share" / "stageloom" / "runs.sqlite";
}

} // namespace stageloom
