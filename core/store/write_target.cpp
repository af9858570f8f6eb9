// SPDX-License-Identifier: Apache-2.0
#include "core/store/write_target.h"
#include "core/store/sql.h"

#include <new>
#include <sqlite3.h>
#include <sys/stat.h>

namespace stageloom {

namespace {

// One job in a savepoint of its own: its failure takes nothing of the others with it.
Status runJob(Database& database, const WriteJob& job)
{
    try {
        return sql::write(database, [&]() -> Status { return job.run(database); });
    } catch (const std::bad_alloc&) { // of the moment, not of this job
        return fail(ErrorKind::Io, "the run store waits for memory");
    } catch (const std::exception& error) {
        return fail(ErrorKind::Internal, "writing to the run store failed: {}", error.what());
    } catch (...) {
        return fail(ErrorKind::Internal, "writing to the run store failed, and nothing says why");
    }
}

} // namespace

WriteTarget::WriteTarget(Database database)
    : m_database(std::move(database))
    , m_identity(identityOf(m_database.file()))
{
}

Result<WriteTarget> WriteTarget::open(const std::filesystem::path& file)
{
    Result<Database> database = Database::open(file);
    if (!database)
        return failure(database);
    return WriteTarget(std::move(*database));
}

std::optional<WriteTarget::Identity> WriteTarget::identityOf(const std::filesystem::path& file)
{
    struct stat found { };
    if (::stat(file.c_str(), &found) != 0)
        return std::nullopt;
    return Identity { found.st_dev, found.st_ino };
}

bool WriteTarget::gone() const
{
    return identityOf(m_database.file()) != m_identity;
}

void WriteTarget::setBusyTimeout(int milliseconds)
{
    m_database.raw().setBusyTimeout(milliseconds);
}

// A disk that is full or a file that is locked may be well again later; a damaged file, or one
// that has lost the run, will not, and then there must be another place.
bool WriteTarget::isTroubleOfTheStore(const Error& error) const
{
    return error.kind == ErrorKind::Busy || error.kind == ErrorKind::Io
        || (error.kind == ErrorKind::Invalid && canMove());
}

WriteTarget::Written WriteTarget::write(const std::vector<WriteJob>& jobs)
{
    Written written;
    written.store = sql::write(m_database, [&]() -> Status {
        for (const WriteJob& job : jobs) {
            if (!job.run)
                continue;
            const Status status = runJob(m_database, job);
            // SQLite may have undone the whole transaction: the next job would begin its own.
            if (!status && isTroubleOfTheStore(status.error()))
                return status;
            if (!status && written.job)
                written.job = status;
        }
        return {};
    });
    return written;
}

Status WriteTarget::move()
{
    Result<Database> spare = openSpare(*m_spare, m_database);
    if (!spare)
        return failure(spare);
    // Closing would delete the log beside the name, which by now may be another store's.
    if (gone())
        sqlite3_db_config(
            m_database.raw().getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    m_database = std::move(*spare);
    m_identity = identityOf(m_database.file());
    m_moved = true;
    return {};
}

} // namespace stageloom
