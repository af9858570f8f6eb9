// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"
#include "core/store/migrations.h"
#include "core/store/sql.h"

#include <cstdlib>
#include <pwd.h>
#include <sqlite3.h>
#include <unistd.h>

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
            "{} is not a run store: it is no SQLite database; choose another file with --store",
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

// SQLite takes a file name with options as a URI only.
std::string uriOf(const fs::path& file)
{
    std::string uri = "file:";
    for (const char c : file.string())
        uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", int(c))
                                                : std::string(1, c);
    return uri;
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
    // By its own name, which its run folders have: a link to a store is no other store.
    if (fs::is_symlink(file, error))
        if (const fs::path real = fs::canonical(file, error); !error)
            file = real;
    if (const Status prepared = prepareFile(file, mode); !prepared)
        return failure(prepared);
    if (mode != Mode::WriteIfPossible)
        return openAs(file, mode, false);
    Result<Database> writing = openAs(file, Mode::ReadWrite, false);
    if (writing || writing.error().kind != ErrorKind::Io)
        return writing;
    if (Result<Database> reading = openAs(file, Mode::ReadOnly, false); reading)
        return reading;
    // In a folder that takes no file SQLite can only read what has no log beside it.
    if (fs::exists(file.string() + "-wal", error) || error)
        return writing;
    Result<Database> reading = openAs(file, Mode::ReadOnly, true);
    return reading ? std::move(reading) : std::move(writing);
}

Result<Database> Database::openAs(const fs::path& file, Mode mode, bool unchanging)
{
    try {
        const int flags = mode == Mode::ReadOnly ? SQLite::OPEN_READONLY | SQLite::OPEN_URI
                                                 : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
        const std::string name = unchanging ? uriOf(file) + "?immutable=1" : file.string();
        Database database(std::make_unique<SQLite::Database>(name, flags, kBusyTimeoutMs), file);
        if (const Status ready = database.makeReady(mode); !ready)
            return failure(ready);
        return database;
    } catch (const SQLite::Exception& exception) {
        return tl::unexpected<Error>(sql::errorFrom(exception, file));
    }
}

Status Database::makeReady(Mode mode)
{
    SQLite::Database& db = raw();
    db.exec("PRAGMA foreign_keys = ON");
    Status ready;
    if (mode == Mode::ReadOnly) {
        ready = checkReadable(*this, storeMigrations());
    } else {
        if (!writable())
            return fail(ErrorKind::Io, "the run store {} cannot be written: it is read-only",
                m_file.string());
        db.exec("PRAGMA journal_mode = WAL");
        db.exec("PRAGMA synchronous = NORMAL");
        ready = migrate(*this, storeMigrations());
    }
    if (ready && db.tableExists("store_facts"))
        m_identity
            = db.execAndGet("SELECT value FROM store_facts WHERE name = 'identity'").getString();
    return ready;
}

bool Database::writable() const
{
    return sqlite3_db_readonly(m_db->getHandle(), "main") == 0;
}

Status Database::mergeLog()
{
    const int result = sqlite3_wal_checkpoint_v2(
        m_db->getHandle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    if (result == SQLITE_OK || result == SQLITE_BUSY)
        return {};
    return tl::unexpected<Error>(
        sql::errorFrom(SQLite::Exception(m_db->getHandle(), result), m_file));
}

fs::path Database::defaultFile(bool* guessed)
{
    if (guessed)
        *guessed = false;
    if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data == '/')
        return fs::path(data) / "stageloom" / "runs.sqlite";
    fs::path home;
    if (const char* given = std::getenv("HOME"); given && *given)
        home = given;
    else if (const passwd* user = ::getpwuid(::getuid()); user && user->pw_dir && *user->pw_dir)
        home = user->pw_dir;
    if (guessed)
        *guessed = home.empty();
    if (home.empty())
        home = ".";
    return home / ".local" / "share" / "stageloom" / "runs.sqlite";
}

} // namespace stageloom
